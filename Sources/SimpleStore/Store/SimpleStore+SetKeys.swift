extension SimpleStore {
  /// The keys of a plain `Codable` item that a change sets, of those whose stored value is of another
  /// type. (`StoreParam` fields say themselves that they were set.)
  func keysSet(in item: Item, by change: (inout Item) -> Void) -> [String] {
    let keys = allKeysSet
    guard !keys.isEmpty, let type = Item.self as? any CodableStoreItem.Type else { return [] }
    return keys.filter { sets($0, of: type, in: item, change) }
  }

  /// Those that setting the whole item sets.
  var allKeysSet: [String] {
    let keys = status.withLock { $0.loadReport.wrongTypes.map(\.key) }
    return keys.isEmpty || !(Item.self is any CodableStoreItem.Type) ? [] : keys
  }

  private func sets<Plain: CodableStoreItem>(
    _ key: String, of type: Plain.Type, in item: Item, _ change: (inout Item) -> Void
  ) -> Bool {
    guard let item = item as? Plain else { return false }
    return CodableProbe.sets(key, in: item) { plain in
      guard var item = plain as? Item else { return }
      change(&item)
      if let changed = item as? Plain { plain = changed }
    }
  }
}
