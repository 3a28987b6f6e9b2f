extension Duration: StoreConvertible {
  /// Seconds, to the last attosecond: an integer, a double whose shortest text is this very
  /// number, or a number of more digits.
  public var storeValue: StoreValue {
    let attoseconds = Int128(_high) << 64 | Int128(_low)
    let (seconds, fraction) = attoseconds.magnitude.quotientAndRemainder(
      dividingBy: Self.attosecondsPerSecond)
    var text = (attoseconds < 0 ? "-" : "") + String(seconds)
    if fraction != 0 {
      let digits = String(fraction)
      text += "." + String(repeating: "0", count: 18 - digits.count) + digits
    }
    return NumberText.value(of: text.utf8) ?? .number(text)
  }

  /// A number of seconds with at most 18 decimal places. A double stands for its shortest text.
  public init?(storeValue: StoreValue) {
    guard let attoseconds = ExactDecimal(storeValue)?.integer(shiftedBy: 18) else { return nil }
    self.init(
      _high: Int64(truncatingIfNeeded: attoseconds >> 64),
      low: UInt64(truncatingIfNeeded: attoseconds))
  }

  private static let attosecondsPerSecond: UInt128 = 1_000_000_000_000_000_000
}
