import FileSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock that the thread which holds it may take again, and that is taken and given back by two
/// calls, so that it can be held across the `yield` of an accessor.
///
/// `Synchronization.Mutex` can do neither, and Foundation's `NSRecursiveLock` would make every
/// program load Foundation.
///
/// `@unchecked Sendable`: a mutex is made to be used from several threads, and the pointer to it
/// never changes; `depth` is touched by the thread only that holds it.
final class RecursiveLock: @unchecked Sendable {
  // Unsafe, and right: the mutex needs a fixed address, which a stored property does not promise.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let holder = WaitGraph.Lock()
  /// How often the thread that holds it has taken it.
  private var depth = 0

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    let result = pthread_mutex_init(mutex, &attributes)
    require(result == 0, "pthread_mutex_init answered \(result)")
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Whether this thread holds the lock.
  var isHeldHere: Bool { holder.isHeldHere }

  /// Ends the program with a sentence when it would wait for ever.
  func lock() {
    let result = pthread_mutex_trylock(mutex)
    if result == EBUSY {
      let mayWait = WaitGraph.wait(for: holder) {
        let result = pthread_mutex_lock(mutex)
        require(result == 0, "pthread_mutex_lock answered \(result)")
      }
      require(
        mayWait,
        """
        two threads would wait for each other for ever: each changes a store inside a change of \
        the store that the other one is in. Change stores one inside the other in one order only, \
        or one after the other
        """)
    } else {
      require(result == 0, "pthread_mutex_trylock answered \(result)")
      if depth == 0 { holder.noteHeld() }
    }
    depth += 1
  }

  func unlock() {
    require(
      holder.isHeldHere,
      """
      a field of a store was changed in place across an await, which would keep everyone else \
      waiting: read it, await, and set it
      """)
    depth -= 1
    if depth == 0 { holder.noteFree() }
    let result = pthread_mutex_unlock(mutex)
    require(result == 0, "pthread_mutex_unlock answered \(result)")
  }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
