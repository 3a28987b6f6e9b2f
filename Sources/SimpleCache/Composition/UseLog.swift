import SimpleStore

/// A level whose entries age, and which wants to know of hits in the levels above it: what is read
/// from memory all day must not be the least recently used on disk.
protocol UseNoting<Key>: Sendable {
  associatedtype Key: Hashable & Sendable

  /// Takes note of the hits, in their order; `nil` if nobody here wants to know.
  var noteUses: (@Sendable ([Key]) -> Void)? { get }
}

/// How a source takes note of hits; `nil` if it does not want to know.
func useNoter<Key: Hashable & Sendable>(
  of source: some CacheSource<Key, some Sendable>
) -> (@Sendable ([Key]) -> Void)? {
  (source as? any UseNoting<Key>)?.noteUses
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

  private let noteUses: @Sendable ([Key]) -> Void
  private let state = Guarded(State())

  /// - Returns: `nil` if the back does not want to know.
  init?(_ back: some CacheSource<Key, some Sendable>) {
    guard let noteUses = useNoter(of: back) else { return nil }
    self.noteUses = noteUses
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

  private func startTelling() -> Task<Void, Never>? {
    state.withLock { state in
      if !state.keys.isEmpty {
        let (keys, before) = (state.keys, state.telling)
        state.keys = []
        state.telling = Task.detached { [noteUses] in
          await before?.value
          noteUses(keys)
        }
      }
      return state.telling
    }
  }
}

extension DiskLevel: UseNoting {
  var noteUses: (@Sendable ([Key]) -> Void)? {
    guard case .success(let store) = place else { return nil }
    return { (keys: [Key]) in store.noteUses(of: keys.map(\.stableBytes)) }
  }
}

extension ComposedLevel: UseNoting {
  var noteUses: (@Sendable ([Key]) -> Void)? {
    let inner = [useNoter(of: front), useNoter(of: back)].compactMap(\.self)
    if inner.isEmpty { return nil }
    return { (keys: [Key]) in
      for note in inner { note(keys) }
    }
  }
}
