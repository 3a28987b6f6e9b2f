// Fields with more than a key and a default.
//
// In all of them:
// * `formerly` names the keys that earlier versions used. While the field's key is absent, its
//   value is read from the latest of them; a save that writes the field removes them.
// * A value that `in` or `validate` refuses is never stored: calls that throw throw
//   `StoreError.Code.invalidValue`, assignments report it, and the field keeps its old value. One
//   that is found in a file is treated like one of another type: the field has its default, and
//   what is stored stays until the field is set.

extension StoreParam where Value: StoreConvertible {
  /// A field that was stored under other keys before, or does not take every value.
  ///
  /// ```swift
  /// @StoreParam(key: "userName", default: "", formerly: "user_name") var userName
  /// @StoreParam(key: "port", default: 80, validate: { $0 > 0 }) var port
  /// ```
  ///
  /// - Parameters:
  ///   - key: Any text but the empty one, used by one field of the item only.
  ///   - defaultValue: The value when nothing is stored. One that is refused itself is a fault of
  ///     the declaration.
  ///   - formerly: The keys that earlier versions used, oldest first.
  ///   - validate: Whether a value may be stored.
  public init(
    key: String, default defaultValue: Value, formerly: FormerKeys = [],
    validate: (@Sendable (Value) -> Bool)? = nil
  ) {
    self.init(
      declaring: key, defaultValue,
      FieldOptions(formerly: formerly, fault: FieldOptions.fault(validate: validate)))
  }

  /// An optional field that was stored under other keys before, or does not take every value.
  public init<Wrapped: StoreConvertible>(
    key: String, formerly: FormerKeys = [], validate: (@Sendable (Value) -> Bool)? = nil
  ) where Value == Wrapped? {
    self.init(key: key, default: nil, formerly: formerly, validate: validate)
  }

  /// A field whose values have limits.
  ///
  /// ```swift
  /// @StoreParam(key: "age", default: 0, in: 0...120) var age
  /// ```
  ///
  /// - Parameters:
  ///   - key: Any text but the empty one, used by one field of the item only.
  ///   - defaultValue: The value when nothing is stored, within the limits.
  ///   - limits: The values that may be stored: `0...120`, `1...`, `..<10`.
  ///   - formerly: The keys that earlier versions used, oldest first.
  ///   - validate: Whether a value within the limits may be stored.
  public init(
    key: String, default defaultValue: Value, in limits: some RangeExpression<Value> & Sendable,
    formerly: FormerKeys = [], validate: (@Sendable (Value) -> Bool)? = nil
  ) where Value: Comparable {
    self.init(
      declaring: key, defaultValue,
      FieldOptions(
        formerly: formerly,
        fault: FieldOptions.fault(in: limits, of: { $0 }, validate: validate)))
  }

  /// An optional field whose values have limits; nil is always within them.
  public init<Wrapped: StoreConvertible & Comparable>(
    key: String, default defaultValue: Value = nil,
    in limits: some RangeExpression<Wrapped> & Sendable,
    formerly: FormerKeys = [], validate: (@Sendable (Value) -> Bool)? = nil
  ) where Value == Wrapped? {
    self.init(
      declaring: key, defaultValue,
      FieldOptions(
        formerly: formerly,
        fault: FieldOptions.fault(in: limits, of: { $0 }, validate: validate)))
  }
}

extension StoreParam {
  /// A field of any type, stored as another one.
  ///
  /// ```swift
  /// @StoreParam(key: "seen", default: .distantPast, as: .secondsSince1970) var seen: Date
  /// ```
  ///
  /// - Parameters:
  ///   - key: Any text but the empty one, used by one field of the item only.
  ///   - defaultValue: The value when nothing is stored.
  ///   - conversion: How the value is stored; see ``StoreConversion`` for those that are there.
  ///   - formerly: The keys that earlier versions used, oldest first.
  ///   - validate: Whether a value may be stored.
  public init(
    key: String, default defaultValue: Value, as conversion: some StoreConversion<Value>,
    formerly: FormerKeys = [], validate: (@Sendable (Value) -> Bool)? = nil
  ) {
    self.init(
      declaring: key, defaultValue,
      FieldOptions(
        formerly: formerly, conversion: conversion,
        fault: FieldOptions.fault(validate: validate)))
  }

  /// An optional field of any type, stored as another one; nil when nothing is stored.
  public init<Wrapped: Sendable>(
    key: String, as conversion: some StoreConversion<Wrapped>, formerly: FormerKeys = [],
    validate: (@Sendable (Value) -> Bool)? = nil
  ) where Value == Wrapped? {
    self.init(
      declaring: key, nil,
      FieldOptions(
        formerly: formerly, conversion: OptionalConversion(conversion),
        fault: FieldOptions.fault(validate: validate)))
  }

  /// A field of any type with limits, stored as another one.
  public init(
    key: String, default defaultValue: Value, as conversion: some StoreConversion<Value>,
    in limits: some RangeExpression<Value> & Sendable, formerly: FormerKeys = [],
    validate: (@Sendable (Value) -> Bool)? = nil
  ) where Value: Comparable {
    self.init(
      declaring: key, defaultValue,
      FieldOptions(
        formerly: formerly, conversion: conversion,
        fault: FieldOptions.fault(in: limits, of: { $0 }, validate: validate)))
  }
}
