public import Synchronization

/// A value behind a mutex.
///
/// As `Synchronization.Mutex`, whose calls are inlined wherever it is used. In an `async` function that is
/// wrong on Linux with Swift 6.3: the mutex notes which thread has it, and the optimiser looks that up
/// before an `await` for a lock that is taken after it, on another thread. The program then ends with
/// "Call to unlock Mutex on a thread which hasn't acquired the lock". So the lock is taken and given back
/// by calls that are not inlined.
///
/// `@unchecked Sendable`: the value is touched by who has the lock only.
@usableFromInline
package struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let mutex = GuardingMutex()
  @usableFromInline let value: _Cell<Value>

  @inlinable
  package init(_ value: consuming sending Value) { self.value = _Cell(value) }

  /// Runs `body` while no other thread does.
  // Always: code that does not know the type of the result would look up that of the value.
  @inlinable @inline(__always)
  package borrowing func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    // Unsafe, and right: the address is that of the cell, and nobody else uses it meanwhile. In two
    // lines: in one, ThreadSanitizer sees a change of the mutex beside the cell as well.
    let address = value._address
    return try body(&address.pointee)
  }

  /// As ``withLock(_:)``, for functions that are never inlined (`@inline(never)`): the lock is taken and
  /// given back without a call, which is right where no `await` can come before it.
  @inlinable @inline(__always)
  package borrowing func withInlinedLock<Result: Sendable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.inlinedLock()
    defer { mutex.inlinedUnlock() }
    // Unsafe, and right: as above.
    let address = value._address
    return try body(&address.pointee)
  }

  /// Runs `body` unless another thread holds the lock; `nil` if one does.
  @inlinable
  package borrowing func withLockIfAvailable<Result: Sendable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard mutex.tryLock() else { return nil }
    defer { mutex.unlock() }
    // Unsafe, and right: as above.
    let address = value._address
    return try body(&address.pointee)
  }
}

/// The mutex of a guarded value, whatever the value.
///
/// Beside it, two plain moves: on Linux a thread that had to wait gets the mutex from the kernel, which
/// ThreadSanitizer does not see, so it reports races that are none. The store before the mutex is given
/// back and the load after it is taken tell it the truth. Measured: a contended `Mutex` gave 3 to 6 reports
/// in 80,000 uses, this one none. Only in debug builds, which are the ones that are searched for races.
@usableFromInline
struct GuardingMutex: ~Copyable, Sendable {
  @usableFromInline let mutex = Mutex(())
  #if DEBUG
    @usableFromInline let handover = Atomic<UInt8>(0)
  #endif

  @usableFromInline
  init() {}

  @usableFromInline @inline(never)
  borrowing func lock() { inlinedLock() }

  @usableFromInline @inline(never)
  borrowing func unlock() { inlinedUnlock() }

  @usableFromInline @inline(never)
  borrowing func tryLock() -> Bool {
    guard mutex._unsafeTryLock() else { return false }
    #if DEBUG
      _ = handover.load(ordering: .acquiring)
    #endif
    return true
  }

  @inlinable @inline(__always)
  borrowing func inlinedLock() {
    mutex._unsafeLock()
    #if DEBUG
      _ = handover.load(ordering: .acquiring)
    #endif
  }

  @inlinable @inline(__always)
  borrowing func inlinedUnlock() {
    #if DEBUG
      handover.store(0, ordering: .releasing)
    #endif
    mutex._unsafeUnlock()
  }
}
