/// Reads the one field that it is shown.
struct ValueMapper: DictMapper {
  /// What is stored for the field; null when it cannot be stored.
  private(set) var value = StoreValue.null

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    // What cannot be stored is refused when it is written, with the reason.
    value = (try? field.checkedStoreValue()) ?? .null
  }
}
