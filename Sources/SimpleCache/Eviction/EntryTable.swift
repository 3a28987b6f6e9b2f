/// One group of a memory level's entries: slots, an index from hashes to them, their order, and,
/// only once there are any, their expiry times and costs.
@usableFromInline
struct EntryTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable {
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable
    init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }

    @inlinable
    mutating func exchange(_ new: Value) -> Value {
      let old = value
      value = new
      return old
    }
  }

  /// First, in the cache line of the lock: a hit that only counts writes to no other line, so no more
  /// than that one has to move between two processors that ask in turn.
  @usableFromInline var statistics = CacheStatistics()
  @usableFromInline var index = SlotIndex()
  @usableFromInline var order = EvictionOrder()
  /// Initialised exactly where the order has a link.
  @usableFromInline var slots = Room<Slot>()
  /// Slots below this number have been used.
  @usableFromInline var used = 0
  /// The first of the slots below it that are free; each says in its link which one is next.
  @usableFromInline var firstFree = EvictionOrder.none
  @usableFromInline var costs: [Int] = []
  @usableFromInline var times: [EntryTimes] = []
  @usableFromInline var count = 0
  /// No entry expires before this moment.
  @usableFromInline var earliest = Int64.max
  @usableFromInline var writesSinceSweep = 0

  @inlinable
  init() {}

  @inlinable
  deinit {
    var slot = order.oldest
    while slot != EvictionOrder.none {
      (slots.base + Int(slot)).deinitialize(count: 1)
      slot = order.links.base[Int(slot)].newer
    }
  }

  // Always inlined: a call of it in a method that changes the table is given a copy of all these numbers.
  @inlinable
  @inline(__always)
  func find(_ key: Key, hash: UInt64) -> UInt32? {
    let short = UInt32(truncatingIfNeeded: hash)
    var position = index.home(short)
    while let slot = index.next(short, after: &position) {
      if slots.base[Int(slot)].key == key { return slot }
    }
    return nil
  }

  @inlinable
  func cost(of slot: UInt32) -> Int { costs.isEmpty ? 0 : costs[Int(slot)] }

  @inlinable
  mutating func insert(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, times: EntryTimes, rule: EvictionRule
  ) {
    let slot: UInt32
    if firstFree != EvictionOrder.none {
      slot = firstFree
      firstFree = order.links.base[Int(slot)].newer
    } else {
      if used == slots.capacity { grow() }
      slot = UInt32(truncatingIfNeeded: used)
      used += 1
    }
    (slots.base + Int(slot)).initialize(to: Slot(key: key, value: value))
    index.insert(slot, hash: UInt32(truncatingIfNeeded: hash), count: count)
    order.insert(slot, by: rule)
    count += 1
    setCost(cost, of: slot)
    setTimes(times, of: slot)
  }

  @usableFromInline
  mutating func grow() {
    let capacity = max(4, slots.capacity * 2)
    slots.grow(to: capacity, moving: used)
    index.grow(to: capacity, used: used)
    order.grow(to: capacity, used: used)
    if !costs.isEmpty {
      costs.append(contentsOf: repeatElement(0, count: capacity - costs.count))
    }
    if !times.isEmpty {
      times.append(contentsOf: repeatElement(.never, count: capacity - times.count))
    }
  }

  /// - Returns: The entry that was there, to be let go of when the lock is not held.
  @inlinable
  mutating func replace(
    _ slot: UInt32, by value: Value, cost: Int, times: EntryTimes
  ) -> Value {
    let old = slots.base[Int(slot)].exchange(value)
    setCost(cost, of: slot)
    setTimes(times, of: slot)
    return old
  }

  /// Takes an entry out. `slot` must hold one.
  ///
  /// - Returns: The entry, to be let go of when the lock is not held: what a value does when it ends may
  ///   use the level.
  @inlinable
  mutating func remove(_ slot: UInt32) -> (entry: Slot, cost: Int) {
    let cost = cost(of: slot)
    index.remove(slot)
    order.remove(slot)
    let entry = (slots.base + Int(slot)).move()
    setCost(0, of: slot)
    if !times.isEmpty { times[Int(slot)] = .never }
    order.links.base[Int(slot)].newer = firstFree
    firstFree = slot
    count -= 1
    return (entry, cost)
  }

  @inlinable
  @inline(__always)
  mutating func setCost(_ cost: Int, of slot: UInt32) {
    if cost != 0 || !costs.isEmpty { noteCost(cost, of: slot) }
  }

  @inlinable
  @inline(never)
  mutating func noteCost(_ cost: Int, of slot: UInt32) {
    if costs.isEmpty { costs = Array(repeating: 0, count: slots.capacity) }
    costs[Int(slot)] = cost
  }

  @inlinable
  @inline(__always)
  mutating func setTimes(_ new: EntryTimes, of slot: UInt32) {
    if !new.isNever || !times.isEmpty { noteTimes(new, of: slot) }
  }

  @inlinable
  @inline(never)
  mutating func noteTimes(_ new: EntryTimes, of slot: UInt32) {
    if times.isEmpty { times = Array(repeating: .never, count: slots.capacity) }
    times[Int(slot)] = new
    earliest = Swift.min(earliest, new.deadline)
  }

  /// Takes out what has expired.
  ///
  /// - Parameter onRemoval: Called with each entry and its cost.
  @inlinable
  mutating func removeExpired(at now: Int64, onRemoval: (Slot, Int) -> Void) {
    writesSinceSweep = 0
    guard now >= earliest else { return }
    earliest = .max
    var slot = order.oldest
    while slot != EvictionOrder.none {
      let next = order.links.base[Int(slot)].newer
      let deadline = times[Int(slot)].deadline
      if deadline <= now {
        let removed = remove(slot)
        statistics.expirations += 1
        onRemoval(removed.entry, removed.cost)
      } else {
        earliest = Swift.min(earliest, deadline)
      }
      slot = next
    }
  }

  /// Whether to look for expired entries before one is evicted that is not: always when there are
  /// few, else once in as many writes as there are entries, so that a write costs a constant on
  /// average.
  @inlinable var isSweepDue: Bool {
    !times.isEmpty && (count <= 64 || writesSinceSweep >= count)
  }

  /// All keys, in no order.
  @inlinable var keys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    var slot = order.oldest
    while slot != EvictionOrder.none {
      keys.append(slots.base[Int(slot)].key)
      slot = order.links.base[Int(slot)].newer
    }
    return keys
  }

  /// Forgets all entries, and the room for them: they are in `other` then, which must be empty.
  mutating func removeAll(into other: inout EntryTable) {
    swap(&self, &other)
    statistics = other.statistics
  }
}
