/// Lists the keys of an item, in order.
struct KeyListMapper: DictMapper {
  private(set) var keys: [String] = []

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    keys.append(key)
  }

  mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    keys.append(param.key)
  }
}
