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
  /// What there is to be told about a change; nil when nobody listens, which costs two checks.
  ///
  /// Call it with the state that is to be changed, under its lock: whoever begins to listen does
  /// so under the same lock, before the change or after it.
  func announcement(
    in state: inout StoreState<Item>, of new: Item, _ keys: [String],
    _ origin: StoreChange<Item>.Origin
  ) -> Announcement<Item>? {
    guard !state.observers.isEmpty || tracker.isTracked else { return nil }
    return Announcement(
      old: state.saved ?? state.item, new: new, candidates: keys, origin: origin,
      observers: state.observers, tracker: tracker)
  }

  /// Has it delivered in the order in which it was stored: the lock of the core is held.
  func announce(_ announcement: Announcement<Item>?) {
    if let announcement { core.notices.add { announcement.deliver() } }
  }
}
