extension Dictionary: StoreConvertible where Key: StoreKey, Value: StoreConvertible {
  /// Sorted by the text of the keys, so that equal dictionaries are stored as equal bytes.
  public var storeValue: StoreValue {
    @_specialize(where Key == String, Value == String)
    @_specialize(where Key == String, Value == Int)
    @_specialize(where Key == String, Value == Double)
    @_specialize(where Key == String, Value == Bool)
    get {
      var entries: [StoreDocument.Entry] = []
      entries.reserveCapacity(count)
      for (key, value) in self {
        entries.append(StoreDocument.Entry(key: key.storeKey, value: value.storeValue))
      }
      // Of keys with the same text one is left. No save stores that: see `checkedStoreValue()`.
      return .dictionary(StoreDocument(sorting: entries))
    }
  }

  /// - Throws: What a value throws, or that two keys have the same text.
  @_specialize(where Key == String, Value == String)
  @_specialize(where Key == String, Value == Int)
  @_specialize(where Key == String, Value == Double)
  @_specialize(where Key == String, Value == Bool)
  public func checkedStoreValue() throws -> StoreValue {
    var entries: [StoreDocument.Entry] = []
    entries.reserveCapacity(count)
    for (key, value) in self {
      entries.append(
        StoreDocument.Entry(key: key.storeKey, value: try value.checkedStoreValue()))
    }
    let document = StoreDocument(sorting: entries)
    guard document.count == count else { throw ValueFault.equalKeys }
    return .dictionary(document)
  }

  /// Nil when one key or value is not of its type, or two keys are the same key (`1` and `01`).
  @_specialize(where Key == String, Value == String)
  @_specialize(where Key == String, Value == Int)
  @_specialize(where Key == String, Value == Double)
  @_specialize(where Key == String, Value == Bool)
  public init?(storeValue: StoreValue) {
    guard case .dictionary(let document) = storeValue else { return nil }
    self.init(minimumCapacity: document.count)
    for entry in document.entries {
      guard let key = Key(storeKey: entry.key), let value = Value(storeValue: entry.value),
        updateValue(value, forKey: key) == nil
      else { return nil }
    }
  }

  /// Keys that were there keep their places.
  public static func storeValue(_ new: StoreValue, replacing old: StoreValue) -> StoreValue {
    guard case .dictionary(let news) = new, case .dictionary(let olds) = old else { return new }
    var result = StoreDocument()
    result.reserveCapacity(news.count)
    for (key, oldValue) in olds {
      if let value = news[key] { result[key] = Value.storeValue(value, replacing: oldValue) }
    }
    for (key, value) in news where olds[key] == nil { result[key] = value }
    return .dictionary(result)
  }
}
