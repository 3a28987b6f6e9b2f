/// Does something again and again, until it is released.
package final class Polling: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - interval: How long to wait before each time.
  ///   - clock: Whose time is meant; tests give one that stands still.
  ///   - tick: What to do.
  package init(
    every interval: Duration, clock: any Clock<Duration>, _ tick: @escaping @Sendable () -> Void
  ) {
    task = Task.detached {
      while !Task.isCancelled {
        // The one error of `sleep` is that the task was cancelled.
        do { try await clock.sleep(for: interval) } catch { return }
        tick()
      }
    }
  }

  deinit { task.cancel() }
}
