/// The entries that a call has taken out of its tables, until the locks are given back: what a value
/// does when it ends may use the level.
@usableFromInline
struct Leavers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline typealias Entry = EntryTable<Key, Value>.Slot

  @usableFromInline
  enum Reason: Sendable {
    /// Its key was set again; nobody is told.
    case replaced
    case expired
    case evicted(EvictionReason)
  }

  /// Usually there is no other one, and no array to be made.
  @usableFromInline var first: Entry?
  @usableFromInline var firstReason = Reason.replaced
  @usableFromInline var more: [(entry: Entry, reason: Reason)] = []

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  mutating func take(_ entry: consuming Entry, _ reason: Reason) {
    if first == nil {
      first = consume entry
      firstReason = reason
    } else {
      takeMore(entry, reason)
    }
  }

  @inlinable
  @inline(never)
  mutating func takeMore(_ entry: consuming Entry, _ reason: Reason) {
    more.append((entry, reason))
  }

  @usableFromInline
  func report(to onEvent: CacheEventHandler<Key>) {
    if let first { report(first, firstReason, to: onEvent) }
    for (entry, reason) in more { report(entry, reason, to: onEvent) }
  }

  private func report(_ entry: Entry, _ reason: Reason, to onEvent: CacheEventHandler<Key>) {
    switch reason {
    case .replaced: break
    case .expired: onEvent(.expired(entry.key))
    case .evicted(let reason): onEvent(.evicted(entry.key, reason))
    }
  }
}
