/// One change of a store's item, from taking the locks to giving them back.
///
/// Starting it reads again what is stored, so that the edit starts from what other processes have
/// saved; ``SimpleStore/finish(_:_:_:saving:)`` finds what was written to and saves that. The item as
/// it was and the item to change are beside it, with whoever makes the change: inside, the run time
/// would look up the layout of an edit of this item at each use.
struct StoreEdit {
  /// What a finished edit is to do about keys that nobody wrote to.
  enum Saving {
    /// Save what was written to; nothing to save if that is as before.
    case changes
    /// Save also when nothing was written to, if what is stored lacks anything.
    case everything
    /// Save what was written to, and remove the keys instead of writing defaults.
    case removingDefaults
  }

  /// Whether this edit opened the place, and so has to close it.
  fileprivate let opened: Bool
  /// Whether its changes are to be saved later.
  let isForLater: Bool
  /// ``StoreState/replacements`` when the edit began.
  let replacements: Int
  /// Whether the user's code ran since it began, which may take its time.
  var ranUserCode = true
  /// Keys of a plain `Codable` item that were set, also if their value is as before.
  var setKeys: [String] = []
  /// The fields that were written to, and those of them that differ, if that is known already.
  var known: (writes: [FieldChange], differing: [FieldChange])?
}

extension SimpleStore {
  /// Starts an edit. Every call is followed by one of `finish` or `abandon`.
  func begin() -> StoreEdit {
    guard savesLater else { return beginSaving() }
    core.begin()
    return StoreEdit(
      opened: false, isForLater: true, replacements: state.withLock { $0.replacements })
  }

  /// Starts an edit that is saved when it ends, together with what waits to be: takes the locks and
  /// reads again.
  func beginSaving() -> StoreEdit {
    core.begin()
    var opened = false
    // An edit inside another one works under its locks, and a store that could not be read leaves
    // the place alone.
    if !core.isOpen, failure == nil {
      core.open(backend)
      opened = true
    }
    return StoreEdit(
      opened: opened, isForLater: false, replacements: state.withLock { $0.replacements })
  }

  /// The item that an edit starts from: what it finds changed is what differs from this.
  func base(of edit: StoreEdit) -> Item {
    state.withLock { edit.isForLater ? $0.item : $0.saved }
  }

  /// Why the place could not be read.
  var failure: StoreError? { status.withLock { $0.failure } }

  /// Ends an edit without saving anything.
  func abandon(_ edit: StoreEdit) {
    if edit.opened { core.close(backend) }
    core.end()
  }

  /// Saves what an edit wrote to, takes it over into memory, and gives back the locks.
  ///
  /// - Parameters:
  ///   - base: The item as it was: ``base(of:)``.
  ///   - item: The item as it was changed.
  /// - Throws: Why nothing was saved; memory is then as before the edit.
  func finish(
    _ edit: StoreEdit, _ base: inout Item, _ item: inout Item, saving: StoreEdit.Saving
  ) throws(StoreError) {
    defer { abandon(edit) }
    do {
      if edit.isForLater {
        try keep(edit, &base, &item)
      } else {
        try save(edit, &base, &item, saving: saving)
      }
    } catch {
      report(error)
      throw error
    }
  }

  private func save(
    _ edit: StoreEdit, _ base: inout Item, _ item: inout Item, saving: StoreEdit.Saving
  ) throws(StoreError) {
    var changes = edit.known?.writes ?? writes(from: &base, to: &item, setting: edit.setKeys)
    // A store that could not be read has defaults in place of what is stored, so "the same as
    // before" would be a guess.
    if !changes.isEmpty || saving == .everything, let failure { throw failure }
    if changes.isEmpty && saving != .everything {
      // Properties that are not stored live in memory, with the item.
      keep(item, unlessReplacedSince: edit)
      return
    }
    // A store that could not be read did not open the place, and was reloaded since.
    let opensNow = !core.isOpen
    if opensNow { core.open(backend) }
    defer { if opensNow { core.close(backend) } }
    // The same holds for damaged content, which a save moves aside: what was written to is saved.
    if !core.isDamaged {
      changes =
        edit.known?.differing
        ?? differing(changes, since: edit, from: &base, to: item, saving: saving)
    }
    // A file that was deleted is written again, also by setting what it held; and what was imported
    // is stored by setting it.
    if changes.isEmpty && saving != .everything && !core.hasLostItsDocument && !waitsToStoreImports
    {
      // Changes that waited and have cancelled each other out, or properties that are not stored.
      keep(item, unlessReplacedSince: edit)
      return
    }
    if let refusal = changes.lazy.compactMap(\.refusal).first { throw refusal }

    // Another program may have changed meanwhile what the lock does not keep it from.
    if edit.ranUserCode { try core.lookAgain(at: backend) }
    let (new, isComplete) = try document(with: changes, of: &item, from: base, saving: saving)
    let wasDamaged = core.isDamaged
    defer {
      if wasDamaged, !core.isDamaged, let place = core.movedAside {
        status.withLock { $0.loadReport.damagedFile = place }
      }
    }
    try core.write(new, to: backend, by: self, onDamage: onDamage)
    let keys = changes.map(\.key)
    commit(item, keys, from: edit, document: new)
    let revision = isComplete ? core.revision : nil
    let nested = nestedWrongTypes(of: keys, in: new)
    status.withLock {
      $0.noteSave(of: keys, completeRevision: revision)
      if !nested.isEmpty { $0.loadReport.nestedWrongTypes += nested }
    }
  }

  /// Takes a saved edit over into memory, together with the other stores on the place.
  private func commit(
    _ item: Item, _ keys: [String], from edit: StoreEdit, document: StoreDocument
  ) {
    if !core.hasSwitches, replaceItem(with: item, keys, ifReplaced: edit.replacements) { return }
    // An edit inside this one has saved other keys meanwhile; those stay.
    var committed = item
    if wasReplaced(since: edit) {
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
      announce(new, keys, .store, in: state)
      state.replaceItem(with: new)
      state.forgetSaved()
      return true
    }
  }

  private func keep(_ item: Item, unlessReplacedSince edit: StoreEdit) {
    state.withLock { $0.forgetSaved() }
    keepInMemory(item, unlessReplacedSince: edit)
  }

  /// Whether an edit inside this one has made something else of the item.
  func wasReplaced(since edit: StoreEdit) -> Bool {
    state.withLock { $0.replacements != edit.replacements }
  }

  /// Keeps a save error, and tells `onSaveError` once the locks are free.
  private func report(_ error: StoreError) {
    let handler = status.withLock { status in
      status.saveError = error
      return status.onSaveError
    }
    if let handler { core.tell { handler(error) } }
  }
}
