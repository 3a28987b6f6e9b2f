/// Gives fields their defaults back.
struct ResetDictMapper: DictMapper {
  /// The one key to reset; nil for all.
  let key: String?

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    if key.map(field.key.hasSameBytes(as:)) ?? true { field.reset() }
  }
}
