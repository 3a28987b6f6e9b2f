import Synchronization

/// Hands elements to a reader who may be slower than they come: it holds one, and what comes on
/// top is joined with it.
final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var element: Element?
    /// Those who wait for an element, first come, first served.
    var waiting: [(id: Int, continuation: CheckedContinuation<Element?, Never>)] = []
    var nextID = 0
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
    var isFinished = false
  }
  private let state: Guarded<State>
  private let join: @Sendable (Element, Element) -> Element?

  /// - Parameters:
  ///   - first: What is there to begin with.
  ///   - join: Makes one element of the one that waits and a newer one; nil for none.
  init(_ first: Element? = nil, join: @escaping @Sendable (Element, Element) -> Element?) {
    state = Guarded(State(element: first))
    self.join = join
  }

  /// Puts an element in. One caller at a time: two could come past each other.
  func put(_ element: Element) {
    let waiting = state.withLock { state in
      defer { state.element = nil }
      return state.element
    }
    // Outside the lock, since joining may run the user's code. A reader who comes now waits.
    guard let joined = waiting.map({ join($0, element) }) ?? element else { return }
    let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
      state.element = joined
      return nil
    }
    reader?.resume(returning: joined)
  }

  /// The next element; nil at the end, and when the task is cancelled.
  func next() async -> Element? {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Element?? in
          if let element = state.element {
            state.element = nil
            return .some(element)
          }
          if state.isFinished || state.cancelled.remove(id) != nil { return .some(nil) }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        guard let place = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil as CheckedContinuation<Element?, Never>?
        }
        return state.waiting.remove(at: place).continuation
      }
      waiting?.resume(returning: nil)
    }
  }

  /// Ends it once what is there has been read.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for reader in waiting { reader.continuation.resume(returning: nil) }
  }
}
