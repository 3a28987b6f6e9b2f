import Synchronization

/// One change of a store's item, from taking the lock to giving it back.
///
/// Starting it reads again what is stored, so that the edit starts from what other processes have
/// saved; ``SimpleStore/finish(_:saving:)`` finds what was written to and saves that.
struct StoreEdit<Item: StoreItem> {
  /// What a finished edit is to do about keys that nobody wrote to.
  enum Saving {
    /// Save what was written to; nothing to save if that is as before.
    case changes
    /// Save also when nothing was written to, if what is stored lacks anything.
    case everything
    /// Save what was written to, and remove the keys instead of writing defaults.
    case removingDefaults
  }

  // What depends on the item comes last, as in ``StoreState``.

  /// Whether this edit opened the place, and so has to close it.
  fileprivate let opened: Bool
  /// Whether its changes are to be saved later.
  fileprivate var isForLater = false
  /// Whether the user's code ran since it began, which may take its time.
  var ranUserCode = true
  /// Keys of a plain `Codable` item that were set, also if their value is as before.
  var setKeys: [String] = []
  /// ``StoreState/replacements`` when the edit began.
  let replacements: Int
  /// The item as it was when the edit began.
  let base: Item
  /// The item to change.
  var item: Item
}

extension SimpleStore {
  /// Starts an edit. Every call is followed by one of `finish` or `abandon`.
  func begin() -> StoreEdit<Item> {
    guard savesLater else { return beginSaving() }
    core.begin()
    return state.withLock {
      StoreEdit(
        opened: false, isForLater: true, replacements: $0.replacements, base: $0.item,
        item: $0.item)
    }
  }

  /// Starts an edit that is saved when it ends, together with what waits to be: takes the locks and
  /// reads again.
  func beginSaving() -> StoreEdit<Item> {
    core.begin()
    var opened = false
    // An edit inside another one works under its locks, and a store that could not be read leaves
    // the place alone.
    if !core.isOpen, failure == nil {
      core.open(backend)
      opened = true
    }
    return state.withLock {
      StoreEdit(
        opened: opened, replacements: $0.replacements, base: $0.saved ?? $0.item, item: $0.item)
    }
  }

  /// Why the place could not be read.
  var failure: StoreError? { status.withLock { $0.failure } }

  /// Ends an edit without saving anything.
  func abandon(_ edit: StoreEdit<Item>) {
    if edit.opened { core.close(backend) }
    core.end()
  }

  /// Saves what an edit wrote to, takes it over into memory, and gives back the locks.
  ///
  /// - Throws: Why nothing was saved; memory is then as before the edit.
  func finish(_ edit: StoreEdit<Item>, saving: StoreEdit<Item>.Saving) throws(StoreError) {
    defer { abandon(edit) }
    do {
      try edit.isForLater ? keep(edit) : save(edit, saving: saving)
    } catch {
      report(error)
      throw error
    }
  }

  private func save(_ edit: StoreEdit<Item>, saving: StoreEdit<Item>.Saving) throws(StoreError) {
    var edited = edit.item
    var changes = writes(from: edit.base, to: &edited, setting: edit.setKeys)
    // A store that could not be read has defaults in place of what is stored, so "the same as
    // before" would be a guess.
    if !changes.isEmpty || saving == .everything, let failure { throw failure }
    if changes.isEmpty && saving != .everything {
      // Properties that are not stored live in memory, with the item.
      keep(edited, unlessReplacedSince: edit)
      return
    }
    // A store that could not be read did not open the place, and was reloaded since.
    let opensNow = !core.isOpen
    if opensNow { core.open(backend) }
    defer { if opensNow { core.close(backend) } }
    // The same holds for damaged content, which a save moves aside: what was written to is saved.
    if !core.isDamaged {
      let base = edit.ranUserCode ? reference(of: edit) : edit.base
      changes = differing(changes, from: base, to: edited, saving: saving)
    }
    // A file that was deleted is written again, also by setting what it held; and what was imported
    // is stored by setting it.
    if changes.isEmpty && saving != .everything && !core.hasLostItsDocument && !waitsToStoreImports
    {
      // Changes that waited and have cancelled each other out, or properties that are not stored.
      keep(edited, unlessReplacedSince: edit)
      return
    }
    if let refusal = changes.lazy.compactMap(\.refusal).first { throw refusal }

    // Another program may have changed meanwhile what the lock does not keep it from.
    if edit.ranUserCode { try core.lookAgain(at: backend) }
    let (new, isComplete) = try document(
      with: changes, of: &edited, from: edit.base, saving: saving)
    let wasDamaged = core.isDamaged
    defer {
      if wasDamaged, !core.isDamaged, let place = core.movedAside {
        status.withLock { $0.loadReport.damagedFile = place }
      }
    }
    try core.write(new, to: backend, by: self, onDamage: onDamage)
    let keys = changes.map(\.key)
    commit(edited, keys, from: edit, document: new)
    let revision = isComplete ? core.revision : nil
    let nested = nestedWrongTypes(of: keys, in: new)
    status.withLock {
      $0.noteSave(of: keys, completeRevision: revision)
      $0.loadReport.nestedWrongTypes += nested
    }
  }

