import Foundation

/// Runs code on a thread whose stack has a given size, and tells how much of it was used.
///
/// Secondary threads have 512 KB on Apple platforms and 128 KB with musl; the main thread's eight
/// megabytes hide what nesting costs.
package func stackUse(
  ofThreadWith size: Int = 512 * 1024, _ body: @escaping @Sendable () -> Void
) -> Int {
  // Unsafe, and right: the stack outlives its thread, which is joined below. A page below it that
  // may not be touched ends the test where the stack ends.
  let page = Int(getpagesize())
  guard let memory = mmap(nil, size + page, PROT_READ | PROT_WRITE, anonymousMemory, -1, 0),
    memory != MAP_FAILED
  else { return .max }
  defer { munmap(memory, size + page) }
  guard mprotect(memory, page, PROT_NONE) == 0 else { return .max }
  let stack = memory + page
  memset(stack, 0xA5, size)

  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  defer { pthread_attr_destroy(attributes) }
  guard pthread_attr_setstack(attributes, stack, size) == 0 else { return .max }
  let work = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
  work.initialize(to: body)
  defer {
    work.deinitialize(count: 1)
    work.deallocate()
  }
  #if canImport(Darwin)
    var thread: pthread_t?
    let created = pthread_create(&thread, attributes, { run($0) }, work)
    guard created == 0, let thread else { return .max }
  #else
    var thread = pthread_t()
    let created = pthread_create(&thread, attributes, { run($0) }, work)
    guard created == 0 else { return .max }
  #endif
  pthread_join(thread, nil)
  // It grows downwards: what was never written still has the pattern.
  let bytes = UnsafeRawBufferPointer(start: stack, count: size)
  return size - (bytes.firstIndex { $0 != 0xA5 } ?? size)
}

private func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  work?.assumingMemoryBound(to: (@Sendable () -> Void).self).pointee()
  return nil
}

#if canImport(Darwin)
  private let anonymousMemory = MAP_ANON | MAP_PRIVATE
#else
  private let anonymousMemory = Int32(MAP_ANONYMOUS | MAP_PRIVATE)
#endif
