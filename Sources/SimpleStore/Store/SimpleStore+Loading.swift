import Synchronization

extension SimpleStore {
  /// What was found when the store was opened, or last reloaded.
  public var loadState: LoadState { status.withLock { $0.loadState } }

  /// What was noticed in the document: unknown and missing keys, values of other types, where a
  /// damaged file went.
  public var loadReport: LoadReport { status.withLock { $0.loadReport } }

  /// Why the last save failed; nil once a save has succeeded.
  public var saveError: StoreError? { status.withLock { $0.saveError } }

  /// Called when a save fails, also by an assignment, which cannot throw. It is called outside all
  /// locks and may use the store.
  public var onSaveError: (@Sendable (StoreError) -> Void)? {
    get { status.withLock { $0.onSaveError } }
    set {
      // The old one is let go outside the lock: what it holds may read the store when it ends.
      let old = status.withLock { status in
        defer { status.onSaveError = newValue }
        return status.onSaveError
      }
      withExtendedLifetime(old) {}
    }
  }

  /// The item, without a look at who tracks the read.
  var current: Item { state.withLock { $0.item } }

  /// Reads again what is stored.
  ///
  /// Saves do this by themselves; call it to see at once what others have changed, or after
  /// repairing a file that could not be read. Fields whose key is not stored have their defaults
  /// then.
  ///
  /// - Throws: Why it could not be read, or how it is damaged. Fields that were read before keep
  ///   their values.
  public func reload() throws(StoreError) {
    core.begin()
    defer { core.end() }
    status.withLock { $0.isImportMissing = false }
    var finding = core.refresh(from: backend)
    if case .absent = finding { core.forget() }
    finding = importIfAbsent(finding, again: true)
    settle(&finding)
    if case .unusable(let error) = finding { throw error }
  }

  /// Notes what another look has found, and takes what was not taken when it was first seen.
  func settle(_ finding: inout StoreCore.Finding) {
    let document = migrated(&finding)
    // What could be read before a failure is known already, and what was imported is told to nobody.
    if failure != nil || hasImported, let document { fill(from: document) }
    note(finding, document)
  }

  /// The first reading, when the store is made.
  func load() {
    var finding = importIfAbsent(core.refresh(from: backend))
    let document = migrated(&finding)
    if let document { fill(from: document) }
    note(finding, document)
  }

  /// What is known, after the item's migrations; nil when one fails, which is the finding then.
  func migrated(_ finding: inout StoreCore.Finding) -> StoreDocument? {
    do {
      return try upgrade.migrated(hasImported ? core.documentToSave : core.document, in: core)
    } catch {
      if case .document = finding { finding = .unusable(error) }
      return nil
    }
  }

  /// Gives every field what a document holds.
  private func fill(from document: StoreDocument) {
    takeOver(from: .outside) { item in
      var mapper = AssignDictMapper(document, reportsNested: true)
      item.mapValue(&mapper)
      return mapper
    }.show {}
  }

  /// Makes the item with what is stored, to be shown and told to who listens. What waits to be saved
  /// stays as it was set.
  private func takeOver(
    from origin: StoreChange<Item>.Origin, _ fill: (inout Item) -> AssignDictMapper
  ) -> StoreSwitch {
    // The lock of the core is held, so nobody else changes the item; readers are not kept waiting.
    let (shown, saved, waits) = state.withLock { ($0.item, $0.saved, $0.hasWaiting) }
    var item = saved
    let mapper = fill(&item)
    let new = waits ? item.withChanges(of: shown, since: saved) : item
    let stored = item
    status.withLock { status in
      status.loadReport.forgetProblems(of: mapper.keys)
      status.loadReport.wrongTypes += mapper.wrongTypes
      status.loadReport.nestedWrongTypes += mapper.nestedWrongTypes
      status.loadReport.missingKeys += mapper.missingKeys
    }
    return StoreSwitch { [self] meanwhile in
      state.withLock { state in
        meanwhile()
        announce(stored, mapper.keys, origin, in: state)
        if waits { state.keepSaved(stored) }
        state.replaceItem(with: new)
      }
      // What the old item holds may read a store when it ends, so that is not under the lock.
      withExtendedLifetime((shown, saved)) {}
    }
  }

