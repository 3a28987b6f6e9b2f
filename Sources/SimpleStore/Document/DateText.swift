#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Dates as ISO 8601 text in UTC (RFC 3339), exact to the last bit: `2026-11-30T04:40:49.125Z`.
///
/// A `Date` is a double, its seconds since 1 January 2001. The text is that double's shortest
/// decimal, whose seconds are split into day and time with integers alone; the way back puts the
/// same decimal together and rounds once. So no arithmetic in between can lose a bit.
package enum DateText {
  /// The text, with as many digits of a fraction as it takes to read the same date back.
  ///
  /// Nil for what has no such text: dates that are not finite, outside the years 0001 to 9999, or
  /// so close to the reference date that they take more than 30 digits, and minus zero.
  package static func spell(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds >= firstSecond, seconds < endSecond, seconds != 0 || seconds.sign == .plus,
      let decimal = DecimalText(NumberText.shortest(seconds).utf8)
    else { return nil }

    // The second that has begun, and the digits after it.
    var whole: Int
    var fraction: UInt128 = 0
    let width = max(0, -decimal.exponent)
    guard width <= mostDigitsSpelled else { return nil }
    if decimal.exponent >= 0 {
      whole = Int(decimal.digits)
      for _ in 0..<decimal.exponent { whole *= 10 }
    } else {
      var scale: UInt128 = 1
      for _ in 0..<width { scale *= 10 }
      let (quotient, remainder) = UInt128(decimal.digits).quotientAndRemainder(dividingBy: scale)
      whole = Int(quotient)
      fraction = remainder
      if decimal.isNegative {
        // 0.25 s before a second is 0.75 s after the one before it.
        whole += 1
        fraction = scale - fraction
      }
    }
    if decimal.isNegative { whole = -whole }
    return spell(whole, fraction: fraction, width: width)
  }

  /// Whether a date has a text, and that has no fraction: the dates of an XML property list.
  static func hasWholeText(_ date: Date) -> Bool {
    let seconds = date.timeIntervalSinceReferenceDate
    return seconds >= firstSecond && seconds < endSecond && seconds == seconds.rounded()
      && (seconds != 0 || seconds.sign == .plus)
  }

  private static func spell(_ whole: Int, fraction: UInt128, width: Int) -> String {
    let days = floorDivision(whole, by: 86_400)
    let second = whole - days * 86_400
    let day = CivilDay(daysSinceReference: days)
    var text: [UInt8] = []
    text.reserveCapacity(21 + width)
    append(day.year, width: 4, to: &text)
    text.append(UInt8(ascii: "-"))
    append(day.month, width: 2, to: &text)
    text.append(UInt8(ascii: "-"))
    append(day.day, width: 2, to: &text)
    text.append(UInt8(ascii: "T"))
    append(second / 3_600, width: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(second / 60 % 60, width: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(second % 60, width: 2, to: &text)
    if width > 0 {
      text.append(UInt8(ascii: "."))
      if let small = UInt64(exactly: fraction) {
        append(small, width: width, to: &text)
      } else {
        append(fraction, width: width, to: &text)
      }
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// The date that an ISO 8601 text stands for; nil when it is none.
  ///
  /// Read are four digits of a year, `T`, `t` or a space before the time, a fraction of up to 100
  /// digits, and `Z`, `z` or an offset `±hh:mm`. Refused are days and times that do not exist:
  /// 30 February, 24:00, the second 60.
  package static func read(_ text: some StringProtocol) -> Date? {
    var reader = Fields(text.utf8)
    guard let year = reader.number(4), reader.take("-"),
      let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(2), hour < 24, reader.take(":"),
      let minute = reader.number(2), minute < 60, reader.take(":"),
      let second = reader.number(2), second < 60,
      let date = CivilDay(year: year, month: month, day: day)
    else { return nil }
    var fraction: ArraySlice<UInt8> = []
    if reader.take(".") {
      fraction = reader.digits()
      guard !fraction.isEmpty, fraction.count <= mostDigitsRead else { return nil }
    }
    var offset = 0
    if !reader.take("Z"), !reader.take("z") {
      let isWest = reader.take("-")
      guard isWest || reader.take("+"),
        let hours = reader.number(2), hours < 24, reader.take(":"),
        let minutes = reader.number(2), minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * 60 * (isWest ? -1 : 1)
    }
    guard reader.isAtEnd else { return nil }
    let whole =
      date.daysSinceReference * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return join(whole, fraction: fraction)
      .map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  /// The double nearest to `whole` and a fraction of a second after it.
  private static func join(_ whole: Int, fraction: ArraySlice<UInt8>) -> Double? {
    guard fraction.contains(where: { $0 != UInt8(ascii: "0") }) else { return Double(whole) }
    var digits = Array(fraction)
    var whole = whole
    let isNegative = whole < 0
    if isNegative {
      // -3 s and 0.75 s after it is -2.25 s: the fraction's distance from 1, digit by digit.
      whole = -(whole + 1)
      let last = digits.lastIndex { $0 != UInt8(ascii: "0") } ?? 0
      for place in 0...last {
        let nine = UInt8(ascii: "9") - (digits[place] - UInt8(ascii: "0"))
        digits[place] = place == last ? nine + 1 : nine
      }
    }
    let text = "\(isNegative ? "-" : "")\(whole).\(String(decoding: digits, as: UTF8.self))"
    return DecimalText(text.utf8)?.quickDouble ?? Double(text)
  }

  private static let mostDigitsSpelled = 30
  private static let mostDigitsRead = 100
  /// 1 January of the year 1.
  private static let firstSecond = -63_113_904_000.0
  /// 1 January of the year 10000.
  private static let endSecond = 252_423_993_600.0

  private static func floorDivision(_ number: Int, by divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  /// A number with zeros before it, to this many digits.
  private static func append(
    _ number: some FixedWidthInteger, width: Int, to text: inout [UInt8]
  ) {
    let start = text.count
    text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
    var rest = number
    for place in stride(from: start + width - 1, through: start, by: -1) {
      text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Steps through a text from its start.
  private struct Fields {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some Collection<UInt8>) {
      // Enough for any text that is a date; what is longer does not end at the end.
      bytes = Array(text.prefix(mostDigitsRead + 32))
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// Exactly this many digits.
    mutating func number(_ width: Int) -> Int? {
      var number = 0
      for _ in 0..<width {
        guard position < bytes.count, let digit = Self.digit(bytes[position]) else { return nil }
        number = number * 10 + digit
        position += 1
      }
      return number
    }

    /// All digits from here.
    mutating func digits() -> ArraySlice<UInt8> {
      let start = position
      while position < bytes.count, Self.digit(bytes[position]) != nil { position += 1 }
      return bytes[start..<position]
    }

    private static func digit(_ byte: UInt8) -> Int? {
      let digit = byte &- UInt8(ascii: "0")
      return digit < 10 ? Int(digit) : nil
    }
  }
}
