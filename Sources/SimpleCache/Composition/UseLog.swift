import SimpleStore

/// A level whose entries age, and which wants to know of hits in the levels above it: what is read
/// from memory all day must not be the least recently used on disk.
protocol UseNoting<Key>: Sendable {
  associatedtype Key: Hashable & Sendable

  /// Takes note of hits; `nil` if nobody here wants to know.
  var useNoter: UseNoter<Key>? { get }
}

/// How a source takes note of hits. Each function is given the hits in their order.
struct UseNoter<Key: Hashable & Sendable>: Sendable {
  /// `nil` if it has to wait first, as for keys to be converted.
  let noteNow: (@Sendable ([Key]) -> Void)?
  let note: @Sendable ([Key]) async -> Void

  /// The same for hits of other keys.
  func of<Other>(_ convert: @escaping @Sendable ([Other]) -> [Key]) -> UseNoter<Other> {
    var now: (@Sendable ([Other]) -> Void)?
    if let noteNow { now = { keys in noteNow(convert(keys)) } }
    return UseNoter<Other>(noteNow: now) { [note] keys in await note(convert(keys)) }
  }

  /// Tells another one as well.
  func and(_ other: UseNoter?) -> UseNoter {
    guard let other else { return self }
    var now: (@Sendable ([Key]) -> Void)?
    if let noteNow, let otherNow = other.noteNow {
      now = { keys in
        noteNow(keys)
        otherNow(keys)
      }
    }
    return UseNoter(noteNow: now) { [note] keys in
      await note(keys)
      await other.note(keys)
    }
  }
}

extension UseNoter {
  /// What need not wait.
  init(now note: @escaping @Sendable ([Key]) -> Void) {
    self.init(noteNow: note) { keys in note(keys) }
  }
}

/// How a source takes note of hits; `nil` if it does not want to know.
func useNoter<Key: Hashable & Sendable>(
  of source: some CacheSource<Key, some Sendable>
) -> UseNoter<Key>? {
  (source as? any UseNoting<Key>)?.useNoter
}

/// Gathers the hits of a level in front until there are enough of them, or the back is written.
///
/// A hit is remembered by one short lock, and forgotten if another thread holds it: it is a hint. The
/// back is told elsewhere, because it may set times of files, and the hit may be the user interface's.
@usableFromInline
final class UseLog<Key: Hashable & Sendable>: Sendable {
  private static var capacity: Int { 64 }

  private struct State: Sendable {
    var keys: [Key] = []
    /// Tells of what filled the log last, and before that of what filled it earlier.
    var telling: Task<Void, Never>?
  }

  private let noter: UseNoter<Key>
  private let state = Guarded(State())

  /// - Returns: `nil` if the back does not want to know.
  init?(_ back: some CacheSource<Key, some Sendable>) {
    guard let noter = useNoter(of: back) else { return nil }
    self.noter = noter
  }

  deinit { _ = startTelling() }

  @usableFromInline
  func note(_ key: Key) {
    let isFull = state.withLockIfAvailable { state in
      // The same key again says nothing new.
      if state.keys.last == key { return false }
      state.keys.append(key)
      return state.keys.count >= Self.capacity
    }
    if isFull == true { _ = startTelling() }
  }

  /// Tells what has been gathered, and returns when the back knows all of it.
  func tell() async { await startTelling()?.value }

  /// As ``tell()``, on this thread. What is just being told elsewhere is not waited for.
  func tellNow() {
    guard let noteNow = noter.noteNow else {
      _ = startTelling()
      return
    }
    let keys = state.withLock { state in
      defer { state.keys = [] }
      return state.keys
    }
    if !keys.isEmpty { noteNow(keys) }
  }

  private func startTelling() -> Task<Void, Never>? {
    state.withLock { state in
      if !state.keys.isEmpty {
        let (keys, before) = (state.keys, state.telling)
        state.keys = []
        state.telling = Task.detached { [noter] in
          await before?.value
          await noter.note(keys)
        }
      }
      return state.telling
    }
  }
}

extension DiskLevel: UseNoting {
  var useNoter: UseNoter<Key>? {
    guard case .success(let store) = place else { return nil }
    return UseNoter(now: { (keys: [Key]) in store.noteUses(of: keys.map(\.stableBytes)) })
  }
}

extension ComposedLevel: UseNoting {
  var useNoter: UseNoter<Key>? {
    let toBack = SimpleCache.useNoter(of: back)
    return SimpleCache.useNoter(of: front)?.and(toBack) ?? toBack
  }
}
