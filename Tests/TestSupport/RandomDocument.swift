package import SimpleStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes documents at random, the same ones for the same seed: few and many keys, all kinds of
/// value, numbers of all magnitudes, and strings that formats like to get wrong.
package struct RandomDocument: Sendable {
  /// The kinds of leaf value to make.
  package enum Kind: CaseIterable, Sendable {
    case null, bool, integer, unsigned, double, number, string, data, date
  }

  private var random: SplitMix64
  private let kinds: [Kind]
  private var left = 0

  package init(seed: UInt64, kinds: [Kind] = Kind.allCases) {
    random = SplitMix64(seed: seed)
    self.kinds = kinds
  }

  /// The next document, not deeper than `depth` and with not many more than `size` values.
  package mutating func next(depth: Int = 6, size: Int = 60) -> StoreDocument {
    left = Int.random(in: 0...size, using: &random)
    var document = StoreDocument()
    while left > 0 { document[string()] = value(depth: depth - 1) }
    return document
  }

  private mutating func value(depth: Int) -> StoreValue {
    left -= 1
    if depth > 0, left > 0 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return .array(array(depth: depth))
      case 1: return .dictionary(dictionary(depth: depth))
      default: break
      }
    }
    return leaf()
  }

  private mutating func array(depth: Int) -> [StoreValue] {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in value(depth: depth - 1) }
  }

  private mutating func dictionary(depth: Int) -> StoreDocument {
    var document = StoreDocument()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      document[string()] = value(depth: depth - 1)
    }
    return document
  }

  /// A value that has no others inside.
  package mutating func leaf() -> StoreValue {
    switch kinds.randomElement(using: &random) ?? .null {
    case .null: .null
    case .bool: .bool(Bool.random(using: &random))
    case .integer: .integer(integer())
    case .unsigned: .unsigned(UInt64.random(in: UInt64(Int64.max) + 1...UInt64.max, using: &random))
    case .double: .double(double())
    case .number: .number(Self.numbers.randomElement(using: &random) ?? "1e400")
    case .string: .string(string())
    case .data: .data(data())
    case .date: .date(Date(timeIntervalSinceReferenceDate: seconds()))
    }
  }

  /// An integer of any magnitude.
  package mutating func integer() -> Int64 {
    let bits = Int64(bitPattern: random.next())
    return bits >> Int64.random(in: 0..<64, using: &random)
  }

  /// A double of any magnitude; one in three is any bit pattern at all.
  package mutating func double() -> Double {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: Double(integer())
    case 1: Double(Int64.random(in: -99_999...99_999, using: &random)) / 1_000
    case 2: Self.doubles.randomElement(using: &random) ?? 0
    case 3: Double.random(in: -1...1, using: &random)
    default: Self.quiet(Double(bitPattern: random.next()))
    }
  }

  /// Seconds of a date: near our time, or any double.
  package mutating func seconds() -> Double {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Double(Int64.random(in: -70_000_000_000...260_000_000_000, using: &random))
    case 1: Double.random(in: -70_000_000_000...260_000_000_000, using: &random)
    case 2: Double.random(in: 500_000_000...1_000_000_000, using: &random)
    default: double()
    }
  }

  /// A string of hostile pieces.
  package mutating func string() -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: ""
    case 1...3: "key\(UInt8.random(in: 0...255, using: &random))"
    default:
      (0..<Int.random(in: 1...5, using: &random)).map { _ in piece() }.joined()
    }
  }

  private mutating func piece() -> String {
    if Bool.random(using: &random) { return Self.pieces.randomElement(using: &random) ?? "" }
    let limit: UInt32 = [0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &random) ?? 0x80
    let number = UInt32.random(in: 0..<limit, using: &random)
    return Unicode.Scalar(number).map { String($0) } ?? "?"
  }

  private mutating func data() -> Data {
    Data(
      (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      })
  }

  /// No format keeps the payload of a NaN.
  private static func quiet(_ number: Double) -> Double { number.isNaN ? .nan : number }

  private static let doubles: [Double] = [
    0, -0.0, 1, 0.1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .nan,
    .infinity,
    -.infinity, 9_007_199_254_740_992, 9_223_372_036_854_775_808, 1e15, 1e16, 1e17, 1e21, 1e22,
    1e23, 1e-5, 1e-4, 123_456_789.125,
  ]

  private static let numbers = [
    "123456789012345678901234567890", "1e400", "-1e400", "1e-400", "18446744073709551616",
    "-9223372036854775809", "0.1000000000000000055511151231257827",
  ]

  private static let pieces = [
    "\u{0}", "\r\n", "\n", "\t", "\"", "\\", "/", "<", ">", "&", "]]>", "$null", "e\u{301}",
    "\u{e9}", "\u{fffe}", "\u{ffff}", "\u{2028}", "\u{feff}", "👨‍👩‍👧‍👦", "\u{10ffff}", " ", "'", "\u{7f}",
    "\u{85}", "\\u0041", "true", "null", "1.5", "日本語", "\u{1b}[0m", "%s", "{", "[", ",", ":",
  ]
}
