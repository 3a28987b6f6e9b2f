/// Lists the keys and types of an item's fields, in order.
struct DeclarationMapper: DictMapper {
  private(set) var fields: [(key: String, type: any StoreConvertible.Type)] = []

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    fields.append((key, Value.self))
  }

  mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    fields.append((param.key, Value.self))
  }
}
