extension Set: StoreConvertible where Element: StoreConvertible {
  /// An array, sorted by the stored form of the elements, so that equal sets are stored as equal
  /// bytes.
  public var storeValue: StoreValue { .array(map(\.storeValue).sorted { $0.precedes($1) }) }

  public func checkedStoreValue() throws -> StoreValue {
    .array(try map { try $0.checkedStoreValue() }.sorted { $0.precedes($1) })
  }

  /// Nil when one element is not of this type. An element that is there twice counts once.
  public init?(storeValue: StoreValue) {
    guard let elements = [Element](storeValue: storeValue) else { return nil }
    self.init(elements)
  }

  /// Each element that is an item keeps what it does not know.
  public static func storeValue(_ new: StoreValue, replacing old: StoreValue) -> StoreValue {
    guard case .array(let values) = new, case .array(let olds) = old,
      olds.contains(where: { if case .dictionary = $0 { true } else { false } })
    else { return new }
    return .array([Element].keepingUnknown(in: values, from: olds))
  }
}
