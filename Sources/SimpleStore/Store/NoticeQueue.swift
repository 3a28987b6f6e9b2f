/// Runs calls to the user's code outside all locks, one at a time, in the order in which they were
/// added.
///
/// A call that adds others (an observer that writes) does not run them inside itself: they come
/// after it, so the stack does not grow.
final class NoticeQueue: Sendable {
  typealias Notice = @Sendable () -> Void

  private struct State {
    var waiting: [Notice] = []
    var isDelivering = false

    mutating func takeAll() -> [Notice] {
      defer { waiting.removeAll() }
      return waiting
    }
  }
  private let state = Guarded(State())

  func add(_ notice: @escaping Notice) { state.withLock { $0.waiting.append(notice) } }

  /// Runs what waits, unless someone is doing so already; then he runs it.
  func deliver() {
    var batch = state.withLock { state -> [Notice] in
      guard !state.isDelivering, !state.waiting.isEmpty else { return [] }
      state.isDelivering = true
      return state.takeAll()
    }
    while !batch.isEmpty {
      for notice in batch { notice() }
      batch = state.withLock { state in
        state.isDelivering = !state.waiting.isEmpty
        return state.takeAll()
      }
    }
  }
}