  /// Takes a saved edit over into memory, together with the other stores on the place.
  private func commit(
    _ edited: Item, _ keys: [String], from edit: StoreEdit<Item>, document: StoreDocument
  ) {
    if !core.hasSwitches, replaceItem(with: edited, keys, ifReplaced: edit.replacements) { return }
    // An edit inside this one has saved other keys meanwhile; those stay.
    var committed = edited
    if state.withLock({ $0.replacements != edit.replacements }) {
      committed = current
      var mapper = AssignDictMapper(document) { key in
        keys.contains { $0.hasSameBytes(as: key) }
      }
      committed.mapValue(&mapper)
    }
    core.switchTogether { _ = replaceItem(with: committed, keys, ifReplaced: nil) }
  }

  /// Makes an item the current one, and has it told.
  ///
  /// - Parameter count: How often it has to have been replaced until now; nil for any number.
  /// - Returns: Whether it was.
  private func replaceItem(
    with new: Item, _ keys: [String], ifReplaced count: Int?
  ) -> Bool {
    state.withLock { state in
      if let count, count != state.replacements { return false }
      announce(new, keys, .store, to: &state)
      state.replaceItem(with: new)
      state.saved = nil
      return true
    }
  }

  private func keep(_ item: Item, unlessReplacedSince edit: StoreEdit<Item>) {
    state.withLock { $0.saved = nil }
    keepInMemory(item, unlessReplacedSince: edit)
  }

  /// What an edit is compared with: the item when it began, or what edits inside it have made of it.
  func reference(of edit: StoreEdit<Item>) -> Item {
    state.withLock {
      $0.replacements == edit.replacements ? edit.base : $0.saved ?? $0.item
    }
  }

  // MARK: What changed

  /// The fields that were written to between two versions of an item.
  func writes(
    from base: Item, to edited: inout Item, setting setKeys: [String] = []
  ) -> [FieldChange] {
    var base = base
    var marker = MarkMapper()
    base.mapValue(&marker)
    var marks = marker.marks
    if !setKeys.isEmpty {
      marks.removeAll { mark in setKeys.contains { $0.hasSameBytes(as: mark.key) } }
    }
    var finder = ChangeMapper(since: marks)
    edited.mapValue(&finder)
    return finder.changes
  }

  /// Those of them whose value differs, or whose stored value is not one of the field's type.
  func differing(
    _ changes: [FieldChange], from base: Item, to edited: Item, saving: StoreEdit<Item>.Saving
  ) -> [FieldChange] {
    guard !changes.isEmpty else { return [] }
    let overwritten = hasNestedWrongTypes ? keysOverwritten(from: base, to: edited) : []
    var base = base
    var reader = EvalDictMapper { key in changes.contains { $0.key.hasSameBytes(as: key) } }
    base.mapValue(&reader)
    let wrongTypes = status.withLock { $0.loadReport.wrongTypes }
    return changes.filter { change in
      change.refusal != nil || change.value != reader.document[change.key] ?? .null
        || wrongTypes.contains { $0.key.hasSameBytes(as: change.key) }
        || removesDefaults(saving) && core.documentToSave.position(of: change.key) != nil
        || overwritten.contains { $0.hasSameBytes(as: change.key) }
    }
  }

  /// Whether anything inside fields is of the wrong type, as hardly ever.
  private var hasNestedWrongTypes: Bool {
    status.withLock { !$0.loadReport.nestedWrongTypes.isEmpty }
  }

  // Apart, so that a save which does not need them does not look up the types for it.

  /// The keys of fields inside which an edit sets something over a value of the wrong type.
  @inline(never)
  private func keysOverwritten(from base: Item, to edited: Item) -> [String] {
    Overwriting(from: base, to: edited).keysOverwritten(in: core.documentToSave)
  }

  /// A document without the values that are overwritten so, in the fields that are wanted.
  @inline(never)
  private func withoutOverwritten(
    _ document: StoreDocument, from base: Item, to edited: Item, where wanted: (String) -> Bool
  ) -> StoreDocument {
    Overwriting(from: base, to: edited).applied(to: document, where: wanted)
  }

