extension Dictionary: StoreConvertible where Key: StoreKey, Value: StoreConvertible {
  /// Sorted by the text of the keys, so that equal dictionaries are stored as equal bytes.
  public var storeValue: StoreValue {
    var document = StoreDocument()
    document.reserveCapacity(count)
    for (key, value) in sortedByText { document[key] = value.storeValue }
    return .dictionary(document)
  }

  /// - Throws: What a value throws, or that two keys have the same text.
  public func checkedStoreValue() throws -> StoreValue {
    var document = StoreDocument()
    document.reserveCapacity(count)
    for (key, value) in sortedByText { document[key] = try value.checkedStoreValue() }
    guard document.count == count else { throw ValueFault.equalKeys }
    return .dictionary(document)
  }

  private var sortedByText: [(key: String, value: Value)] {
    map { (key: $0.key.storeKey, value: $0.value) }.sorted { $0.key < $1.key }
  }

  /// Nil when one key or value is not of its type, or two keys are the same key (`1` and `01`).
  public init?(storeValue: StoreValue) {
    guard case .dictionary(let document) = storeValue else { return nil }
    self.init(minimumCapacity: document.count)
    for (key, value) in document {
      guard let key = Key(storeKey: key), let value = Value(storeValue: value),
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
