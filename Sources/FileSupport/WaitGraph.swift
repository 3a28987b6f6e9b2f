import Synchronization

/// Which thread waits for which lock, and who holds that: tells a thread that is about to wait
/// whether it would do so for ever.
///
/// The locks of stores are held while the user's code runs, and that may use other stores: two
/// threads that do so crosswise would wait for each other. Looking costs nothing unless a thread has
/// to wait; only the locks of files, which the system keeps, are noted each time.
///
/// Two processes that wait for each other are not seen.
package enum WaitGraph {
  /// A lock within the process, as far as the graph needs it.
  ///
  /// Whoever gets the lock writes himself here before he can wait for another, and takes himself
  /// out before he gives it back. So of several threads that wait in a circle, the last one finds
  /// all others.
  package final class Lock: Sendable {
    fileprivate let holder = Atomic<UInt>(0)

    package init() {}

    /// Whether this thread holds it.
    package var isHeldHere: Bool { holder.load(ordering: .relaxed) == currentThread() }
    package func noteHeld() { holder.store(currentThread(), ordering: .sequentiallyConsistent) }
    package func noteFree() { holder.store(0, ordering: .sequentiallyConsistent) }
  }

  /// A lock file, whatever it is called.
  struct File: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  private enum Target {
    case lock(Lock)
    case file(File)
  }
  /// Lists, since of each there are rarely more than one or two, and then hashing takes longest.
  private struct State {
    var waiting: [(thread: UInt, target: Target)] = []
    var holders: [(file: File, thread: UInt)] = []

    func holder(of target: Target) -> UInt {
      switch target {
      case .lock(let lock): lock.holder.load(ordering: .sequentiallyConsistent)
      case .file(let file): holders.first { $0.file == file }?.thread ?? 0
      }
    }

    /// Notes that a thread waits, unless who holds the target waits for that thread, at last.
    mutating func wait(_ thread: UInt, for target: Target) -> Bool {
      var holder = holder(of: target)
      // One who has just got what he waited for is still noted as waiting for himself.
      for _ in 0...waiting.count {
        if holder == thread { return false }
        guard holder != 0, let next = waiting.first(where: { $0.thread == holder }) else { break }
        holder = self.holder(of: next.target)
      }
      waiting.append((thread, target))
      return true
    }

    mutating func endWait(_ thread: UInt) {
      if let position = waiting.firstIndex(where: { $0.thread == thread }) {
        waiting.remove(at: position)
      }
    }
  }
  private static let state = Guarded(State())

  /// Waits for a lock within the process by a call that returns when it is held.
  ///
  /// - Returns: false, without a call, when that would never be.
  package static func wait(for lock: Lock, _ call: () -> Void) -> Bool {
    let thread = currentThread()
    guard state.withLock({ $0.wait(thread, for: .lock(lock)) }) else { return false }
    call()
    lock.noteHeld()
    state.withLock { $0.endWait(thread) }
    return true
  }

  /// Waits for the lock of a file.
  ///
  /// - Parameter call: Answers below zero when the lock was not to be had.
  /// - Returns: What the call answered; nil, without a call, when it never would.
  static func wait(for file: File, _ call: () -> Int32) -> Int32? {
    let thread = currentThread()
    guard state.withLock({ $0.wait(thread, for: .file(file)) }) else { return nil }
    let result = call()
    state.withLock {
      $0.endWait(thread)
      if result >= 0 { $0.holders.append((file, thread)) }
    }
    return result
  }

  /// Notes that a file's lock is about to be given back.
  static func release(_ file: File) {
    state.withLock { state in
      if let position = state.holders.firstIndex(where: { $0.file == file }) {
        state.holders.remove(at: position)
      }
    }
  }
}
