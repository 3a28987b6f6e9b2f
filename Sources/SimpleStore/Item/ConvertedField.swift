/// A ``StoreParam`` whose value is stored as another type.
struct ConvertedField<Conversion: StoreConversion>: StoreField {
  var param: StoreParam<Conversion.Value>
  let conversion: Conversion

  var key: String { param.key }
  var formerKeys: [String] { param.formerKeys }
  var revision: UInt64? { param.stamp }
  var storedType: any StoreConvertible.Type { Conversion.Stored.self }

  var defaultStoreValue: StoreValue {
    // Not lost: a default that cannot be stored is left out of every save, so it stays in force.
    (try? conversion.stored(param.defaultValue).checkedStoreValue()) ?? .null
  }

  func checkedStoreValue() throws -> StoreValue {
    try param.checkLimits()
    return try conversion.stored(param.value).checkedStoreValue()
  }

  mutating func read(_ stored: StoreValue) throws(LoadReport.WrongType) {
    let content = try Conversion.Stored.read(stored, for: key)
    guard let value = conversion.value(of: content) else {
      throw LoadReport.WrongType(
        key: key, found: stored.kind, expected: "\(Conversion.Value.self)")
    }
    try param.take(value, storedAs: stored)
  }

  mutating func reset() { param.wrappedValue = param.defaultValue }

  /// Shows what is stored; takes it back when the mapper has changed it.
  mutating func show<Mapper: DictMapper>(to mapper: inout Mapper) {
    // A value that cannot be converted has nothing to show; the next save says why.
    guard var content = try? conversion.stored(param.value),
      let defaultContent = try? conversion.stored(param.defaultValue)
    else { return }
    let before = content.storeValue
    mapper.map(&content, key: key, default: defaultContent)
    guard content.storeValue != before, let value = conversion.value(of: content) else { return }
    param.wrappedValue = value
  }
}
