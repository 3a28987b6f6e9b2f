public import Synchronization

extension MemoryLevel {
  @usableFromInline
  enum ReadOutcome: Sendable {
    case hit(Value, deadline: Int64)
    case miss
    case expired
  }

  @inlinable
  var rule: EvictionRule {
    EvictionRule(rawValue: duel.rule.load(ordering: .relaxed)) ?? .leastRecent
  }

  @inlinable
  func read(_ key: Key, countsMiss: Bool) -> Value? {
    readEntry(key, countsMiss: countsMiss)?.value
  }

  @inlinable
  @inline(never)
  func readEntry(_ key: Key, countsMiss: Bool) -> CacheEntry<Value>? {
    let hash = groups.keyHash.of(key)
    duel.noteRead(hash)
    let rule = rule
    let outcome: ReadOutcome = groups.withTable(of: hash) { table in
      guard let slot = table.find(key, hash: hash) else {
        if countsMiss { table.statistics.misses += 1 }
        return .miss
      }
      var deadline = Int64.max
      if !table.times.isEmpty, !table.times[Int(slot)].isNever {
        let now = clock.monotonic().nanoseconds
        if table.times[Int(slot)].deadline <= now {
          if countsMiss { table.statistics.misses += 1 }
          return .expired
        }
        table.times[Int(slot)].use(at: now)
        deadline = table.times[Int(slot)].deadline
      }
      table.order.use(slot, by: rule)
      table.statistics.hits += 1
      return .hit(table.slots.base[Int(slot)].value, deadline: deadline)
    }
    switch outcome {
    case .hit(let value, let deadline):
      if let onEvent { onEvent(.hit(key)) }
      return CacheEntry(
        value, deadline: deadline == .max ? nil : CacheInstant(nanoseconds: deadline))
    case .miss:
      if let onEvent, countsMiss { onEvent(.miss(key)) }
      return nil
    case .expired:
      let isRemoved = removeIfExpired(key, hash: hash)
      if let onEvent {
        if isRemoved { onEvent(.expired(key)) }
        if countsMiss { onEvent(.miss(key)) }
      }
      return nil
    }
  }

  /// Removes an entry that has expired, unless another thread has done so or set a new one. Apart from
  /// the reading, so that a hit need not be ready to carry away what has expired.
  @usableFromInline
  @inline(never)
  func removeIfExpired(_ key: Key, hash: UInt64) -> Bool {
    let removed: (entry: EntryTable<Key, Value>.Slot, cost: Int)? = groups.withTable(of: hash) {
      table in
      guard let slot = table.find(key, hash: hash), !table.times.isEmpty,
        table.times[Int(slot)].deadline <= clock.monotonic().nanoseconds
      else { return nil }
      table.statistics.expirations += 1
      return table.remove(slot)
    }
    guard let removed else { return false }
    release(cost: removed.cost)
    return true
  }

  /// Gives back what an entry had reserved of the limits.
  @inlinable
  func release(count: Int = 1, cost: Int) {
    if count != 0 { entryCount.wrappingSubtract(count, ordering: .relaxed) }
    if cost != 0 { entryCost.wrappingSubtract(cost, ordering: .relaxed) }
  }

  /// Removes what has expired. Expired entries are misses also without it; it frees their memory.
  public func removeExpired() {
    var removed = Leavers<Key, Value>()
    groups.forEach { table in
      guard table.earliest != .max else { return }
      removeExpired(in: &table, noting: &removed)
    }
    if let onEvent { removed.report(to: onEvent) }
  }
}
