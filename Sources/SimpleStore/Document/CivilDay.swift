/// A day of the Gregorian calendar, extended to all years (ISO 8601), and its number.
///
/// Own arithmetic, since `Calendar` changes to the Julian calendar before 1582 and costs a
/// thousand times as much. The method is Howard Hinnant's
/// (https://howardhinnant.github.io/date_algorithms.html): years start in March, so that the leap
/// day is the last of its year.
package struct CivilDay: Equatable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// A day that exists; nil for others (30 February).
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(of: month, year: year) else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day this many days after 1 January 2001.
  package init(daysSinceReference days: Int) {
    let shifted = days + Self.referenceDay
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// How many days after 1 January 2001 it is.
  package var daysSinceReference: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - Self.referenceDay
  }

  /// 1 January 2001, counted from 1 March of the year 0.
  private static let referenceDay = 730_791

  private static func length(of month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
