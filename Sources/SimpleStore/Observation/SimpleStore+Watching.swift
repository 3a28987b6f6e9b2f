import Dispatch
import FileSupport
import Synchronization

extension SimpleStore {
  /// Follows what other processes, editors and hands write: the store takes it over as soon as it
  /// is there, and tells observers.
  ///
  /// ```swift
  /// let watch = store.watch()
  /// let store = SimpleStore<User>(.json(at: url), watching: true)  // as long as the store lives
  /// ```
  ///
  /// * Watching writes nothing and takes no lock of other processes.
  /// * The store's own saves are not reported; nor is a file that is written again with the same
  ///   values.
  /// * What is half written or damaged is not announced; the next whole document is. The same goes
  ///   for an empty file, which is what a program leaves that empties a file before writing it: it
  ///   counts when it has been empty for half a second.
  /// * A store that is ``LoadState/failed(_:)`` or ``LoadState/damaged(_:)`` because of what was
  ///   there works again with the next whole document, as after ``reload()``.
  /// * A file that is removed is announced as little: what is known is written again by the next
  ///   save.
  /// * Many changes in a row may be seen as one; the last one is always seen.
  ///
  /// Files are watched by the system (inotify on Linux, kqueue on Apple platforms), which sees
  /// renames over the file, links that are turned, and directories that are moved or made again.
  /// Where it cannot, and for backends that cannot tell, the store looks every second.
  ///
  /// - Returns: The watch, which ends when it is cancelled or released;
  ///   ``StoreObservation/keep()`` lets it go on without being held.
  public func watch() -> StoreObservation { watch(pollingEvery: .seconds(1)) }

  /// - Parameters:
  ///   - interval: How often to look at a backend that cannot tell.
  ///   - clock: Whose time `interval` is.
  package func watch(
    pollingEvery interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> StoreObservation {
    let watch = startWatching(pollingEvery: interval, clock: clock)
    let others = status.withLock { $0.add(watch) }
    withExtendedLifetime(others) {}
    return watch
  }

  /// Ends the watches of a store that goes away; one that is kept would go on without it.
  func endWatches() {
    for watch in status.withLock({ $0.activeWatches }) { watch.cancel() }
  }

  private func startWatching(
    pollingEvery interval: Duration, clock: any Clock<Duration>
  ) -> StoreObservation {
    let looker = Looker { [weak self] in self?.lookAgain(isSettled: $0) ?? false }
    if let watch = backend.watch({ looker.somethingChanged() }) {
      // What was written between the last look and now.
      looker.somethingChanged()
      return StoreObservation {
        looker.stop()
        watch.cancel()
      }
    }
    let polling = Guarded<Polling?>(
      Polling(every: interval, clock: clock) { looker.timeHasCome() })
    return StoreObservation {
      looker.stop()
      polling.withLock { $0 = nil }
    }
  }

  /// Watches for as long as the store lives.
  func watchAlways() {
    let watch = watch()
    state.withLock { $0.watch = watch }
  }

  /// Takes over what others have written.
  ///
  /// - Parameter isSettled: Whether an empty document counts.
  /// - Returns: Whether to look again when it has settled.
  private func lookAgain(isSettled: Bool) -> Bool {
    core.begin()
    defer { core.end() }
    // One look: between two of them the file could be emptied.
    let stored: StoreDocument?
    do {
      stored = try backend.load()
    } catch {
      // The next whole document is what counts; a save says what is wrong with this one.
      return false
    }
    guard let stored else { return false }
    if stored.isEmpty, !core.documentToSave.isEmpty, !isSettled { return true }
    core.take(stored)
    switch loadState {
    case .loaded: break
    // What is there now says nothing about the source that could not be read; `reload()` decides.
    case .failed where status.withLock({ $0.isImportMissing }): break
    case .absent, .damaged, .failed:
      var finding = StoreCore.Finding.document
      settle(&finding)
    }
    return false
  }
}

/// Looks at a place on a queue of its own, once for many hints that come together.
private final class Looker: Sendable {
  private struct State {
    var isLinedUp = false
    var isPollLinedUp = false
    /// How many looks there were; a place has settled when nothing has made for another one.
    var looks = 0
    var isStopped = false
  }
  private let state = Guarded(State())
  private let queue = DispatchQueue(label: "SimpleStore.watch")
  private let lookAgain: @Sendable (_ isSettled: Bool) -> Bool

  /// - Parameter lookAgain: Looks; answers whether to look again when the place has settled.
  init(_ lookAgain: @escaping @Sendable (_ isSettled: Bool) -> Bool) {
    self.lookAgain = lookAgain
  }

  func somethingChanged() {
    let isFirst = state.withLock { state in
      defer { state.isLinedUp = true }
      return !state.isLinedUp
    }
    guard isFirst else { return }
    queue.async { [self] in
      state.withLock { $0.isLinedUp = false }
      look(isSettled: false)
    }
  }

  /// Lines up a look at a place that says nothing itself. Not at once: the caller is a thread of the
  /// pool, which must not wait for the locks of others.
  func timeHasCome() {
    let isFirst = state.withLock { state in
      defer { state.isPollLinedUp = true }
      return !state.isPollLinedUp
    }
    guard isFirst else { return }
    queue.async { [self] in
      state.withLock { $0.isPollLinedUp = false }
      look(isSettled: true)
    }
  }

  /// No look begins after this.
  func stop() { state.withLock { $0.isStopped = true } }

  func look(isSettled: Bool) {
    let number = state.withLock { state -> Int? in
      state.looks += 1
      return state.isStopped ? nil : state.looks
    }
    guard let number, lookAgain(isSettled) else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(500)) { [self] in
      if state.withLock({ $0.looks }) == number { look(isSettled: true) }
    }
  }
}
