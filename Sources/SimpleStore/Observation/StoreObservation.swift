import Synchronization

/// Keeps something going until it is cancelled or released: an observer, a watch.
///
/// ```swift
/// let observation = store.observe(\.name) { old, new in print(new) }
/// observation.cancel()
/// ```
public final class StoreObservation: Sendable {
  private struct State {
    var onCancel: (@Sendable () -> Void)?
    /// Itself, while it is kept.
    var kept: StoreObservation?
  }
  private let state: Guarded<State>

  /// - Parameter onCancel: Called once, when the observation is cancelled or released.
  public init(onCancel: @escaping @Sendable () -> Void) {
    state = Guarded(State(onCancel: onCancel))
  }

  deinit { cancel() }

  /// Ends it. A call of an observer that is under way on another thread may still finish; none
  /// begins after this returns. It may be called from inside the observer, and more than once.
  public func cancel() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.onCancel?()
  }

  /// Keeps it going without being held, until it is cancelled or the store goes away.
  ///
  /// ```swift
  /// store.observe { change in print(change.keys) }.keep()
  /// ```
  ///
  /// A closure that holds the store then keeps the store as well: write `[weak store]`.
  public func keep() {
    state.withLock { state in
      if state.onCancel != nil { state.kept = self }
    }
  }
}
