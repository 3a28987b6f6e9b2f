import Dispatch
import Synchronization

extension SimpleStore {
  /// Saves what waits to be saved, and returns when it is stored.
  ///
  /// With ``SavingPolicy/immediate`` nothing ever waits.
  ///
  /// - Throws: Why it could not be saved. The changes stay in memory and wait for the next try.
  public func flush() throws(StoreError) {
    core.begin()
    defer { core.end() }
    if hasPendingChanges { try saveUnchanged(.changes) }
  }

  var savesLater: Bool {
    if case .coalesced = saving { true } else { false }
  }

  /// Whether changes wait to be saved.
  var hasPendingChanges: Bool { state.withLock { $0.hasWaiting } }

  var isChangedHere: Bool { core.lock.isHeldHere }

  /// Takes an edit over into memory, to be saved later.
  func keep(
    _ edit: StoreEdit, _ base: inout Item, _ item: inout Item
  ) throws(StoreError) {
    let changes = edit.known?.writes ?? writes(from: &base, to: &item, setting: edit.setKeys)
    if !changes.isEmpty, let failure { throw failure }
    let differing =
      edit.known?.differing
      ?? differing(changes, since: edit, from: &base, to: item, saving: .changes)
    if differing.isEmpty {
      // Properties that are not stored live in memory, with the item.
      if changes.isEmpty || isStoredAsKnown() {
        return keepInMemory(item, unlessReplacedSince: edit)
      }
    }
    // Not later: a value that cannot be saved would keep all others from it.
    if let refusal = changes.lazy.compactMap(\.refusal).first { throw refusal }

    var committed = item
    // An edit inside this one may have set other keys meanwhile; those stay.
    if wasReplaced(since: edit) { committed = current.withChanges(of: item, since: base) }
    state.withLock { state in
      if !state.hasWaiting { state.keepSaved(state.item) }
      state.replaceItem(with: committed)
    }
    startTimer()
  }

  /// Takes over an edit that has nothing to save, unless there was another one inside it.
  func keepInMemory(_ item: Item, unlessReplacedSince edit: StoreEdit) {
    state.withLock { state in
      if state.replacements == edit.replacements { state.replaceItem(with: item) }
    }
  }

  private func startTimer() {
    guard case .coalesced(let delay, let clock) = saving else { return }
    state.withLock { state in
      guard state.timer == nil else { return }
      state.timer = Task.detached { [weak self] in
        // The one error of `sleep` is that the store has gone away, which saved.
        do { try await clock.sleep(for: delay) } catch { return }
        // The task has a thread of the pool, which must not wait for the locks of others.
        DispatchQueue.global().async { [weak self] in self?.timeIsOver() }
      }
    }
  }

  private func timeIsOver() {
    // Forgotten first: a change that comes during the save starts another one.
    state.withLock { $0.timer = nil }
    saveWhatWaits()
  }

  /// Saves what waits; an error goes to ``saveError``. If nothing does, it takes no lock that another
  /// thread may keep.
  func saveWhatWaits() {
    guard hasPendingChanges else { return }
    // The error is not lost: `finish` has kept and reported it.
    do { try flush() } catch {}
  }

  /// Ends what is under way for a store that goes away.
  func stopTimer() {
    state.withLock { state in
      defer { state.timer = nil }
      return state.timer
    }?.cancel()
  }
}
