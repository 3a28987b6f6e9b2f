/// Tells when a file may have changed, until it is cancelled or released.
///
/// It takes no lock, opens nothing for writing and never reads the file: whoever is told looks for
/// himself, which costs one `stat` when there was nothing. It sees a write in place, a file that is
/// replaced, removed or made again, links on the way that are turned, and directories that are
/// moved away, removed and come back.
///
/// Where the system cannot tell (no more watches, a network file system that other machines write
/// to), it says "may have changed" every second instead.
package final class FileWatcher: Sendable {
  /// What a platform's watch says.
  enum Signal {
    case change
    /// From now on it sees everything that happens, or it does not.
    case sight(isComplete: Bool)
  }

  private struct State {
    var watch: PlatformWatch?
    var polling: Polling?
    var isCancelled = false
  }
  private let state: Guarded<State>

  /// Starts to watch: what happens after this returns is told.
  ///
  /// - Parameters:
  ///   - file: The file; neither it nor its directory need be there.
  ///   - settling: How long a program that writes the file in place is given to finish before the
  ///     change is told, if it does not close the file earlier.
  ///   - interval: How often to say so where the system cannot tell.
  ///   - clock: Whose time `interval` is.
  ///   - onChange: Called on a background queue, perhaps by two threads at a time where watching
  ///     and polling meet; it should return soon, since all watchers share the queue.
  package init(
    _ file: ManagedFile, settling: Duration = .milliseconds(20),
    pollingEvery interval: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock(),
    onChange: @escaping @Sendable () -> Void
  ) {
    state = Guarded(State())
    let watch = PlatformWatch(file.location, calls: file.calls, settling: settling) {
      [weak self] signal in
      switch signal {
      case .change: onChange()
      case .sight(let isComplete):
        self?.state.withLock { state in
          guard !state.isCancelled else { return }
          if isComplete {
            state.polling = nil
          } else if state.polling == nil {
            state.polling = Polling(every: interval, clock: clock, onChange)
          }
        }
      }
    }
    state.withLock { $0.watch = watch }
    watch.start()
  }

  deinit { cancel() }

  /// Ends the watch. A call that is under way on another thread may still finish.
  package func cancel() {
    let watch = state.withLock { state in
      state.isCancelled = true
      state.polling = nil
      defer { state.watch = nil }
      return state.watch
    }
    watch?.cancel()
  }
}
