#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The text of numbers in XML property lists, and which numbers have a native form at all.
///
/// A number that is kept as text is always in JSON's grammar (no `+`, no leading zeros, a digit on
/// both sides of the point), so that every format can write it.
enum PropertyListNumber {
  /// The value of an `<integer>`: decimal or, as Apple's reader takes it, hexadecimal; with a sign
  /// and white space around it. Nil when it is anything else, or hexadecimal beyond 64 bits.
  static func integer(_ text: ArraySlice<UInt8>) -> StoreValue? {
    var digits = trimmed(text)
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
      return hexadecimal(digits.dropFirst(2), isNegative: isNegative)
    }
    guard !digits.isEmpty else { return nil }
    if digits.count <= 18 {
      var magnitude: Int64 = 0
      for byte in digits {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        // Eighteen nines are below 2^63.
        magnitude = magnitude &* 10 &+ Int64(digit)
      }
      return .integer(isNegative ? -magnitude : magnitude)
    }
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    if significant.isEmpty { return .integer(0) }
    return NumberText.value(of: (isNegative ? [UInt8(ascii: "-")] : []) + significant)
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>, isNegative: Bool) -> StoreValue? {
    // `UInt64` would take a second sign.
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
      let magnitude = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    guard isNegative else { return StoreValue(unsigned: magnitude) }
    guard magnitude <= 1 << 63 else { return nil }
    return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  /// The value of a `<real>`; nil when the text is not a number.
  ///
  /// A double where the text is the double's, either the shortest that reads back or, as Apple's
  /// tools write it, with up to 17 digits (`0.10000000000000001`). Other numbers are kept as text.
  static func real(_ text: ArraySlice<UInt8>) -> StoreValue? {
    let number = trimmed(text)
    guard let normal = normalized(number) else {
      return nonFinite(number).map { .double($0) }
    }
    guard let value = NumberText.value(of: normal) else { return nil }
    if case .number(let spelled) = value, let double = Double(spelled), double.isFinite,
      let decimal = DecimalText(normal), isSpelling(decimal, of: double)
    {
      return .double(double)
    }
    return value
  }

  /// Names in the spelling of Apple's tools, of Python and of C.
  private static func nonFinite(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.count <= 9 else { return nil }
    switch String(decoding: text, as: UTF8.self).lowercased() {
    case "nan", "+nan", "-nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }

  /// A decimal number with a point, in JSON's grammar; nil when it is none.
  private static func normalized(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = text
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      if sign == UInt8(ascii: "-") { result.append(sign) }
      rest = rest.dropFirst()
    }
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    let significant = whole.drop { $0 == UInt8(ascii: "0") }
    result += significant.isEmpty ? [UInt8(ascii: "0")] : significant
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(fraction.count + 1)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    // Only with a point is it never taken for an integer.
    if !fraction.isEmpty || rest.isEmpty {
      result.append(UInt8(ascii: "."))
      result += fraction.isEmpty ? [UInt8(ascii: "0")] : fraction
    }
    // The exponent, which `NumberText` checks.
    return result + rest
  }

  /// Whether the decimal is what a double is when rounded to that many digits.
  private static func isSpelling(_ decimal: DecimalText, of double: Double) -> Bool {
    let digits = String(decimal.digits).utf8.count
    guard decimal.fits, digits <= 17 else { return false }
    var buffer = [CChar](repeating: 0, count: 40)
    let count = withVaList([Int32(digits - 1), double]) { arguments in
      vsnprintf(&buffer, buffer.count, "%.*e", arguments)
    }
    guard count > 0, count < buffer.count else { return false }
    var spelled = buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
    // The point of the program's locale may be a comma.
    let point = spelled.first == UInt8(ascii: "-") ? 2 : 1
    if digits > 1 { spelled[point] = UInt8(ascii: ".") }
    return DecimalText(spelled)?.isSameNumber(as: decimal) ?? false
  }

  /// The text without white space at both ends.
  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while let first = text.first, first.isXMLSpace { text.removeFirst() }
    while let last = text.last, last.isXMLSpace { text.removeLast() }
    return text
  }

  /// Whether a text is a number that ``StoreValue/number(_:)`` may hold.
  static func isNumber(_ text: String) -> Bool { DecimalText(text.utf8) != nil }

  /// The element that would be read back as this very ``StoreValue/number(_:)``, if there is one.
  static func element(of text: String) -> XMLPropertyListElement? {
    let bytes = Array(text.utf8)[...]
    if integer(bytes) == .number(text) { return .integer }
    if real(bytes) == .number(text) { return .real }
    return nil
  }

  /// The 16-byte integer that would be read back from binary as this very number, if there is one.
  static func wideInteger(of text: String) -> Int128? {
    guard let number = Int128(text), value(of: number) == .number(text) else { return nil }
    return number
  }

  static func value(of number: Int128) -> StoreValue {
    if let number = Int64(exactly: number) { return .integer(number) }
    if let number = UInt64(exactly: number) { return .unsigned(number) }
    return .number(String(number))
  }
}
