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

  /// The item as it was when the edit began.
  let base: Item
  /// The item to change.
  var item: Item
  /// Why a save will be refused.
  fileprivate(set) var refusal: StoreError?
  /// What is stored is damaged, and has to be moved aside before a save.
  fileprivate(set) var isDamaged = false
  fileprivate let holdsBackendLock: Bool
}

extension SimpleStore {
  /// Takes the locks and reads again. Every call is followed by one of `finish` or `abandon`.
  func begin() -> StoreEdit<Item> {
    core.begin()
    if case .failed(let error) = loadState {
      return edit(refusal: error)
    }
    // An edit inside another one works under its locks and from what is known.
    guard core.depth == 1 else { return edit() }
    do {
      try backend.lock()
    } catch {
      return edit(refusal: error)
    }
    switch core.refresh(from: backend) {
    case .absent, .document:
      do {
        _ = try upgrade.migrated(core.document)
        return edit(holdsBackendLock: true)
      } catch {
        return edit(refusal: error, holdsBackendLock: true)
      }
    case .unusable(let error) where error.code == .damaged && onDamage == .moveAside:
      return edit(isDamaged: true, holdsBackendLock: true)
    case .unusable(let error): return edit(refusal: error, holdsBackendLock: true)
    }
  }

  private func edit(
    refusal: StoreError? = nil, isDamaged: Bool = false, holdsBackendLock: Bool = false
  ) -> StoreEdit<Item> {
    let item = state.withLock { $0.item }
    return StoreEdit(
      base: item, item: item, refusal: refusal, isDamaged: isDamaged,
      holdsBackendLock: holdsBackendLock)
  }

  /// Ends an edit without saving anything.
  func abandon(_ edit: StoreEdit<Item>) {
    if edit.holdsBackendLock { backend.unlock() }
    core.end()
  }

  /// Saves what an edit wrote to, takes it over into memory, and gives back the locks.
  ///
  /// - Throws: Why nothing was saved; memory is then as before the edit.
  func finish(_ edit: StoreEdit<Item>, saving: StoreEdit<Item>.Saving) throws(StoreError) {
    defer { abandon(edit) }
    do {
      try save(edit, saving: saving)
    } catch {
      report(error)
      throw error
    }
  }

  private func save(_ edit: StoreEdit<Item>, saving: StoreEdit<Item>.Saving) throws(StoreError) {
    var edited = edit.item
    var changes = writes(from: edit.base, to: &edited)
    // A store that could not be read has defaults in place of what is stored, so "the same as
    // before" would be a guess.
    if case .failed(let error) = loadState, !changes.isEmpty { throw error }
    changes = differing(changes, from: edit.base, saving: saving)
    if changes.isEmpty && saving != .everything { return }
    if let refusal = changes.lazy.compactMap(\.refusal).first { throw refusal }
    if let refusal = edit.refusal { throw refusal }

    let new = try document(with: changes, of: &edited, saving: saving)
    if new != core.document || !core.isPresent || edit.isDamaged {
      if edit.isDamaged {
        let place = try backend.setAside()
        state.withLock { $0.loadReport.damagedFile = place }
      }
      try core.write(new, to: backend, by: self)
    }
    commit(edited, changes, from: edit, document: new)
  }

  /// Takes a saved edit over into memory.
  private func commit(
    _ edited: Item, _ changes: [FieldChange], from edit: StoreEdit<Item>, document: StoreDocument
  ) {
    let keys = changes.map(\.key)
    // An edit inside this one may have saved other keys meanwhile; those stay.
    var committed = state.withLock { $0.item }
    if writes(from: edit.base, to: &committed).isEmpty {
      committed = edited
    } else {
      var mapper = AssignDictMapper(document) { key in
        keys.contains { $0.hasSameBytes(as: key) }
      }
      committed.mapValue(&mapper)
    }
    state.withLock { state in
      state.item = committed
      state.saveError = nil
      state.loadReport.forgetProblems(of: keys)
    }
  }

  // MARK: What changed

  /// The fields that were written to between two versions of an item.
  private func writes(from base: Item, to edited: inout Item) -> [FieldChange] {
    var base = base
    var marker = MarkMapper()
    base.mapValue(&marker)
    var finder = ChangeMapper(since: marker.marks)
    edited.mapValue(&finder)
    return finder.changes
  }

  /// Those of them whose value differs, or whose stored value is not one of the field's type.
  private func differing(
    _ changes: [FieldChange], from base: Item, saving: StoreEdit<Item>.Saving
  ) -> [FieldChange] {
    guard !changes.isEmpty else { return [] }
    var base = base
    var reader = EvalDictMapper { key in changes.contains { $0.key.hasSameBytes(as: key) } }
    base.mapValue(&reader)
    let wrongTypes = state.withLock { $0.loadReport.wrongTypes }
    return changes.filter { change in
      change.refusal != nil || change.value != reader.document[change.key] ?? .null
        || wrongTypes.contains { $0.key.hasSameBytes(as: change.key) }
        || removesDefaults(saving) && core.document.position(of: change.key) != nil
    }
  }

  private func removesDefaults(_ saving: StoreEdit<Item>.Saving) -> Bool {
    defaults == .omitted && saving == .removingDefaults
  }

  /// Whether setting a field to a value would leave memory and the store as they are. It takes no
  /// lock that others could see, so that setting a value again makes no system call that writes.
  func isStored<Value: Sendable>(_ value: Value, at field: WritableKeyPath<Item, Value>) -> Bool {
    core.begin()
    defer { core.end() }
    if case .failed = loadState { return false }
    let base = item
    var edited = base
    edited[keyPath: field] = value
    guard differing(writes(from: base, to: &edited), from: base, saving: .changes).isEmpty else {
      return false
    }
    do {
      guard core.depth == 1, let stored = try backend.load() else { return true }
      return stored == core.document
    } catch {
      // What is wrong is found again, and reported, by the edit that follows.
      return false
    }
  }

  // MARK: The document to save

  private func document(
    with changes: [FieldChange], of item: inout Item, saving: StoreEdit<Item>.Saving
  ) throws(StoreError) -> StoreDocument {
    var known = try upgrade.migrated(core.document)
    let held = upgrade.rename(in: &known, of: &item) { key in
      changes.contains { $0.key.hasSameBytes(as: key) }
    }
    var document = known
    for change in changes { apply(change, to: &document, saving: saving) }
    if defaults == .written {
      // A save writes every field, so that the file shows what can be set; new keys go to the end
      // in order of declaration.
      var reader = EvalDictMapper { key in
        known.position(of: key) == nil && !held.contains { $0.hasSameBytes(as: key) }
      }
      item.mapValue(&reader)
      for (key, value) in reader.document { document[key] = value }
    }
    return document
  }

  private func apply(
    _ change: FieldChange, to document: inout StoreDocument, saving: StoreEdit<Item>.Saving
  ) {
    let isDefault = change.value == change.defaultValue
    if let old = document[change.key] {
      if isDefault, change.value == .null || removesDefaults(saving) {
        // Nil that is the default needs no spelling.
        document[change.key] = nil
      } else {
        document[change.key] = change.type.storeValue(change.value, replacing: old)
      }
    } else if defaults == .omitted, !isDefault {
      document[change.key] = change.value
    }
  }

  // MARK: Errors

  /// Keeps a save error, and tells `onSaveError` once the locks are free.
  private func report(_ error: StoreError) {
    let handler = state.withLock { state in
      state.saveError = error
      return state.onSaveError
    }
    if let handler { core.notices.add { handler(error) } }
  }
}
