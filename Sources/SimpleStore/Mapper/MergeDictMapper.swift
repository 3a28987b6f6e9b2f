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
    merge(Value.self, key: key, default: defaultValue.storeValue)
  }

  mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    merge(Value.self, key: param.key, default: param.defaultValue.storeValue)
  }

  private mutating func merge<Value: StoreConvertible>(
    _ type: Value.Type, key: String, default defaultValue: StoreValue
  ) {
    let value = new[key] ?? .null
    guard let old = result[key] else {
      result[key] = new[key]
      return
    }
    if value == defaultValue, Value(storeValue: old) == nil { return }
    result[key] = new[key].map { Value.storeValue($0, replacing: old) }
  }
}
