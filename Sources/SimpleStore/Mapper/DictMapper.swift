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

  /// Visits a ``StoreParam`` field. You do not have to write this; it calls
  /// ``map(_:key:default:)``.
  mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>)
}

extension DictMapper {
  public mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    // In place, and with a new stamp, since the mapper may have changed the value.
    map(&param.wrappedValue, key: param.key, default: param.defaultValue)
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
