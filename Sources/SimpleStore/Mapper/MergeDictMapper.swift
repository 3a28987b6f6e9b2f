/// Writes a nested item over the dictionary that is stored for it.
///
/// What the item does not know stays. A value that the item could not read stays too, as long as
/// the field has its default, which is what it was given in place of that value.
struct MergeDictMapper: DictMapper {
  let new: StoreDocument
  private(set) var result: StoreDocument

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    let value = new[field.key]
    guard let storedKey = field.storedKey(in: result), let old = result[storedKey] else {
      result[field.key] = value
      return
    }
    if value ?? .null == field.defaultStoreValue, !field.canRead(old) { return }
    result.rename(storedKey, to: field.key)
    result[field.key] = value.map { field.storedType.storeValue($0, replacing: old) }
    for key in field.formerKeys { result[key] = nil }
  }
}
