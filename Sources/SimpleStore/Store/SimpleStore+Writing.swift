extension SimpleStore {
  // MARK: Setting

  /// Sets a field, and throws when it could not be saved.
  ///
  /// ```swift
  /// try store.set(\.name, to: "sky")
  /// ```
  ///
  /// - Throws: Why it could not be saved; the field then has its old value.
  public func set<Value: Sendable>(
    _ field: WritableKeyPath<Item, Value>, to value: Value
  ) throws(StoreError) {
    core.begin()
    defer { core.end() }
    let replacements = state.withLock { $0.replacements }
    var base = current
    var item = base
    item[keyPath: field] = value
    var setKeys: [String] = []
    var known: (writes: [FieldChange], differing: [FieldChange])?
    if failure == nil {
      setKeys =
        Value.self == Item.self ? allKeysSet : keysSet(in: base) { $0[keyPath: field] = value }
      if setKeys.isEmpty {
        let writes = writes(from: &base, to: &item)
        let differing = differing(writes, from: &base, to: item, saving: .changes)
        if differing.isEmpty, isStored(item, writes) { return }
        known = (writes, differing)
      }
    }
    // Not later: that they were set would be forgotten.
    var edit = setKeys.isEmpty ? begin() : beginSaving()
    edit.setKeys = setKeys
    edit.ranUserCode = false
    if edit.replacements == replacements, edit.isForLater || !hasPendingChanges {
      edit.known = known
    } else {
      // Others have changed the item since.
      base = self.base(of: edit)
      item = current
      item[keyPath: field] = value
    }
    try finish(edit, &base, &item, saving: .changes)
  }

  /// Whether an item whose fields have the values they had is as memory and the store have it. It
  /// takes no lock that others could see, so that setting a value again makes no system call that
  /// writes.
  private func isStored(_ item: Item, _ writes: [FieldChange]) -> Bool {
    guard writes.isEmpty else { return isStoredAsKnown() }
    // A property that is not stored lives in memory, with the item.
    state.withLock { $0.replaceItem(with: item) }
    return true
  }

  /// Applies several changes as one save.
  ///
  /// Nobody else writes to the store while `body` runs, in this process or another (but see
  /// ``SavingPolicy/coalesced(_:clock:)``), so what it reads is what it changes. Calls to this store from inside `body` work: they see the state
  /// before the batch, and what they save stays where the batch does not set the same field.
  /// Changes of other stores work too, and their observers are called when the batch has ended.
  ///
  /// Change several stores one inside the other in one order only. Two threads that do it crosswise
  /// (one changes B inside a batch of A, the other A inside a batch of B) would wait for each other:
  /// the second one ends the program with a sentence. Two processes that do so do wait for ever.
  ///
  /// ```swift
  /// store.batchUpdate { user in
  ///   user.name = "yks"
  ///   user.age += 1
  /// }
  /// ```
  ///
  /// - Parameter body: Changes a copy of the item.
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; then nothing is changed. A save that fails goes where
  ///   those of assignments go: ``saveError`` and ``onSaveError``.
  public func batchUpdate<Result, Failure: Error>(
    _ body: (inout Item) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let edit = begin()
    var base = base(of: edit)
    var item = current
    let result: Result
    do {
      result = try body(&item)
    } catch {
      abandon(edit)
      throw error
    }
    finishReporting(edit, &base, &item)
    return result
  }

  /// Applies several changes as one save, and throws when it fails.
  ///
  /// ```swift
  /// try store.update { $0.age += 1 }
  /// ```
  ///
  /// - Parameter body: Changes a copy of the item, as in ``batchUpdate(_:)``.
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws, or a ``StoreError``; nothing is changed then.
  public func update<Result>(_ body: (inout Item) throws -> Result) throws -> Result {
    let edit = begin()
    var base = base(of: edit)
    var item = current
    let result: Result
    do {
      result = try body(&item)
    } catch {
      abandon(edit)
      throw error
    }
    try finish(edit, &base, &item, saving: .changes)
    return result
  }

  /// Applies several changes that cannot fail themselves as one save, and throws when that fails.
  ///
  /// - Parameter body: Changes a copy of the item, as in ``batchUpdate(_:)``.
  /// - Returns: What `body` returns.
  /// - Throws: Why it could not be saved; nothing is changed then.
  public func update<Result>(
    _ body: (inout Item) -> Result
  ) throws(StoreError) -> Result {
    let edit = begin()
    var base = base(of: edit)
    var item = current
    let result = body(&item)
    try finish(edit, &base, &item, saving: .changes)
    return result
  }

  /// Makes sure that every field is stored: writes the store if it is not there or lacks a field.
  ///
  /// You do not need it to save changes. It is for a file that people are to find and edit, and
  /// for trying again after an error.
  ///
  /// - Throws: Why it could not be saved.
  public func save() throws(StoreError) {
    try saveUnchanged(.everything)
  }

  // MARK: Going back to the defaults

  /// Gives every field its default, as one save.
  ///
  /// With ``DefaultsPolicy/omitted`` the keys are removed. A save that fails goes where those of
  /// assignments go.
  public func reset() {
    reset(all: true) { item in
      var mapper = ResetDictMapper()
      item.mapValue(&mapper)
    }
  }

  /// Gives one field its default, or a field of an item inside it: `store.reset(\.window.$width)`.
  ///
  /// ```swift
  /// store.reset(\.$name)
  /// ```
  ///
  /// - Parameter field: The field's declaration, with a dollar sign.
  public func reset<Value: Sendable>(_ field: WritableKeyPath<Item, StoreParam<Value>>) {
    reset { item in
      let declaration = item[keyPath: field]
      item[keyPath: field].wrappedValue = declaration.defaultValue
    }
  }

  /// Gives one field its default, or a field of an item inside it: `store.reset(\.window.width)`.
  ///
  /// ```swift
  /// store.reset(\.name)
  /// ```
  ///
  /// - Parameter field: The field.
  @_disfavoredOverload
  public func reset<Value: Sendable>(_ field: WritableKeyPath<Item, Value>) {
    reset { item in
      var defaults = item
      var mapper = ResetDictMapper()
      defaults.mapValue(&mapper)
      item[keyPath: field] = defaults[keyPath: field]
    }
  }

  private func reset(all: Bool = false, _ change: (inout Item) -> Void) {
    // What waits is saved first: of a reset, keys are removed, of other changes they are not. If
    // that fails, so does this, with the same error.
    if hasPendingChanges {
      // The error is not lost: `finish` has kept and reported it.
      do { try saveUnchanged(.changes) } catch {}
    }
    var edit = beginSaving()
    var base = base(of: edit)
    var item = current
    change(&item)
    edit.setKeys = all ? allKeysSet : keysSet(in: base, by: change)
    finishReporting(edit, &base, &item, saving: .removingDefaults)
  }

  // MARK: Behind the subscripts

  /// Sets a field; an error goes to ``saveError``.
  func assign<Value: Sendable>(_ value: Value, to field: WritableKeyPath<Item, Value>) {
    // The error is not lost: `finish` has kept and reported it.
    do { try set(field, to: value) } catch {}
  }

  /// Ends an edit; an error goes to ``saveError``.
  func finishReporting(
    _ edit: StoreEdit, _ base: inout Item, _ item: inout Item, saving: StoreEdit.Saving = .changes
  ) {
    // The error is not lost: `finish` has kept and reported it.
    do { try finish(edit, &base, &item, saving: saving) } catch {}
  }

  /// Saves without a change of one's own: what waits, or what is missing.
  func saveUnchanged(_ saving: StoreEdit.Saving) throws(StoreError) {
    let edit = beginSaving()
    var base = base(of: edit)
    var item = current
    try finish(edit, &base, &item, saving: saving)
  }
}
