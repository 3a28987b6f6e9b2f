/// A change that was stored, on its way to those who listened when it was.
///
/// It is made while the locks are held, which is cheap; what is to be compared, and the user's
/// code, comes when it is delivered.
struct Announcement<Item: StoreItem>: Sendable {
  let old: Item
  let new: Item
  /// The keys that may have changed.
  let candidates: [String]
  let origin: StoreChange<Item>.Origin
  let observers: [WeakObserver<Item>]
  let tracker: ReadTracker

  func deliver() {
    guard let change = StoreChange(from: old, to: new, among: candidates, origin: origin) else {
      return
    }
    tracker.announce()
    for observer in observers { observer.observer?.receive(change) }
  }
}

extension SimpleStore {
  /// Lines up what is to be told about a change; when nobody listens, that costs two checks.
  ///
  /// Call it before the state is changed, under its lock: whoever begins to listen does so under
  /// the same lock, before the change or after it. The lock of the core is held, too, so changes
  /// are told in the order in which they were stored.
  func announce(
    _ new: Item, _ keys: [String], _ origin: StoreChange<Item>.Origin,
    in state: StoreState<Item>
  ) {
    if state.hasObservers || tracker.isTracked { lineUp(new, keys, origin, state) }
  }

  // Apart from the check, which would look up the types for this before it says no.
  @inline(never)
  private func lineUp(
    _ new: Item, _ keys: [String], _ origin: StoreChange<Item>.Origin, _ state: StoreState<Item>
  ) {
    let announcement = Announcement(
      old: state.saved, new: new, candidates: keys, origin: origin,
      observers: state.observers, tracker: tracker)
    core.tell { announcement.deliver() }
  }

  /// Does so many times what a save does only for those who listen; for the benchmarks.
  package func tellWhoListens(times count: Int) {
    core.begin()
    defer { core.end() }
    let item = current
    state.withLock { state in
      for _ in 0..<count {
        announce(item, [], .store, in: state)
        core.tellNothing()
      }
    }
  }
}
