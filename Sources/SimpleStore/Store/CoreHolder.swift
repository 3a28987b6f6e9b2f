import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which thread has a core locked.
///
/// Every edit notes it, so it has to cost next to nothing: one store. (A counter in the thread's
/// own storage took 28 ns an edit.) Only an edit that has something to tell looks at those of all
/// cores.
///
/// `@unchecked Sendable`: the reference to the core is set when the core is made, and followed only
/// by a thread that has it locked, so that somebody holds the core.
final class CoreHolder: @unchecked Sendable {
  private let thread = Atomic<UInt>(0)
  private unowned(unsafe) var core: StoreCore?

  func note() { thread.store(Self.current, ordering: .relaxed) }
  func clear() { thread.store(0, ordering: .relaxed) }

  /// The number of this thread.
  private static var current: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      // A pointer there.
      UInt(bitPattern: pthread_self())
    #endif
  }

  // MARK: All of them

  private static let all = Guarded<[ObjectIdentifier: CoreHolder]>([:])

  /// The core is made.
  func add(_ core: StoreCore) {
    self.core = core
    Self.all.withLock { $0[ObjectIdentifier(self)] = self }
  }

  /// The core goes away.
  func remove() { Self.all.withLock { $0[ObjectIdentifier(self)] = nil } }

  /// A core that this thread has locked.
  static var lockedByThisThread: StoreCore? {
    let current = current
    let holder = all.withLock { all in
      all.values.first { $0.thread.load(ordering: .relaxed) == current }
    }
    return holder?.core
  }
}
