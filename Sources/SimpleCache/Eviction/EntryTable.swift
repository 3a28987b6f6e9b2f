/// One group of a memory level's entries: slots, an index from hashes to them, their order, and,
/// only once there are any, their expiry times and costs.
@usableFromInline
struct EntryTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable
    init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  @usableFromInline var index = SlotIndex()
  @usableFromInline var order = EvictionOrder()
  @usableFromInline var slots: ContiguousArray<Slot?> = []
  @usableFromInline var hashes: ContiguousArray<UInt64> = []
  @usableFromInline var free: ContiguousArray<UInt32> = []
  @usableFromInline var costs: ContiguousArray<Int> = []
  @usableFromInline var times: ContiguousArray<EntryTimes> = []
  @usableFromInline var count = 0
  /// No entry expires before this moment.
  @usableFromInline var earliest = Int64.max
  @usableFromInline var writesSinceSweep = 0
  @usableFromInline var statistics = CacheStatistics()

  @inlinable
  init() {}

  @inlinable
  func find(_ key: Key, hash: UInt64) -> UInt32? {
    index.find(UInt32(truncatingIfNeeded: hash)) { slots[Int($0)]?.key == key }
  }

  @inlinable
  func cost(of slot: UInt32) -> Int { costs.isEmpty ? 0 : costs[Int(slot)] }

  @inlinable
  mutating func insert(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, times: EntryTimes, rule: EvictionRule
  ) {
    let slot: UInt32
    if let reused = free.popLast() {
      slot = reused
      slots[Int(slot)] = Slot(key: key, value: value)
      hashes[Int(slot)] = hash
    } else {
      slot = UInt32(truncatingIfNeeded: slots.count)
      slots.append(Slot(key: key, value: value))
      hashes.append(hash)
      order.grow(to: slots.count)
      if !costs.isEmpty { costs.append(0) }
      if !self.times.isEmpty { self.times.append(.never) }
    }
    index.insert(slot, hash: UInt32(truncatingIfNeeded: hash), count: count)
    order.insert(slot, by: rule)
    count += 1
    setCost(cost, of: slot)
    setTimes(times, of: slot)
  }

  @inlinable
  mutating func replace(_ slot: UInt32, by value: Value, cost: Int, times: EntryTimes) {
    slots[Int(slot)]?.value = value
    setCost(cost, of: slot)
    setTimes(times, of: slot)
  }

  /// Takes an entry out.
  @inlinable
  @discardableResult
  mutating func remove(_ slot: UInt32) -> (key: Key, cost: Int)? {
    guard let entry = slots[Int(slot)] else { return nil }
    let cost = cost(of: slot)
    index.remove(slot, hash: UInt32(truncatingIfNeeded: hashes[Int(slot)]))
    order.remove(slot)
    slots[Int(slot)] = nil
    setCost(0, of: slot)
    if !times.isEmpty { times[Int(slot)] = .never }
    free.append(slot)
    count -= 1
    return (entry.key, cost)
  }

  @inlinable
  mutating func setCost(_ cost: Int, of slot: UInt32) {
    if costs.isEmpty {
      guard cost != 0 else { return }
      costs = ContiguousArray(repeating: 0, count: slots.count)
    }
    costs[Int(slot)] = cost
  }

  @inlinable
  mutating func setTimes(_ new: EntryTimes, of slot: UInt32) {
    if times.isEmpty {
      guard !new.isNever else { return }
      times = ContiguousArray(repeating: .never, count: slots.count)
    }
    times[Int(slot)] = new
    earliest = Swift.min(earliest, new.deadline)
  }

  /// Takes out what has expired.
  ///
  /// - Parameter onRemoval: Called with each entry's key and cost.
  @inlinable
  mutating func removeExpired(at now: Int64, onRemoval: (Key, Int) -> Void) {
    writesSinceSweep = 0
    guard now >= earliest else { return }
    earliest = .max
    for slot in times.indices where slots[slot] != nil {
      if times[slot].deadline <= now {
        guard let removed = remove(UInt32(truncatingIfNeeded: slot)) else { continue }
        statistics.expirations += 1
        onRemoval(removed.key, removed.cost)
      } else {
        earliest = Swift.min(earliest, times[slot].deadline)
      }
    }
  }

  /// Whether to look for expired entries before one is evicted that is not: always when there are
  /// few, else once in as many writes as there are entries, so that a write costs a constant on
  /// average.
  @inlinable var isSweepDue: Bool {
    !times.isEmpty && (count <= 64 || writesSinceSweep >= count)
  }

  /// Forgets all entries, and the room for them.
  @inlinable
  mutating func removeAll() {
    let statistics = statistics
    self = EntryTable()
    self.statistics = statistics
  }
}