  private func removesDefaults(_ saving: StoreEdit<Item>.Saving) -> Bool {
    defaults == .omitted && saving == .removingDefaults
  }

  /// Whether setting a field to a value would leave memory and the store as they are. It takes no
  /// lock that others could see, so that setting a value again makes no system call that writes.
  ///
  /// - Parameter setKeys: Gets the keys that were set to what they have, if that has to be saved.
  func isStored<Value: Sendable>(
    _ value: Value, at field: WritableKeyPath<Item, Value>, setKeys: inout [String]
  ) -> Bool {
    core.begin()
    defer { core.end() }
    if failure != nil { return false }
    let base = current
    // Most values that are set are new ones, and then two values are quicker compared than items.
    // (An item that is set as a whole is not: its fields have stamps, which are quicker still.)
    if !(Value.self is any StoreItem.Type),
      let old = base[keyPath: field] as? any StoreConvertible,
      let new = value as? any StoreConvertible, old.storeValue != new.storeValue
    {
      return false
    }
    var edited = base
    edited[keyPath: field] = value
    setKeys =
      Value.self == Item.self ? allKeysSet : keysSet(in: base) { $0[keyPath: field] = value }
    guard setKeys.isEmpty else { return false }
    let changes = writes(from: base, to: &edited)
    guard differing(changes, from: base, to: edited, saving: .changes).isEmpty else {
      return false
    }
    if changes.isEmpty {
      // A property that is not stored lives in memory, with the item.
      let edited = edited
      state.withLock { $0.replaceItem(with: edited) }
      // What the old item holds may read the store when it ends, so that is not under the lock.
      withExtendedLifetime(base) {}
      return true
    }
    return isStoredAsKnown()
  }

  /// Whether what is stored is what was last seen, so that a value which is set again is stored: not
  /// in a file that was damaged, deleted or changed by others, nor one that was only imported.
  func isStoredAsKnown() -> Bool {
    if waitsToStoreImports { return false }
    if core.isOpen { return !core.isDamaged && !core.hasLostItsDocument }
    do {
      return try backend.load() == (core.hasDocument ? core.document : nil)
    } catch {
      // What is wrong is found again, and reported, by the edit that follows.
      return false
    }
  }

  private var waitsToStoreImports: Bool { hasImported && core.hasImports }

  // MARK: The document to save

  /// What is known, with the changes and, if they are to be written, the defaults.
  ///
  /// - Returns: The document, and whether it lacks no field.
  private func document(
    with changes: [FieldChange], of item: inout Item, from base: Item,
    saving: StoreEdit<Item>.Saving
  ) throws(StoreError) -> (StoreDocument, isComplete: Bool) {
    var known = try upgrade.migrated(core.documentToSave, in: core)
    let held = upgrade.rename(in: &known, of: &item) { key in
      changes.contains { $0.key.hasSameBytes(as: key) }
    }
    var document = known
    if hasNestedWrongTypes {
      document = withoutOverwritten(known, from: base, to: item) { key in
        changes.contains { $0.key.hasSameBytes(as: key) }
      }
    }
    let wasComplete = status.withLock { $0.completeRevision } == core.revision
    for change in changes {
      apply(change, to: &document, saving: saving, isComplete: wasComplete)
    }
    if defaults == .written, !wasComplete {
      // A save writes every field, so that the file shows what can be set; new keys go to the end
      // in order of declaration.
      var reader = EvalDictMapper { key in
        known.position(of: key) == nil && !held.contains { $0.hasSameBytes(as: key) }
      }
      item.mapValue(&reader)
      for (key, value) in reader.document { document[key] = value }
    }
    return (document, isComplete: defaults == .written && held.isEmpty)
  }

  private func apply(
    _ change: FieldChange, to document: inout StoreDocument, saving: StoreEdit<Item>.Saving,
    isComplete: Bool
  ) {
    let isDefault = change.value == change.defaultValue
    if let old = document[change.key] {
      if isDefault, change.value == .null || removesDefaults(saving) {
        // Nil that is the default needs no spelling.
        document[change.key] = nil
      } else {
        document[change.key] = change.type.storeValue(change.value, replacing: old)
      }
    } else if !isDefault, isComplete || defaults == .omitted {
      // (A document that is complete lacks only those that are nil by default.)
      document[change.key] = change.value
    }
  }

  // MARK: Errors

  /// Keeps a save error, and tells `onSaveError` once the locks are free.
  func report(_ error: StoreError) {
    let handler = status.withLock { status in
      status.saveError = error
      return status.onSaveError
    }
    if let handler { core.tell { handler(error) } }
  }
}
