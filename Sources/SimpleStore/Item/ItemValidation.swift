import Synchronization

/// Looks at the declaration of an item, once per type, and says all that is wrong with it.
enum ItemValidation {
  enum Finding: Equatable {
    case isClass
    case noFields
    case emptyKey(property: String)
    case duplicateKey(String, properties: [String])
    /// The place of the field in the item cannot be told.
    case unplaced(property: String)
  }

  private static let checked = Mutex<Set<ObjectIdentifier>>([])

  /// Ends the program with one sentence for each finding, in release builds too: a store with two
  /// fields under one key would lose one of them at every save.
  static func check<Item: StoreItem>(_ type: Item.Type) {
    let id = ObjectIdentifier(type)
    guard !checked.withLock({ $0.contains(id) }) else { return }
    let findings = findings(of: type)
    guard findings.isEmpty else { fatalError(message(findings, of: type)) }
    checked.withLock { _ = $0.insert(id) }
  }

  static func findings<Item: StoreItem>(of type: Item.Type) -> [Finding] {
    if type is AnyClass { return [.isClass] }
    let layout = ItemLayout.of(type)
    var findings = layout.unplaced.map { Finding.unplaced(property: $0) }

    // What `mapValue` shows is what counts, whoever wrote it.
    var item = Item()
    var lister = KeyListMapper()
    item.mapValue(&lister)
    if lister.keys.isEmpty && findings.isEmpty { return [.noFields] }

    var seen: [String] = []
    for key in lister.keys where !seen.contains(where: key.hasSameBytes(as:)) {
      seen.append(key)
      let properties = layout.fields.filter { $0.key.hasSameBytes(as: key) }.map(\.property)
      if key.isEmpty {
        for property in properties.isEmpty ? ["?"] : properties {
          findings.append(.emptyKey(property: property))
        }
      } else if lister.keys.count(where: key.hasSameBytes(as:)) > 1 {
        findings.append(.duplicateKey(key, properties: properties))
      }
    }
    return findings
  }
}
