import Synchronization

/// Someone who is told of the changes of an item.
///
/// The store knows it weakly and the ``StoreObservation`` holds it, so that what its closures
/// hold, often the store itself, does not keep the store.
final class StoreObserver<Item: StoreItem>: Sendable {
  private struct Calls {
    let onChange: @Sendable (StoreChange<Item>) -> Void
    var onEnd: @Sendable () -> Void = {}
  }
  private let calls: Guarded<Calls?>

  /// - Parameter onChange: Called with each change.
  init(onChange: @escaping @Sendable (StoreChange<Item>) -> Void) {
    calls = Guarded(Calls(onChange: onChange))
  }

  /// Sets what is called when there will be no more changes because the store has gone away.
  func whenStoreEnds(_ onEnd: @escaping @Sendable () -> Void) {
    calls.withLock { $0?.onEnd = onEnd }
  }

  /// Whether it was not cancelled.
  var isActive: Bool { calls.withLock { $0 != nil } }

  func receive(_ change: StoreChange<Item>) { calls.withLock { $0 }?.onChange(change) }

  /// The store has gone away.
  func end() {
    let old = calls.withLock { $0 }
    cancel()
    old?.onEnd()
  }

  /// Lets go of the closures, also while they run.
  func cancel() {
    let old = calls.withLock { calls in
      defer { calls = nil }
      return calls
    }
    // What the closures hold is released here, outside the lock.
    _ = consume old
  }
}

struct WeakObserver<Item: StoreItem>: Sendable {
  private(set) weak var observer: StoreObserver<Item>?
  let id: ObjectIdentifier

  init(_ observer: StoreObserver<Item>) {
    self.observer = observer
    id = ObjectIdentifier(observer)
  }
}
