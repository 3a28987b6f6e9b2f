import FileSupport
import Foundation
public import Synchronization

/// A cache in memory, with limits on count and cost, and expiry; usable with and without `await`.
///
/// ```swift
/// let pictures = MemoryLevel<URL, Data>(countLimit: 500, costLimit: 50_000_000, expiry: .minutes(10))
/// pictures[url] = data
/// let picture = pictures[url]
/// ```
///
/// When a call has returned, the limits hold: as many entries as necessary have been evicted before
/// the new one was let in. An entry that costs more than the whole limit is not kept. A limit of
/// `nil` is none, a limit of 0 keeps nothing.
///
/// **Which entry goes first.** Expired ones, then the least recently used. A level of 64 entries or
/// more watches a sample of its requests, and if another order would clearly have had more hits (a
/// run over keys that never come back, a loop longer than the cache, a few popular keys) it changes
/// to that until the requests change again. A level of more than 1,024 entries is kept in 16 groups,
/// each with its own order.
///
/// Calls from several threads are safe; each is one short lock. Expiry is by the monotonic clock.
public final class MemoryLevel<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
  public let name: String
  @usableFromInline let countLimit: Int
  @usableFromInline let costLimit: Int
  @usableFromInline let expiry: CacheExpiry
  @usableFromInline let clock: CacheClock
  @usableFromInline let costOf: (@Sendable (Value) -> Int)?
  @usableFromInline let onEvent: CacheEventHandler<Key>?

  @usableFromInline let groups = EntryGroups<Key, Value>()
  @usableFromInline let duel: RuleDuel
  @usableFromInline let entryCount = Atomic<Int>(0)
  @usableFromInline let entryCost = Atomic<Int>(0)

  /// Makes an empty level.
  ///
  /// - Parameters:
  ///   - countLimit: The most entries it holds; `nil` is no limit, 0 keeps nothing. Must not be
  ///     negative.
  ///   - costLimit: The most its entries may cost together; `nil` is no limit, 0 keeps only what
  ///     costs nothing. Must not be negative.
  ///   - expiry: How long an entry is kept unless its `set` says otherwise.
  ///   - clock: What time it is.
  ///   - cost: What a value costs unless its `set` says. By default, if there is a `costLimit`, the
  ///     bytes of a `Data`, `String` or `[UInt8]` and 1 for any other value; a negative cost is 0.
  ///   - name: The name in errors and events.
  ///   - onEvent: Called with everything that happens. Without it nothing is called or made.
  public init(
    countLimit: Int? = nil, costLimit: Int? = nil, expiry: CacheExpiry = .never,
    clock: CacheClock = .system, name: String = "MemoryLevel",
    cost: (@Sendable (Value) -> Int)? = nil, onEvent: CacheEventHandler<Key>? = nil
  ) {
    require(countLimit ?? 0 >= 0, "A count limit must not be negative; nil is no limit.")
    require(costLimit ?? 0 >= 0, "A cost limit must not be negative; nil is no limit.")
    self.countLimit = countLimit ?? .max
    // Far enough from the end of `Int` that reservations of many threads cannot overflow the sum.
    self.costLimit = costLimit.map { min($0, .max / 1_024) } ?? .max
    self.expiry = expiry
    self.clock = clock
    self.name = name
    self.onEvent = onEvent
    duel = RuleDuel(isLimited: countLimit != nil || costLimit != nil)
    costOf = cost ?? (costLimit == nil ? nil : Self.naturalCost)
  }

  private static var naturalCost: @Sendable (Value) -> Int {
    switch Value.self {
    case is Data.Type: { ($0 as? Data)?.count ?? 1 }
    case is String.Type: { ($0 as? String)?.utf8.count ?? 1 }
    case is [UInt8].Type: { ($0 as? [UInt8])?.count ?? 1 }
    default: { _ in 1 }
    }
  }

  /// The value of a key. Setting `nil` removes it.
  @inlinable
  public subscript(key: Key) -> Value? {
    get { read(key, countsMiss: true) }
    set {
      if let newValue { set(newValue, forKey: key) } else { remove(key) }
    }
  }

  /// The value of a key, or `nil`.
  @inlinable
  public func get(_ key: Key) -> Value? { read(key, countsMiss: true) }

  @inlinable
  public func getIfReady(_ key: Key) -> Value? { read(key, countsMiss: false) }

  /// The value of a key with its deadline, or `nil`.
  @inlinable
  public func entry(for key: Key) -> CacheEntry<Value>? { readEntry(key, countsMiss: true) }

  /// Keeps a value, at the cost and with the expiry that the level gives it.
  @inlinable
  public func set(_ value: Value, forKey key: Key) {
    store(value, forKey: key, cost: costOf?(value) ?? 0, times: times(expiry))
  }

  /// Keeps a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: Its key.
  ///   - cost: What it costs; by default what the level says. A negative cost is 0.
  ///   - expiry: How long it is kept; by default what the level says.
  @inlinable
  public func set(
    _ value: Value, forKey key: Key, cost: Int? = nil, expiry: CacheExpiry? = nil
  ) {
    store(
      value, forKey: key, cost: cost ?? costOf?(value) ?? 0, times: times(expiry ?? self.expiry))
  }

  /// Keeps a value from another level until the earlier of its deadline and the level's own expiry.
  @inlinable
  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) {
    store(
      entry.value, forKey: key, cost: costOf?(entry.value) ?? 0,
      times: EntryTimes(expiry, bound: entry.deadline, clock: clock))
  }

  /// Forgets one value.
  @inlinable
  @inline(never)
  public func remove(_ key: Key) {
    let hash = groups.keyHash.of(key)
    let removed: (entry: EntryTable<Key, Value>.Slot, cost: Int)? = groups.withTable(of: hash) {
      table in
      guard let slot = table.find(key, hash: hash) else { return nil }
      return table.remove(slot)
    }
    if let removed { release(cost: removed.cost) }
  }

  /// Forgets everything.
  public func removeAll() {
    var removed = EntryTable<Key, Value>()
    groups.forEach { table in
      let cost = table.costs.reduce(0, &+)
      release(count: table.count, cost: cost)
      table.removeAll(into: &removed)
    } after: {
      removed = EntryTable()
    }
  }

  /// The keys of all entries that have not expired, in no order.
  public var keys: [Key] {
    removeExpired()
    var keys: [Key] = []
    groups.forEach { keys += $0.keys }
    return keys
  }

  /// How many entries there are, expired ones not counted.
  public var count: Int {
    removeExpired()
    // Two threads may have reserved a place for which they are just evicting.
    return min(entryCount.load(ordering: .relaxed), countLimit)
  }

  /// What the entries cost together, expired ones not counted.
  public var totalCost: Int {
    removeExpired()
    return min(entryCost.load(ordering: .relaxed), costLimit)
  }

  /// What has happened since the level was made.
  public var statistics: CacheStatistics {
    var sum = CacheStatistics()
    groups.forEach { sum = sum + $0.statistics }
    return sum
  }

  @inlinable
  func times(_ expiry: CacheExpiry) -> EntryTimes {
    // Nothing reads a clock when nothing expires.
    if case .never = expiry { .never } else { EntryTimes(expiry, bound: nil, clock: clock) }
  }
}
