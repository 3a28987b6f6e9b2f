/// What brings the document of an earlier version of the program to what the item of this one
/// reads: its migrations, then the keys that were renamed.
struct DocumentUpgrade: Sendable {
  /// The key under which the names of the migrations that have run are stored.
  static let reservedKey = "$migrations"

  private let migrations: [StoreMigration]
  private let hasFormerKeys: Bool

  init<Item: StoreItem>(of type: Item.Type) {
    migrations = type.migrations
    var item = Item()
    var lister = DeclarationMapper()
    item.mapValue(&lister)
    hasFormerKeys = lister.fields.contains { !$0.formerKeys.isEmpty }
  }

  // MARK: Migrations

  /// The document after the migrations that it has not had yet, noted in it as done.
  ///
  /// - Parameter core: Where the document is stored, whose lock is held.
  /// - Throws: ``StoreError/Code/migrationFailed``.
  func migrated(
    _ document: StoreDocument, in core: StoreCore
  ) throws(StoreError) -> StoreDocument {
    guard !migrations.isEmpty else { return document }
    let done = try names(in: document)
    let pending = migrations.filter { !done.contains($0.name) }
    guard !pending.isEmpty else { return document }
    var result = document
    // Out of the way of the steps.
    result[Self.reservedKey] = nil
    if !result.isEmpty {
      for migration in pending { try core.run(migration, on: &result) }
    }
    result[Self.reservedKey] = (done + pending.map(\.name)).storeValue
    return result
  }

  /// Whether there are migrations that the document has not had.
  func isPending(on document: StoreDocument) -> Bool {
    guard !migrations.isEmpty else { return false }
    // Names that cannot be read are found and reported where the migrations run.
    let done = (try? names(in: document)) ?? []
    return migrations.contains { !done.contains($0.name) }
  }

  /// Adds the names of the migrations that one document has had to those of another.
  func noteMigrations(
    of source: StoreDocument, in document: inout StoreDocument
  ) throws(StoreError) {
    guard !migrations.isEmpty else { return }
    let new = try names(in: source)
    guard !new.isEmpty else { return }
    let known = try names(in: document)
    document[Self.reservedKey] = (known + new.filter { !known.contains($0) }).storeValue
  }

  private func names(in document: StoreDocument) throws(StoreError) -> [String] {
    guard let stored = document[Self.reservedKey] else { return [] }
    guard let names = [String](storeValue: stored) else {
      // Running steps again could lose what they have moved already.
      throw StoreError(.migrationFailed, .migrationNames)
    }
    return names
  }

  // MARK: Renamed keys

  /// Moves values from former keys to the keys of today, in their places.
  ///
  /// - Parameters:
  ///   - changed: Whether a save sets the field with this key.
  /// - Returns: The keys of the fields whose value, under a former key, is not one of theirs; it
  ///   stays until the field is set.
  func rename<Item: StoreItem>(
    in document: inout StoreDocument, of item: inout Item, changed: @escaping (String) -> Bool
  ) -> [String] {
    guard hasFormerKeys else { return [] }
    var mapper = RenameMapper(document: document, changed: changed)
    item.mapValue(&mapper)
    document = mapper.document
    return mapper.held
  }
}

private struct RenameMapper: DictMapper {
  var document: StoreDocument
  let changed: (String) -> Bool
  var held: [String] = []

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    // A plain property has no former keys.
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    guard !field.formerKeys.isEmpty, let storedKey = field.storedKey(in: document) else { return }
    let isRenamed = !storedKey.hasSameBytes(as: field.key)
    if !changed(field.key) {
      guard isRenamed, let stored = document[storedKey] else { return }
      guard field.canRead(stored) else { return held.append(field.key) }
    }
    if isRenamed { document.rename(storedKey, to: field.key) }
    for key in field.formerKeys { document[key] = nil }
  }
}
