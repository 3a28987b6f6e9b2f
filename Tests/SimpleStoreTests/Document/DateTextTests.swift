import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("Dates in text")
struct DateTextTests {
  private func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (817_706_449, "2026-11-30T04:40:49Z"),
      (817_706_449.5, "2026-11-30T04:40:49.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
      (-978_307_200, "1970-01-01T00:00:00Z"), (0.1, "2001-01-01T00:00:00.1Z"),
      (-978_307_200.125, "1969-12-31T23:59:59.875Z"), (1e-9, "2001-01-01T00:00:00.000000001Z"),
      (-1e-20, "2000-12-31T23:59:59.99999999999999999999Z"),
      (-1e-30, "2000-12-31T23:59:59.999999999999999999999999999999Z"),
      (1e10, "2317-11-21T17:46:40Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"), (220_838_400, "2008-01-01T00:00:00Z"),
      (225_936_000, "2008-02-29T00:00:00Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
    ] as [(Double, String)])
  func `a date is spelled with just the digits it takes`(seconds: Double, text: String) {
    #expect(DateText.spell(date(seconds)) == text)
    #expect(DateText.read(text) == date(seconds))
  }

  @Test(
    arguments: [
      .nan, .infinity, -.infinity, -0.0, -63_113_904_001, (-63_113_904_000.0).nextDown,
      252_423_993_600, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e-31, -1.5e-30,
    ] as [Double])
  func `a date without an exact text has none`(seconds: Double) {
    #expect(DateText.spell(date(seconds)) == nil)
  }

  @Test
  func `200,000 dates of all magnitudes read back bit for bit`() {
    var random = RandomDocument(seed: 21)
    var spelled = 0
    for _ in 0..<200_000 {
      let seconds = random.seconds()
      guard let text = DateText.spell(date(seconds)) else {
        let isSpellable =
          seconds >= -63_113_904_000 && seconds < 252_423_993_600 && abs(seconds) > 1e-13
        #expect(!isSpellable, "\(seconds)")
        continue
      }
      spelled += 1
      let found = DateText.read(text)?.timeIntervalSinceReferenceDate.bitPattern
      if found != seconds.bitPattern { Issue.record("\(seconds) is \(text)") }
    }
    #expect(spelled > 100_000)
  }

  @Test
  func `whole seconds are spelled as Foundation spells them`() {
    var random = SplitMix64(seed: 22)
    let style = Date.ISO8601FormatStyle()
    for _ in 0..<20_000 {
      // From 1600: before October 1582 Foundation's calendar is the Julian one.
      let seconds = Double(Int64.random(in: -12_622_780_800..<252_423_993_600, using: &random))
      let text = style.format(date(seconds))
      if DateText.spell(date(seconds)) != text || DateText.read(text) != date(seconds) {
        Issue.record("\(seconds) is \(text), not \(DateText.spell(date(seconds)) ?? "-")")
      }
    }
  }

  @Test
  func `every day of ten thousand years has its number and the next one follows`() {
    var number = -730_485
    for year in 1...9_999 {
      for month in 1...12 {
        for day in 1...31 {
          guard let civil = CivilDay(year: year, month: month, day: day) else { continue }
          if civil.daysSinceReference != number || CivilDay(daysSinceReference: number) != civil {
            Issue.record("\(civil)")
          }
          number += 1
        }
      }
    }
    #expect(number == 2_921_574)
  }

  @Test(
    arguments: [
      ("2001-01-01T00:00:01+00:00", 1), ("2001-01-01t00:00:01z", 1), ("2001-01-01 00:00:01Z", 1),
      ("2001-01-01T01:00:01+01:00", 1), ("2000-12-31T18:30:01-05:30", 1),
      ("2001-01-01T00:00:00.50Z", 0.5), ("2001-01-01T00:00:00.000Z", 0),
      ("2001-01-01T01:00:00.25+01:00", 0.25), ("2000-12-31T22:59:59.75-01:00", -0.25),
      ("2001-01-01T00:00:00-00:00", 0),
      ("2001-01-01T00:00:00." + String(repeating: "3", count: 100) + "Z", 1 / 3),
      ("0000-01-01T00:00:00Z", -63_145_526_400), ("9999-12-31T23:59:59-23:59", 252_424_079_939),
    ] as [(String, Double)])
  func `other spellings of the standard are read`(text: String, seconds: Double) {
    #expect(DateText.read(text) == date(seconds))
  }

  @Test(arguments: [
    "", "Z", "2001", "2001-01-01", "2001-01-01T00:00:00", "2001-02-30T00:00:00Z",
    "2001-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2001-00-01T00:00:00Z", "2001-13-01T00:00:00Z",
    "2001-01-00T00:00:00Z", "2001-01-32T00:00:00Z", "2001-04-31T00:00:00Z", "2001-01-01T24:00:00Z",
    "2001-01-01T00:60:00Z", "2001-01-01T23:59:60Z", "2001-01-01T00:00:00.Z",
    "2001-01-01T00:00:00,5Z",
    "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+00:60", "2001-01-01T00:00:00+0000",
    "2001-01-01T00:00:00+00", "2001-01-01T00:00:00ZZ", " 2001-01-01T00:00:00Z",
    "2001-01-01T00:00:00Z ", "2001-01-01T00:00:00Z\0", "2001-1-1T0:0:0Z", "20010101T000000Z",
    "-001-01-01T00:00:00Z", "+2001-01-01T00:00:00Z", "12001-01-01T00:00:00Z",
    "２００1-01-01T00:00:00Z", "2001-01-01T00:00:00.1e5Z", "2001-01-01T00:00:00.-5Z",
    "2001-01-01X00:00:00Z", "2001/01/01T00:00:00Z", "2001-01-01T00:00Z",
    "2001-01-01T00:00:00." + String(repeating: "3", count: 101) + "Z",
    "2001-01-01T00:00:00." + String(repeating: "3", count: 100_000) + "Z",
  ])
  func `what is no date is nil`(_ text: String) {
    #expect(DateText.read(text) == nil)
  }

  @Test
  func `no damage to a date traps`() {
    for text in ["2000-12-31T23:59:59.75-01:30", "2001-01-01T00:00:00Z"] {
      for bytes in Mutations(of: Array(text.utf8)) {
        guard let date = DateText.read(String(decoding: bytes, as: UTF8.self)) else { continue }
        // What is read as a date is one: it is spelled, unless it left the years that are.
        if let text = DateText.spell(date) { #expect(DateText.read(text) == date) }
      }
    }
  }
}
