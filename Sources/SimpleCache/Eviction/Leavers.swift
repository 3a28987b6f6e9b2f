/// The entries that a call has taken out of its tables, until the locks are given back: what a value
/// does when it ends may use the level.
@usableFromInline
struct Leavers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline typealias Entry = EntryTable<Key, Value>.Slot

  /// The value of a key that was set again, or the entry if the new one costs more, and the entry that
  /// another thread set meanwhile; nobody is told.
  @usableFromInline var replaced: Value?
  @usableFromInline var cheaper: Entry?
  @usableFromInline var other: Entry?
  /// Usually there is no other one, and no array to be made.
  @usableFromInline var first: Entry?
  @usableFromInline var firstReason: EvictionReason?
  @usableFromInline var more: [(entry: Entry, reason: EvictionReason?)] = []

  @inlinable
  init() {}

  /// - Parameter reason: `nil` is that it has expired.
  @inlinable
  mutating func take(_ entry: Entry, _ reason: EvictionReason?) {
    if first == nil {
      first = entry
      firstReason = reason
    } else {
      more.append((entry, reason))
    }
  }

  @usableFromInline
  func report(to onEvent: CacheEventHandler<Key>) {
    func report(_ entry: Entry, _ reason: EvictionReason?) {
      onEvent(reason.map { .evicted(entry.key, $0) } ?? .expired(entry.key))
    }
    if let first { report(first, firstReason) }
    for (entry, reason) in more { report(entry, reason) }
  }
}
