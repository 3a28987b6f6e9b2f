/// Looks at the declaration of an item, once per type, and says all that is wrong with it.
enum ItemValidation {
  indirect enum Finding: Equatable {
    case isClass
    case noFields
    case emptyKey(property: String)
    case duplicateKey(String, properties: [String])
    /// The key is the one under which the store keeps which migrations have run.
    case reservedKey(String)
    /// A former key that is empty, or a key or former key of another field too.
    case formerKeyInUse(String)
    /// The default breaks the limits of its own field.
    case invalidDefault(key: String, fault: String)
    case equalMigrations(name: String)
    /// The place of the field in the item cannot be told.
    case unplaced(property: String)
    /// A finding in the item that a field holds.
    case nested(key: String, Finding)
  }

  private static let checked = Guarded<Set<ObjectIdentifier>>([])

  /// Ends the program with one sentence for each finding, in release builds too: a store with two
  /// fields under one key would lose one of them at every save.
  static func check<Item: StoreItem>(_ type: Item.Type) {
    let id = ObjectIdentifier(type)
    guard !checked.withLock({ $0.contains(id) }) else { return }
    var visited: Set<ObjectIdentifier> = []
    let findings = findings(of: type, visited: &visited)
    guard findings.isEmpty else { fatalError(message(findings, of: type)) }
    checked.withLock { _ = $0.insert(id) }
  }

  /// - Parameter visited: The item types that were looked at; an item may hold a list of its own
  ///   type.
  private static func findings<Item: StoreItem>(
    of type: Item.Type, visited: inout Set<ObjectIdentifier>
  ) -> [Finding] {
    guard visited.insert(ObjectIdentifier(type)).inserted else { return [] }
    if type is AnyClass { return [.isClass] }
    let layout = ItemLayout.of(type)
    var findings = layout.unplaced.map { Finding.unplaced(property: $0) }

    // What `mapValue` shows is what counts, whoever wrote it.
    var item = Item()
    var lister = DeclarationMapper()
    item.mapValue(&lister)
    if lister.fields.isEmpty && findings.isEmpty { return [.noFields] }

    findings += keyFindings(lister.fields.map(\.key), layout)
    findings += formerKeyFindings(lister.fields)
    let names = type.migrations.map(\.name)
    for name in Set(names).sorted() where names.count(where: { $0 == name }) > 1 {
      findings.append(.equalMigrations(name: name))
    }
    for field in lister.fields {
      if ([field.key] + field.formerKeys).contains(DocumentUpgrade.reservedKey) {
        findings.append(.reservedKey(DocumentUpgrade.reservedKey))
      }
      if let fault = field.defaultFault {
        findings.append(.invalidDefault(key: field.key, fault: fault.sentence))
      }
      guard let nested = itemType(in: field.type) else { continue }
      findings += Self.findings(of: nested, visited: &visited).map {
        .nested(key: field.key, $0)
      }
    }
    return findings
  }

  private static func formerKeyFindings(
    _ fields: [DeclarationMapper.Declaration]
  ) -> [Finding] {
    let former = fields.flatMap(\.formerKeys)
    let all = fields.map(\.key) + former
    return former.filter { key in key.isEmpty || all.count(where: key.hasSameBytes(as:)) > 1 }
      .map { .formerKeyInUse($0) }
  }

  private static func keyFindings(_ keys: [String], _ layout: ItemLayout) -> [Finding] {
    var findings: [Finding] = []
    var seen: [String] = []
    for key in keys where !seen.contains(where: key.hasSameBytes(as:)) {
      seen.append(key)
      let properties = layout.fields.filter { $0.key.hasSameBytes(as: key) }.map(\.property)
      if key.isEmpty {
        findings += (properties.isEmpty ? ["?"] : properties).map { .emptyKey(property: $0) }
      } else if keys.count(where: key.hasSameBytes(as:)) > 1 {
        findings.append(.duplicateKey(key, properties: properties))
      }
    }
    return findings
  }

  /// The item type that a field holds, alone or in optionals, lists and dictionaries.
  private static func itemType(in type: any StoreConvertible.Type) -> (any StoreItem.Type)? {
    if let item = type as? any StoreItem.Type { return item }
    if let holder = type as? any HoldsValues.Type { return itemType(in: holder.heldType) }
    return nil
  }
}
