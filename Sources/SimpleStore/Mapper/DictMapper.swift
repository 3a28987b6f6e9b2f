/// A visitor of an item's stored fields: reads them, fills them, compares them, lists them.
///
/// ```swift
/// struct KeyLister: DictMapper {
///   var keys: [String] = []
///   mutating func map<Value: StoreConvertible>(
///     _ field: inout Value, key: String, default defaultValue: Value
///   ) {
///     keys.append(key)
///   }
/// }
///
/// var user = User()
/// var lister = KeyLister()
/// user.mapValue(&lister)
/// lister.keys  // ["name", "age", …]
/// ```
public protocol DictMapper {
  /// Visits a field.
  ///
  /// - Parameters:
  ///   - field: The field's value; change it or leave it.
  ///   - key: The key under which it is stored.
  ///   - defaultValue: What the field is when nothing is stored.
  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value)

  /// Visits a field in its stored form. You do not have to write this; it shows the value to
  /// ``map(_:key:default:)``.
  mutating func visit<Field: StoreField>(_ field: inout Field)
}

extension DictMapper {
  public mutating func visit<Field: StoreField>(_ field: inout Field) { field.show(to: &self) }

  /// Visits a ``StoreParam`` field.
  public mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    if param.conversion == nil { visit(&param) } else { map(converted: &param) }
  }

  /// Visits a ``StoreParam`` field whose value is stored as another type.
  @_disfavoredOverload
  public mutating func map<Value: Sendable>(_ param: inout StoreParam<Value>) {
    map(converted: &param)
  }

  mutating func map<Value: Sendable>(converted param: inout StoreParam<Value>) {
    // A value that cannot be stored itself has a conversion: no other initialiser takes it.
    if let conversion = param.conversion { visit(&param, as: conversion) }
  }

  private mutating func visit<Conversion: StoreConversion>(
    _ param: inout StoreParam<Conversion.Value>, as conversion: Conversion
  ) {
    var field = ConvertedField(param: param, conversion: conversion)
    visit(&field)
    param = field.param
  }
}

infix operator <- : AssignmentPrecedence

/// Shows a field to a mapper: `mapper <- _name` in ``StoreItem/mapValue(_:)``.
///
/// - Parameters:
///   - mapper: The mapper that `mapValue` was given.
///   - param: The field, with the underscore of its wrapper.
public func <- <Mapper: DictMapper, Value: StoreConvertible>(
  mapper: inout Mapper, param: inout StoreParam<Value>
) {
  mapper.map(&param)
}

/// Shows a field whose value is stored as another type to a mapper.
@_disfavoredOverload
public func <- <Mapper: DictMapper, Value: Sendable>(
  mapper: inout Mapper, param: inout StoreParam<Value>
) {
  mapper.map(converted: &param)
}
