import SimpleStore

/// A field that is any value as it is.
struct Raw: StoreConvertible {
  let storeValue: StoreValue

  init(_ value: StoreValue) { storeValue = value }
  init?(storeValue: StoreValue) { self.init(storeValue) }

  /// A value with arrays in arrays, or dictionaries in dictionaries, to some depth.
  static func nested(_ depth: Int, dictionaries: Bool = false) -> StoreValue {
    (0..<depth).reduce(.integer(1)) { value, _ in
      dictionaries ? .dictionary(["a": value]) : .array([value])
    }
  }
}

/// An item with such a field.
struct RawItem: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "value", default: Raw(.null)) var value
}
