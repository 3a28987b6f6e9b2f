#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a few fields have beyond a key and a default. In an object, so that the others pay one
/// pointer for it.
final class FieldOptions<Value: Sendable>: Sendable {
  /// The keys under which the field was stored before, oldest first.
  let formerKeys: [String]
  /// How the value becomes one that can be stored, when it is not itself.
  let conversion: (any StoreConversion<Value>)?
  /// What is wrong with a value; nil when nothing is.
  let fault: (@Sendable (Value) -> ValueFault?)?

  /// Nil when there is nothing to keep.
  init?(
    formerly: FormerKeys, conversion: (any StoreConversion<Value>)? = nil,
    fault: (@Sendable (Value) -> ValueFault?)? = nil
  ) {
    if formerly.keys.isEmpty, conversion == nil, fault == nil { return nil }
    formerKeys = formerly.keys
    self.conversion = conversion
    self.fault = fault
  }

  /// What the `validate:` of a declaration says about a value.
  static func fault(
    validate: (@Sendable (Value) -> Bool)?
  ) -> (@Sendable (Value) -> ValueFault?)? {
    guard let validate else { return nil }
    return { value in validate(value) ? nil : .refused }
  }

  /// What the `in:` and the `validate:` of a declaration say about a value.
  static func fault<Bound: Comparable & Sendable, Limits: RangeExpression<Bound> & Sendable>(
    in limits: Limits, of bound: @escaping @Sendable (Value) -> Bound?,
    validate: (@Sendable (Value) -> Bool)?
  ) -> @Sendable (Value) -> ValueFault? {
    { value in
      if let bound = bound(value), isNotANumber(bound) || !limits.contains(bound) {
        return .outside(
          value: ValueText.describe(bound), limits: ValueText.describe(limits: limits))
      }
      return validate?(value) ?? true ? nil : .refused
    }
  }

  /// Whether a value has no place in an order. NaN is in no limits, whatever the comparisons of its
  /// type say: those of `Date` have it in all closed ranges, those of `Decimal` below everything.
  private static func isNotANumber<Bound: Comparable>(_ bound: Bound) -> Bool {
    bound != bound || (bound as? Decimal)?.isNaN == true
  }
}

/// The keys under which a field was stored by earlier versions: `formerly: "old"`, or
/// `formerly: ["oldest", "old"]`.
public struct FormerKeys: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  let keys: [String]

  /// One former key.
  public init(stringLiteral key: String) { keys = [key] }
  /// Several, oldest first.
  public init(arrayLiteral keys: String...) { self.keys = keys }
}
