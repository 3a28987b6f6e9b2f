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
/// A hit is remembered by one short lock, and forgotten if another thread holds it: it is a hint.
@usableFromInline
final class UseLog<Key: Hashable & Sendable>: Sendable {
  /// Telling takes microseconds, on the thread of the hit that fills the log.
  private static var capacity: Int { 64 }

  private let noteUses: @Sendable ([Key]) -> Void
  private let keys = Guarded<[Key]>([])

  /// - Returns: `nil` if the back does not want to know.
  init?(_ back: some CacheSource<Key, some Sendable>) {
    guard let noteUses = useNoter(of: back) else { return nil }
    self.noteUses = noteUses
  }

  deinit { tell() }

  @usableFromInline
  func note(_ key: Key) {
    let full: [Key]? =
      keys.withLockIfAvailable { keys in
        // The same key again says nothing new.
        if keys.last == key { return nil }
        keys.append(key)
        guard keys.count >= Self.capacity else { return nil }
        defer { keys.removeAll() }
        return keys
      } ?? nil
    if let full { noteUses(full) }
  }

  /// Tells what has been gathered.
  func tell() {
    let gathered = keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
    if !gathered.isEmpty { noteUses(gathered) }
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
