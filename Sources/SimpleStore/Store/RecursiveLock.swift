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
/// never changes.
final class RecursiveLock: @unchecked Sendable {
  // Unsafe, and right: the mutex needs a fixed address, which a stored property does not promise.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    let result = pthread_mutex_init(mutex, &attributes)
    precondition(result == 0, "pthread_mutex_init answered \(result)")
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() {
    let result = pthread_mutex_lock(mutex)
    precondition(result == 0, "pthread_mutex_lock answered \(result)")
  }

  func unlock() {
    let result = pthread_mutex_unlock(mutex)
    precondition(
      result == 0,
      """
      a field of a store was changed in place across an await, which would keep everyone else \
      waiting: read it, await, and set it
      """)
  }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
