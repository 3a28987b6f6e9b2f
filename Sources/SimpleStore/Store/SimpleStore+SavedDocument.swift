extension SimpleStore {
  /// What is known, with the changes and, if they are to be written, the defaults.
  ///
  /// - Returns: The document, and whether it lacks no field.
  func document(
    with changes: [FieldChange], of item: inout Item, from base: Item,
    saving: StoreEdit.Saving
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

  // Apart, so that a save which does not need it does not look up the types for it.

  /// A document without the values that are overwritten inside the fields that are wanted.
  @inline(never)
  private func withoutOverwritten(
    _ document: StoreDocument, from base: Item, to item: Item, where wanted: (String) -> Bool
  ) -> StoreDocument {
    Overwriting(from: base, to: item).applied(to: document, where: wanted)
  }

  private func apply(
    _ change: FieldChange, to document: inout StoreDocument, saving: StoreEdit.Saving,
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
}
