/// The text of numbers, one spelling for all text formats.
package enum NumberText {
  /// The shortest text that reads back as this very double, always with a point or an exponent, so
  /// that it is never taken for an integer: `3.0`, `0.1`, `1e+300`, `-0.0`.
  ///
  /// - Parameter number: Finite. A format decides for itself how it spells NaN and infinities.
  package static func shortest(_ number: Double) -> String { number.description }

  /// The value that a number in JSON's grammar stands for; nil when the text is not one.
  ///
  /// Without fraction and exponent it is an integer where 64 bits hold it. Otherwise it is a double
  /// where the double says the same number: its shortest text and this one are numerically equal.
  /// Everything else (thirty digits, `1e400`) is kept as it is written. `-0` is the double, since
  /// no integer has that sign.
  package static func value(of text: some Collection<UInt8>) -> StoreValue? {
    guard let decimal = DecimalText(text) else { return nil }
    if decimal.isWhole, let value = integer(decimal) { return value }
    if decimal.fits, decimal.digits == 0 { return .double(decimal.isNegative ? -0.0 : 0.0) }
    // No two decimals of at most 15 digits are nearest to the same double of the normal range, so
    // the shortest text of this double cannot be another number.
    if decimal.digits < 1_000_000_000_000_000, let number = decimal.quickDouble {
      return .double(number)
    }
    let spelled = String(decoding: text, as: UTF8.self)
    // The shortest text of a double has at most 17 digits.
    guard decimal.fits, let number = decimal.quickDouble ?? Double(spelled), number.isFinite,
      let shortest = DecimalText(shortest(number).utf8), shortest.isSameNumber(as: decimal)
    else { return .number(spelled) }
    return .double(number)
  }

  private static func integer(_ decimal: DecimalText) -> StoreValue? {
    guard decimal.fits, decimal.exponent < 20 else { return nil }
    var magnitude = decimal.digits
    for _ in 0..<decimal.exponent {
      let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      guard !isTooLarge else { return nil }
      magnitude = product
    }
    guard decimal.isNegative else { return StoreValue(unsigned: magnitude) }
    guard magnitude != 0, magnitude <= 1 << 63 else { return nil }
    return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
  }
}
