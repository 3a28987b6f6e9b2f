#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread for one piece of work that may have to wait long.
enum OwnThread {
  /// - Returns: Whether there is a thread for it; if not, nothing is done.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    // Unsafe, and right: the thread takes over what is retained, or there is no thread.
    let isStarted = create(work.toOpaque())
    if !isStarted { work.release() }
    return isStarted
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func create(_ work: UnsafeMutableRawPointer) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = pthread_create(&thread, nil, { OwnThread.run($0) }, work)
    if result == 0 { detach(thread) }
    return result == 0
  }

  private static func detach(_ thread: pthread_t?) {
    if let thread { pthread_detach(thread) }
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
  }
}
