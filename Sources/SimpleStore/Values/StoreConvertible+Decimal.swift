#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Decimal: StoreConvertible {
  /// The number, digit by digit: an integer, a double whose shortest text is this very number, or
  /// a number of more digits. NaN is the double.
  public var storeValue: StoreValue {
    if isNaN { return .double(.nan) }
    return NumberText.value(of: description.utf8) ?? .number(description)
  }

  /// Any number that a `Decimal` holds exactly, and the text "NaN". A double stands for its
  /// shortest text: 0.1 is a tenth.
  public init?(storeValue: StoreValue) {
    switch storeValue {
    case .double(let number) where number.isNaN: self = .nan
    case .string("NaN"): self = .nan
    default:
      guard let exact = ExactDecimal(storeValue) else { return nil }
      // The text that is parsed has no more digits than the number.
      let text = String(decoding: exact.digits, as: UTF8.self)
      guard exact.digits.count <= 39, (-128...165).contains(exact.exponent),
        let value = Decimal(
          string: exact.digits.isEmpty
            ? "0" : "\(exact.isNegative ? "-" : "")\(text)e\(exact.exponent)"),
        // `Decimal` rounds what it has no room for.
        ExactDecimal(value.description) == exact
      else { return nil }
      self = value
    }
  }
}
