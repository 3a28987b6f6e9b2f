import SimpleStore

/// A result that one call waits for, and that the first to give it decides: a fetch that ends, a
/// timer, a cancellation. Whoever comes later is told so and changes nothing, so a call ends exactly
/// once.
final class OneShot<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waited(CheckedContinuation<Value, any Error>)
    case ended(Result<Value, any Error>)
    case over
  }

  private let state = Guarded(State.open)

  /// Ends the wait.
  ///
  /// - Returns: Whether this was the first result.
  @discardableResult
  func end(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      switch state {
      case .open:
        state = .ended(result)
        return (true, CheckedContinuation<Value, any Error>?.none)
      case .waited(let continuation):
        state = .over
        return (true, continuation)
      case .ended, .over: return (false, nil)
      }
    }
    continuation?.resume(with: result)
    return isFirst
  }

  /// Waits for the result. Called once.
  ///
  /// - Parameter onCancel: Called if the waiting task's cancellation came first; the call then ends
  ///   at once, with `CancellationError`.
  func wait(onCancel: @escaping @Sendable () -> Void) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early: Result<Value, any Error>? = state.withLock { state in
          if case .ended(let result) = state {
            state = .over
            return result
          }
          state = .waited(continuation)
          return nil
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      if end(.failure(CancellationError())) { onCancel() }
    }
  }
}
