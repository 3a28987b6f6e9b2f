/// A decimal number taken from its text: `digits` × 10^`exponent`, without rounding.
///
/// There is one way to write each number, so two texts stand for the same number exactly when
/// these are equal (apart from ``isWhole``): `1.50`, `15e-1` and `0.15E+1` are all 15 × 10^-1.
package struct DecimalText: Sendable {
  package private(set) var isNegative = false
  /// Whether the text has neither a fraction nor an exponent.
  package private(set) var isWhole = true
  /// The digits as a whole number that does not end in zero; 0 for zero.
  package private(set) var digits: UInt64 = 0
  /// The power of ten; 0 for zero.
  package private(set) var exponent = 0
  /// Whether `digits` had room for all digits. The shortest text of a double always fits.
  package private(set) var fits = true

  /// Zeros that count only if another digit follows.
  private var pendingZeros = 0
  private var fractionDigits = 0

  /// Reads a number as JSON spells it (RFC 8259, section 6); nil when the text is anything else.
  package init?(_ text: some Collection<UInt8>) {
    var rest = text.makeIterator()
    var next = rest.next()
    if next == UInt8(ascii: "-") {
      isNegative = true
      next = rest.next()
    }
    // The whole part: a zero alone, or digits that do not start with zero.
    guard let first = next.flatMap(Self.digit) else { return nil }
    append(first)
    next = rest.next()
    while let byte = next, let digit = Self.digit(byte) {
      guard first != 0 else { return nil }
      append(digit)
      next = rest.next()
    }
    if next == UInt8(ascii: ".") {
      isWhole = false
      next = rest.next()
      guard let first = next.flatMap(Self.digit) else { return nil }
      append(first)
      fractionDigits = 1
      next = rest.next()
      while let byte = next, let digit = Self.digit(byte) {
        append(digit)
        fractionDigits += 1
        next = rest.next()
      }
    }
    var power = 0
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      next = rest.next()
      let isBelowOne = next == UInt8(ascii: "-")
      if isBelowOne || next == UInt8(ascii: "+") { next = rest.next() }
      guard next.flatMap(Self.digit) != nil else { return nil }
      while let byte = next, let digit = Self.digit(byte) {
        // Larger than any exponent that could matter, small enough to add to.
        power = min(power * 10 + Int(digit), 1_000_000_000_000)
        next = rest.next()
      }
      if isBelowOne { power = -power }
    }
    guard next == nil else { return nil }
    if digits != 0 || !fits { exponent = power - fractionDigits + pendingZeros }
  }

  private mutating func append(_ digit: UInt64) {
    guard digit != 0 else {
      if digits != 0 || !fits { pendingZeros += 1 }
      return
    }
    while fits, pendingZeros > 0 {
      pendingZeros -= 1
      shift(adding: 0)
    }
    if fits { shift(adding: digit) }
    pendingZeros = 0
  }

  private mutating func shift(adding digit: UInt64) {
    let (tens, isTooLarge) = digits.multipliedReportingOverflow(by: 10)
    let (sum, isTooLargeNow) = tens.addingReportingOverflow(digit)
    fits = !isTooLarge && !isTooLargeNow
    if fits { digits = sum }
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
  }

  /// Whether both texts stand for exactly the same number. False when one has more digits than
  /// fit.
  package func isSameNumber(as other: DecimalText) -> Bool {
    fits && other.fits && isNegative == other.isNegative && digits == other.digits
      && exponent == other.exponent
  }

  /// The nearest double, where one multiplication or division of exact doubles gives it: both
  /// operands are below 2^53, so the one rounding is the right one (Clinger, "How to Read Floating
  /// Point Numbers Accurately", 1990). Nil elsewhere.
  package var quickDouble: Double? {
    guard fits, digits < 1 << 53, exponent.magnitude <= 22 else { return nil }
    let power = Self.powersOfTen[Int(exponent.magnitude)]
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return isNegative ? -magnitude : magnitude
  }

  /// The powers of ten that a double holds exactly.
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
