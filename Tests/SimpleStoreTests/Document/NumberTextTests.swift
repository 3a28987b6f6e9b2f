import SimpleStore
import TestSupport
import Testing

@Suite("Numbers in text")
struct NumberTextTests {
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let value: StoreValue
    init(_ text: String, _ value: StoreValue) {
      description = text
      self.value = value
    }
    static func kept(_ text: String) -> Row { Row(text, .number(text)) }
  }

  static let table: [Row] = [
    Row("0", .integer(0)), Row("-0", .double(-0.0)), Row("-0.0", .double(-0.0)),
    Row("-0e9", .double(-0.0)), Row("0.000", .double(0)),
    Row("0e999999999999999999999", .double(0)),
    Row("9223372036854775807", .integer(.max)), Row("-9223372036854775808", .integer(.min)),
    Row("9223372036854775808", .unsigned(1 << 63)), Row("18446744073709551615", .unsigned(.max)),
    Row("10000000000000000000", .unsigned(10_000_000_000_000_000_000)),
    Row("9007199254740993", .integer(9_007_199_254_740_993)),
    .kept("18446744073709551616"), .kept("-9223372036854775809"),
    .kept("123456789012345678901234567890"),
    // A double says this number exactly, so it is one.
    Row("100000000000000000000", .double(1e20)), Row("-100000000000000000000", .double(-1e20)),
    Row("1.0", .double(1)), Row("1.50", .double(1.5)), Row("150e-2", .double(1.5)),
    Row("0.1", .double(0.1)), Row("0.10000000000000000", .double(0.1)),
    .kept("0.10000000000000001"), .kept("0.1000000000000000055511151231257827"),
    Row("3.141592653589793", .double(.pi)), .kept("3.14159265358979323846"),
    .kept("3.1415926535897931"),
    Row("0.30000000000000004", .double(0.1 + 0.2)), .kept("0.300000000000000044"),
    Row("1e22", .double(1e22)), Row("1e23", .double(1e23)), Row("1e300", .double(1e300)),
    Row("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    .kept("1.7976931348623159e308"),
    Row("2.2250738585072014e-308", .double(.leastNormalMagnitude)),
    Row("5e-324", .double(.leastNonzeroMagnitude)), .kept("4e-324"), .kept("4.9e-324"),
    .kept("1e400"), .kept("-1e400"), .kept("1e-400"), .kept("1e99999999999999999999"),
    .kept("1e-99999999999999999999"), Row("9007199254740993.0", .number("9007199254740993.0")),
    Row("9007199254740992.0", .double(9_007_199_254_740_992)),
    Row("123456789012345e22", .double(123_456_789_012_345e22)),
    // Sixteen digits, where the doubles are further apart than the decimals.
    .kept("8589934592.000001"), Row("8589934592.000002", .double(8_589_934_592.000_002)),
    Row("1e-22", .double(1e-22)), Row("999999999999999e-22", .double(999_999_999_999_999e-22)),
    Row("8.988465674311579e307", .double(8.988465674311579e307)),
    Row("0.000000000000000000000000000001", .double(1e-30)),
  ]

  @Test(arguments: table)
  func `a number is the kind that holds it exactly`(_ row: Row) {
    #expect(NumberText.value(of: row.description.utf8) == row.value)
  }

  @Test(arguments: table)
  func `JSON reads a number as that kind, at the end of an array or not`(_ row: Row) throws {
    let text = "{\"v\":[\(row),\(row)]}"
    #expect(
      try JSONFormat().decode(Array(text.utf8)) == ["v": .array([row.value, row.value])])
  }

  @Test(arguments: ["", "-", "01", "1.", ".1", "1e", "1e+", "+1", "1x", "nan", "inf", " 1", "1 "])
  func `what is no number is nil`(_ text: String) {
    #expect(NumberText.value(of: text.utf8) == nil)
  }

  @Test
  func `every double reads back from its shortest text, bit for bit`() {
    var random = RandomDocument(seed: 11)
    for _ in 0..<100_000 {
      let number = random.double()
      guard number.isFinite else { continue }
      let text = NumberText.shortest(number)
      #expect(NumberText.value(of: text.utf8) == .double(number), "\(text)")
    }
  }

  @Test
  func `every integer reads back from its text`() {
    var random = RandomDocument(seed: 12)
    for _ in 0..<100_000 {
      let number = random.integer()
      #expect(NumberText.value(of: "\(number)".utf8) == .integer(number))
    }
  }

  /// Decimals of 15 digits skip the comparison of texts; this is the comparison.
  @Test
  func `the quick way to a double agrees with the standard library`() throws {
    var random = SplitMix64(seed: 13)
    for _ in 0..<100_000 {
      let digits = Int64.random(in: 0..<1_000_000_000_000_000, using: &random)
      let text = "\(digits)e\(Int.random(in: -30...30, using: &random))"
      let expected = try #require(Double(text))
      #expect(NumberText.value(of: text.utf8) == .double(expected), "\(text)")
      let shortest = try #require(DecimalText(NumberText.shortest(expected).utf8))
      #expect(DecimalText(text.utf8)?.isSameNumber(as: shortest) == true, "\(text)")
    }
  }

  @Test
  func `a number of a million digits takes no long time`() {
    let text = String(repeating: "7", count: 1_000_000)
    #expect(NumberText.value(of: text.utf8) == .number(text))
    #expect(NumberText.value(of: "0.\(text)".utf8) == .number("0.\(text)"))
  }
}