  func note(_ finding: StoreCore.Finding, _ document: StoreDocument?) {
    let report = LoadReport(on: document ?? StoreDocument(), of: Item.self, finding)
    let loadState: LoadState =
      switch finding {
      case .absent: .absent
      case .document: .loaded
      case .unusable(let error) where error.code == .damaged && onDamage == .moveAside:
        .damaged(error)
      case .unusable(let error): .failed(error)
      }
    status.withLock { status in
      status.loadState = loadState
      let damagedFile = status.loadReport.damagedFile
      status.loadReport = report
      status.loadReport.damagedFile = damagedFile
    }
  }
}

extension SimpleStore {
  /// What is still of the wrong type inside fields that a save has written: what it did not set
  /// stays. Nothing unless something was before.
  func nestedWrongTypes(of keys: [String], in document: StoreDocument) -> [LoadReport.WrongType] {
    guard status.withLock({ !$0.loadReport.nestedWrongTypes.isEmpty }) else { return [] }
    var item = Item()
    var mapper = AssignDictMapper(document, reportsNested: true) { key in
      keys.contains { $0.hasSameBytes(as: key) }
    }
    item.mapValue(&mapper)
    return mapper.nestedWrongTypes
  }
}

extension SimpleStore: StoreMember {
  func prepare(_ keys: [String], from document: StoreDocument, isOutside: Bool) -> StoreSwitch? {
    // A document that cannot be migrated is reported by the next save or `reload()`; until then
    // the fields keep their values.
    guard let migrated = try? upgrade.migrated(document, in: core) else { return nil }
    if isOutside {
      // Somebody may have misspelt a key, or put it right.
      let unknown = LoadReport.unknownKeys(in: migrated, of: Item.self)
      status.withLock { $0.loadReport.unknownKeys = unknown }
    }
    // A migration may have made any key from those that have changed.
    let takesAll = upgrade.isPending(on: document)
    return takeOver(from: isOutside ? .outside : .process) { item in
      var mapper = AssignDictMapper(migrated, reportsNested: true) { key in
        takesAll || keys.contains { $0.hasSameBytes(as: key) }
      }
      item.mapValue(&mapper)
      return mapper
    }
  }
}

extension LoadReport {
  /// What a document holds for an item type.
  fileprivate init<Item: StoreItem>(
    on document: StoreDocument, of type: Item.Type, _ finding: StoreCore.Finding
  ) {
    var item = Item()
    var mapper = AssignDictMapper(document, reportsNested: true)
    item.mapValue(&mapper)
    knownKeys = mapper.keys
    guard case .document = finding else { return }
    wasEmpty = document.isEmpty
    missingKeys = mapper.missingKeys
    wrongTypes = mapper.wrongTypes
    nestedWrongTypes = mapper.nestedWrongTypes
    unknownKeys = Self.unknownKeys(in: document, of: type)
  }

  /// The keys of a document that no field of an item type has, or had.
  fileprivate static func unknownKeys<Item: StoreItem>(
    in document: StoreDocument, of type: Item.Type
  ) -> [String] {
    var item = Item()
    var lister = DeclarationMapper()
    item.mapValue(&lister)
    let known = StoreDocument(
      keys: lister.fields.flatMap { [$0.key] + $0.formerKeys } + [DocumentUpgrade.reservedKey])
    return document.keys.filter { known.position(of: $0) == nil }
  }

  /// Takes back what was said about keys that have been written since.
  mutating func forgetProblems(of keys: [String]) {
    if missingKeys.isEmpty && wrongTypes.isEmpty && nestedWrongTypes.isEmpty { return }
    let isNamed = { (key: String) in keys.contains { $0.hasSameBytes(as: key) } }
    missingKeys.removeAll(where: isNamed)
    wrongTypes.removeAll { isNamed($0.key) }
    nestedWrongTypes.removeAll { isNamed($0.key) }
  }
}

extension StoreDocument {
  /// A document that is used as a set of keys, which compares them by their bytes.
  fileprivate init(keys: [String]) {
    self.init()
    for key in keys { self[key] = .null }
  }
}
