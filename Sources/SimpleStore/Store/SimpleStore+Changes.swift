extension SimpleStore {
  /// The fields that were written to between two versions of an item.
  func writes(
    from base: inout Item, to item: inout Item, setting setKeys: [String] = []
  ) -> [FieldChange] {
    if let layout { return layout.writes(from: &base, to: &item) }
    var marker = MarkMapper()
    base.mapValue(&marker)
    var marks = marker.marks
    if !setKeys.isEmpty {
      marks.removeAll { mark in setKeys.contains { $0.hasSameBytes(as: mark.key) } }
    }
    var finder = ChangeMapper(since: marks)
    item.mapValue(&finder)
    return finder.changes
  }

  /// Those of an edit's writes whose value differs from that which the item had before, or whose
  /// stored value is not one of the field's type.
  func differing(
    _ writes: [FieldChange], since edit: StoreEdit, from base: inout Item, to item: Item,
    saving: StoreEdit.Saving
  ) -> [FieldChange] {
    guard edit.ranUserCode, wasReplaced(since: edit) else {
      return differing(writes, from: &base, to: item, saving: saving)
    }
    // What edits inside this one have made of it.
    var reference = self.base(of: edit)
    return differing(writes, from: &reference, to: item, saving: saving)
  }

  /// Those of the writes whose value differs, or whose stored value is not one of the field's type.
  func differing(
    _ writes: [FieldChange], from base: inout Item, to item: Item, saving: StoreEdit.Saving
  ) -> [FieldChange] {
    guard !writes.isEmpty else { return [] }
    let overwritten = hasNestedWrongTypes ? keysOverwritten(from: base, to: item) : []
    let wrongTypes = status.withLock { $0.loadReport.wrongTypes }
    let olds = values(of: writes, in: &base)
    func differs(_ change: FieldChange, _ old: StoreValue) -> Bool {
      change.refusal != nil || change.value != old
        || wrongTypes.contains { $0.key.hasSameBytes(as: change.key) }
        || removesDefaults(saving) && core.documentToSave.position(of: change.key) != nil
        || overwritten.contains { $0.hasSameBytes(as: change.key) }
    }
    // Mostly all of them do.
    if zip(writes, olds).allSatisfy(differs) { return writes }
    return zip(writes, olds).filter(differs).map(\.0)
  }

  /// What an item has in the fields that were written to; null for what cannot be stored.
  private func values(of writes: [FieldChange], in item: inout Item) -> [StoreValue] {
    if let layout { return layout.values(of: writes, in: &item) }
    var reader = EvalDictMapper { key in writes.contains { $0.key.hasSameBytes(as: key) } }
    item.mapValue(&reader)
    return writes.map { reader.document[$0.key] ?? .null }
  }

  /// Whether anything inside fields is of the wrong type, as hardly ever.
  var hasNestedWrongTypes: Bool {
    status.withLock { !$0.loadReport.nestedWrongTypes.isEmpty }
  }

  // Apart, so that a save which does not need it does not look up the types for it.

  /// The keys of fields inside which an edit sets something over a value of the wrong type.
  @inline(never)
  private func keysOverwritten(from base: Item, to item: Item) -> [String] {
    Overwriting(from: base, to: item).keysOverwritten(in: core.documentToSave)
  }

  func removesDefaults(_ saving: StoreEdit.Saving) -> Bool {
    defaults == .omitted && saving == .removingDefaults
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

  var waitsToStoreImports: Bool { hasImported && core.hasImports }
}
