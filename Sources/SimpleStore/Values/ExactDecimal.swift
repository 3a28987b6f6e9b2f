/// A decimal number of any length, taken apart: digits × 10^exponent, without rounding.
///
/// `DecimalText` has room for 64 bits of digits, which is enough for doubles; `Decimal` has 38
/// digits and `Duration` 39.
struct ExactDecimal: Equatable {
  private(set) var isNegative: Bool
  /// Without zeros at either end; empty for zero.
  private(set) var digits: [UInt8]
  /// The power of ten of the last digit; 0 for zero.
  private(set) var exponent: Int

  /// Reads a number in JSON's grammar; nil when the text is anything else.
  init?(_ text: String) {
    guard PropertyListNumber.isNumber(text) else { return nil }
    let parts = text.utf8.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 | 0x20 == 0x65 })
    var power = 0
    if parts.count == 2 {
      // Beyond these no number of the types that are read here exists.
      guard let read = Int(String(decoding: parts[1], as: UTF8.self)), abs(read) < 100_000 else {
        return nil
      }
      power = read
    }
    isNegative = parts[0].first == UInt8(ascii: "-")
    let point = parts[0].firstIndex(of: UInt8(ascii: "."))
    let fraction = point.map { parts[0].distance(from: $0, to: parts[0].endIndex) - 1 } ?? 0
    let zero = UInt8(ascii: "0")
    digits = parts[0].filter { (zero...UInt8(ascii: "9")).contains($0) }
    let leading = digits.prefix { $0 == zero }.count
    digits.removeFirst(leading)
    exponent = power - fraction
    while digits.last == zero {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      exponent = 0
      isNegative = false
    }
  }

  /// The number that a value stands for, if it is one: a double is its shortest text.
  init?(_ value: StoreValue) {
    switch value {
    case .integer(let number): self.init(String(number))
    case .unsigned(let number): self.init(String(number))
    case .double(let number) where number.isFinite: self.init(NumberText.shortest(number))
    case .number(let text): self.init(text)
    default: return nil
    }
  }

  /// The number × 10^`places`, when that is a whole one that 128 bits hold.
  func integer(shiftedBy places: Int) -> Int128? {
    let zeros = exponent + places
    guard !digits.isEmpty else { return 0 }
    guard zeros >= 0, digits.count + zeros <= 40 else { return nil }
    let text = String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: zeros)
    return Int128((isNegative ? "-" : "") + text)
  }
}
