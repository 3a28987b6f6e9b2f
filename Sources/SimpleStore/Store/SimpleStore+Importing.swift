extension SimpleStore {
  /// Takes what another backend holds, in memory, when there is nothing in the store's own.
  ///
  /// Nothing is written: the first save stores it with the change that it saves. From then on
  /// the source is never looked at again, also when what was stored is deleted. Until then only
  /// stores that import see it: others on the place would see what is not stored there.
  ///
  /// - Parameter again: Whether what this store has imported earlier is out of date.
  func importIfAbsent(_ finding: StoreCore.Finding, again: Bool = false) -> StoreCore.Finding {
    guard let importSource, case .absent = finding, !core.hasBeenPresent else { return finding }
    do {
      guard let found = try importSource.load() else { return finding }
      var item = Item()
      let source = try upgrade.migrated(found, in: core)
      var mapper = ImportMapper(source: source)
      item.mapValue(&mapper)
      // The names of the migrations that what is known, and what is imported, have had.
      var names = core.documentToSave
      try upgrade.noteMigrations(of: source, in: &names)
      core.addImports(
        mapper.result, migrations: names[DocumentUpgrade.reservedKey],
        outdated: again ? mapper.keys : [])
      return finding
    } catch {
      status.withLock { $0.isImportMissing = true }
      // Defaults in place of what could not be read would be saved, and the source never looked
      // at again. (Damage is nothing to move aside either: the source is not ours.)
      return .unusable(
        StoreError(
          error.code == .damaged ? .unreadable : error.code, error.detail, key: error.key,
          path: error.path, underlying: error.underlying))
    }
  }

  var hasImported: Bool { importSource != nil }
}

/// Picks the fields of an item out of a foreign document, in the form in which they are stored.
private struct ImportMapper: DictMapper {
  let source: StoreDocument
  var result = StoreDocument()
  /// Every key of the item, also former ones.
  var keys: [String] = []

  init(source: StoreDocument) { self.source = source }

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    keys += [field.key] + field.formerKeys
    guard let key = field.storedKey(in: source), let stored = source[key] else { return }
    do {
      try field.read(stored)
      result[field.key] = field.storedType.storeValue(
        try field.checkedStoreValue(), replacing: stored)
    } catch {
      // As in a file: it stays until the field is set.
      result[key] = stored
    }
  }
}
