public import SimpleStore
public import Synchronization

/// The groups of a memory level: up to 16 tables, each behind a lock of its own.
///
/// A level starts as one group, whose order of use is exact. When it outgrows ``largestSingle``
/// entries it is split by hash into 16, so that threads seldom meet at a lock, a list or a counter.
///
/// `@unchecked Sendable`: the memory behind `base` is set up in `init`, is reached only through the
/// mutex of each group, and lives as long as this object.
@usableFromInline
final class EntryGroups<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Table = EntryTable<Key, Value>

  /// A single group holds at most this many entries.
  @usableFromInline static var largestSingle: Int { 1_024 }
  @usableFromInline static var largestCount: Int { 16 }
  /// Whole pairs of cache lines, so that no two groups share one (a line's neighbour is prefetched).
  @usableFromInline static var stride: Int { (MemoryLayout<Guarded<Table>>.stride + 127) & ~127 }

  @usableFromInline let keyHash = KeyHash()
  @usableFromInline let base: UnsafeMutableRawPointer
  /// The number of groups in use less one: 0 or 15.
  @usableFromInline let mask = Atomic<Int>(0)

  @usableFromInline
  init() {
    base = .allocate(byteCount: Self.stride * Self.largestCount, alignment: 128)
    for number in 0..<Self.largestCount {
      (base + number * Self.stride).initializeMemory(as: Guarded<Table>.self, to: Guarded(Table()))
    }
  }

  deinit {
    for number in 0..<Self.largestCount { group(number).deinitialize(count: 1) }
    base.deallocate()
  }

  /// The pointer is to one of the mutexes that `init` made: `number` is below `largestCount`.
  @inlinable
  func group(_ number: Int) -> UnsafeMutablePointer<Guarded<Table>> {
    (base + number * Self.stride).assumingMemoryBound(to: Guarded<Table>.self)
  }

  /// Runs `body` on the table in which an entry with this hash is or would be, under its lock.
  ///
  /// Only for functions that are never inlined, as ``Guarded/withInlinedLock(_:)``: to take the lock
  /// without a call saves a sixth of a hit.
  @inlinable @inline(__always)
  func withTable<Result: Sendable>(of hash: UInt64, _ body: (inout Table) -> Result) -> Result {
    while true {
      let seen = mask.load(ordering: .acquiring)
      let number = Int(truncatingIfNeeded: hash >> 32) & seen
      let result: Result? = group(number).pointee.withInlinedLock { table in
        // A split may have come between.
        guard mask.load(ordering: .relaxed) == seen else { return nil }
        return body(&table)
      }
      if let result { return result }
    }
  }

  /// Runs `body` on every table in turn: on each entry at most once, also if the group is being split.
  ///
  /// - Parameter after: Called after each, when its lock is given back.
  @inlinable
  func forEach(_ body: (inout Table) -> Void, after: () -> Void = {}) {
    var number = 0
    var last = 0
    while number <= last {
      group(number).pointee.withLock { table in
        // A split holds the lock of the first group. If it comes after this, the first had all.
        if number == 0 { last = mask.load(ordering: .relaxed) }
        body(&table)
      }
      after()
      number += 1
    }
  }

  /// Splits the one group by hash. Entries keep their order, counters stay with the first group.
  @inlinable
  func split() {
    group(0).pointee.withLock { table in
      // Only one of the threads that saw the group grow gets here first.
      guard mask.load(ordering: .relaxed) == 0 else { return }
      var number = Self.largestCount - 1
      while number > 0 {
        // Nobody holds the lock of another group while waiting for this one.
        let moved = table.takeOut(group: number, of: Self.largestCount, by: keyHash)
        group(number).pointee.withLock { $0.bringIn(moved) }
        number -= 1
      }
      mask.store(Self.largestCount - 1, ordering: .releasing)
    }
  }
}

extension EntryTable {
  @usableFromInline
  struct Moved: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let value: Value
    @usableFromInline let hash: UInt64
    @usableFromInline let cost: Int
    @usableFromInline let times: EntryTimes

    @inlinable
    init(key: Key, value: Value, hash: UInt64, cost: Int, times: EntryTimes) {
      self.key = key
      self.value = value
      self.hash = hash
      self.cost = cost
      self.times = times
    }
  }

  /// Takes out the entries that belong to one of several groups, the oldest first.
  @inlinable
  mutating func takeOut(group: Int, of all: Int, by keyHash: KeyHash) -> [Moved] {
    var moved: [Moved] = []
    var slot = order.oldest
    while slot != EvictionOrder.none {
      let next = order.links.base[Int(slot)].newer
      let hash = keyHash.of(slots.base[Int(slot)].key)
      if Int(truncatingIfNeeded: hash >> 32) & (all - 1) == group {
        let times = self.times.isEmpty ? EntryTimes.never : self.times[Int(slot)]
        let (entry, cost) = remove(slot)
        moved.append(
          Moved(key: entry.key, value: entry.value, hash: hash, cost: cost, times: times))
      }
      slot = next
    }
    return moved
  }

  @inlinable
  mutating func bringIn(_ moved: [Moved]) {
    for entry in moved {
      insert(
        entry.value, forKey: entry.key, hash: entry.hash, cost: entry.cost, times: entry.times,
        rule: .leastRecent)
    }
  }
}
