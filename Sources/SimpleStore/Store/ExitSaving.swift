import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A store that may have something to save when the program ends.
protocol LateSaver: AnyObject, Sendable {
  var hasPendingChanges: Bool { get }
  /// Whether this thread is in a change of the store, and so has its locks.
  var isChangedHere: Bool { get }
  func saveWhatWaits()
}

extension SimpleStore: LateSaver {}

/// Saves what waits when the program returns from `main` or calls `exit`.
///
/// That takes locks, which another thread or process may have for ever. So it is done by a thread
/// of its own, and the program ends when that is done or ``limit`` is over.
package enum ExitSaving {
  /// How long a program that ends waits for its last saves.
  package static let limit = Guarded(Duration.seconds(10))

  private struct State {
    var savers: [ObjectIdentifier: WeakSaver] = [:]
    var isRegistered = false
  }
  private struct WeakSaver {
    weak var saver: (any LateSaver)?
  }
  private static let state = Guarded(State())

  static func add(_ saver: any LateSaver) {
    // One whose last reference this is ends outside the lock: it saves, and tells of that.
    let alive = state.withLock { state in
      let alive = state.savers.values.compactMap(\.saver) + [saver]
      state.savers = [:]
      for saver in alive { state.savers[ObjectIdentifier(saver)] = WeakSaver(saver: saver) }
      if !state.isRegistered {
        state.isRegistered = true
        atexit { ExitSaving.saveAll() }
      }
      return alive
    }
    withExtendedLifetime(alive) {}
  }

  private static func saveAll() {
    let savers = state.withLock { $0.savers.values.compactMap(\.saver) }
      .filter(\.hasPendingChanges)
    // `exit` inside a change: another thread would wait for this one.
    for saver in savers where saver.isChangedHere { saver.saveWhatWaits() }
    let others = savers.filter(\.hasPendingChanges)
    if others.isEmpty { return }

    let work = Work(others)
    // Not a thread of a pool, whose threads may all be waiting.
    if OwnThread.start({ work.run() }) {
      let (seconds, attoseconds) = limit.withLock { $0.components }
      let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
      _ = work.isDone.wait(timeout: .now() + .nanoseconds(nanoseconds))
    } else {
      work.run()
    }
  }

  private final class Work: Sendable {
    private let savers: [any LateSaver]
    let isDone = DispatchSemaphore(value: 0)

    init(_ savers: [any LateSaver]) { self.savers = savers }

    func run() {
      for saver in savers { saver.saveWhatWaits() }
      isDone.signal()
    }
  }
}
