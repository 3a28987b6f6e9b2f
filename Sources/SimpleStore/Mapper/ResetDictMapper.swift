/// Gives fields their defaults back.
struct ResetDictMapper: DictMapper {
  /// The one key to reset; nil for all.
  let key: String?

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    if self.key.map(key.hasSameBytes(as:)) ?? true { field = defaultValue }
  }

  mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    if key.map(param.key.hasSameBytes(as:)) ?? true { param.reset() }
  }
}
