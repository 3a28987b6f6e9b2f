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
  func saveWhatWaits()
}

extension SimpleStore: LateSaver {}

/// Saves what waits when the program returns from `main` or calls `exit`.
enum ExitSaving {
  private struct State {
    var savers: [ObjectIdentifier: WeakSaver] = [:]
    var isRegistered = false
  }
  private struct WeakSaver {
    weak var saver: (any LateSaver)?
  }
  private static let state = Guarded(State())

  static func add(_ saver: any LateSaver) {
    state.withLock { state in
      state.savers = state.savers.filter { $0.value.saver != nil }
      state.savers[ObjectIdentifier(saver)] = WeakSaver(saver: saver)
      if state.isRegistered { return }
      state.isRegistered = true
      atexit { ExitSaving.saveAll() }
    }
  }

  private static func saveAll() {
    let savers = state.withLock { $0.savers.values.compactMap(\.saver) }
    for saver in savers { saver.saveWhatWaits() }
  }
}
