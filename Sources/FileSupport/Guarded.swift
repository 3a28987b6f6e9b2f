import Synchronization

/// A value behind a mutex, and two plain moves that tell ThreadSanitizer what the mutex orders on
/// Linux, where it does not see that. (SimpleStore has its own, which is inlined into its clients.)
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handover = Atomic<UInt8>(0)

  init(_ value: Value) { mutex = Mutex(value) }

  /// Runs `body` while no other thread does.
  // Never inlined: in an `async` function that is wrong, see SimpleStore.
  @inline(never)
  borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(0, ordering: .releasing) }
      return body(&value)
    }
  }
}
