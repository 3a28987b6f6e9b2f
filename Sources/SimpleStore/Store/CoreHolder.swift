/// Finds the core that a thread has locked, for the few edits that have something to tell.
///
/// `@unchecked Sendable`: the reference to the core is set when the core is made, and followed only
/// by a thread that has it locked, so that somebody holds the core.
final class CoreHolder: @unchecked Sendable {
  private let lock: RecursiveLock
  private unowned(unsafe) var core: StoreCore?

  init(_ lock: RecursiveLock) { self.lock = lock }

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
    all.withLock { all in all.values.first { $0.lock.isHeldHere } }?.core
  }
}
