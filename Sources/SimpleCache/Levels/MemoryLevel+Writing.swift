import SimpleStore
public import Synchronization

extension MemoryLevel {
  @usableFromInline
  enum WriteOutcome: Sendable {
    case stored(split: Bool)
    /// A place is reserved, but the group had nothing to evict for it.
    case short(count: Bool)
  }

  /// Keeps a value: the limits are reserved first, what has to go goes, then the entry comes in. So
  /// what is stored never passes a limit, whatever other threads do.
  @inlinable
  @inline(never)
  func store(_ value: Value, forKey key: Key, cost: Int, times: EntryTimes) {
    let cost = Swift.max(0, cost)
    guard countLimit > 0, cost <= costLimit, isStillValid(times) else {
      return refuse(key, isTooCostly: cost > costLimit)
    }
    let hash = groups.keyHash.of(key)
    duel.noteWrite(hash)
    let rule = rule
    var leavers = Leavers<Key, Value>()
    var isDueToSplit = false
    while true {
      let outcome = groups.withTable(of: hash) { table in
        put(
          value, forKey: key, hash: hash, cost: cost, times: times, rule: rule, into: &table,
          leavers: &leavers)
      }
      if case .stored(let split) = outcome {
        isDueToSplit = split
        break
      }
      if storeWithRoom(
        from: outcome, value, forKey: key, hash: hash, cost: cost, times: times, rule: rule,
        leavers: &leavers)
      {
        break
      }
    }
    if isDueToSplit { groups.split() }
    if let onEvent {
      leavers.report(to: onEvent)
      onEvent(.set(key))
    }
    withExtendedLifetime(leavers) {}
  }

  @inlinable
  func put(
    _ value: Value, forKey key: Key, hash: UInt64, cost: Int, times: EntryTimes, rule: EvictionRule,
    into table: inout EntryTable<Key, Value>, leavers: inout Leavers<Key, Value>
  ) -> WriteOutcome {
    table.writesSinceSweep += 1
    if let slot = table.find(key, hash: hash) {
      let old = table.cost(of: slot)
      let total =
        cost == old ? 0 : entryCost.wrappingAdd(cost &- old, ordering: .relaxed).newValue
      if total <= costLimit {
        let old = table.replace(slot, by: value, cost: cost, times: times)
        leavers.take(EntryTable.Slot(key: key, value: old), .replaced)
        table.order.use(slot, by: rule)
        table.statistics.sets += 1
        return .stored(split: false)
      }
      // Dearer than before, and too much: it goes and comes back as a newcomer.
      leavers.take(table.remove(slot).entry, .replaced)
      release(cost: cost)
    }
    if table.isSweepDue, !hasRoom(cost: cost) {
      removeExpired(in: &table, noting: &leavers)
    }
    // In a full level the newcomer gets the place of the one that goes, and none is counted.
    let takesOver = table.count > 0 && entryCount.load(ordering: .relaxed) >= countLimit
    var isOverCount =
      takesOver || entryCount.wrappingAdd(1, ordering: .relaxed).newValue > countLimit
    var total = cost == 0 ? 0 : entryCost.wrappingAdd(cost, ordering: .relaxed).newValue
    while isOverCount || (total > costLimit && cost > 0) {
      guard
        evictOne(
          from: &table, rule: rule, isOverCount ? .countLimit : .costLimit,
          keepsPlace: isOverCount && takesOver, leavers: &leavers)
      else { return .short(count: isOverCount) }
      isOverCount = false
      total = entryCost.load(ordering: .relaxed)
    }
    table.insert(value, forKey: key, hash: hash, cost: cost, times: times, rule: rule)
    table.statistics.sets += 1
    return .stored(
      split: table.count > EntryGroups<Key, Value>.largestSingle
        && groups.mask.load(ordering: .relaxed) == 0)
  }

  /// Whether one more entry would keep the limits, if no other came first.
  @inlinable
  func hasRoom(cost: Int) -> Bool {
    entryCount.load(ordering: .relaxed) < countLimit
      && (cost == 0 || entryCost.load(ordering: .relaxed) + cost <= costLimit)
  }

  /// Takes the next entry to go out of a table.
  ///
  /// - Parameter keepsPlace: Whether its place among those that are counted is the caller's from now on.
  /// - Returns: Whether there was one.
  @inlinable
  func evictOne(
    from table: inout EntryTable<Key, Value>, rule: EvictionRule, _ reason: EvictionReason,
    keepsPlace: Bool = false, leavers: inout Leavers<Key, Value>
  ) -> Bool {
    let slot = table.order.victim(by: rule)
    guard slot != EvictionOrder.none else { return false }
    let cost = table.cost(of: slot)
    leavers.take(table.remove(slot).entry, .evicted(reason))
    table.statistics.evictions += 1
    release(count: keepsPlace ? 0 : 1, cost: cost)
    // Seldom enough to cost nothing, often enough to follow the level's size.
    if table.statistics.evictions & 63 == 1 {
      duel.noteEviction(count: entryCount.load(ordering: .relaxed))
    }
    return true
  }

  /// Keeps a value for which a place is reserved, at the cost of other groups' entries.
  ///
  /// - Returns: Whether there was room. There is none as long as other threads have reserved it and not
  ///   yet used it; the reservation is given back then.
  @usableFromInline
  @inline(never)
  func storeWithRoom(
    from outcome: WriteOutcome, _ value: Value, forKey key: Key, hash: UInt64, cost: Int,
    times: EntryTimes, rule: EvictionRule, leavers: inout Leavers<Key, Value>
  ) -> Bool {
    guard case .short(let isOverCount) = outcome else { return true }
    guard makeRoom(isOverCount: isOverCount, cost: cost, avoiding: hash, leavers: &leavers) else {
      release(cost: cost)
      return false
    }
    let other = groups.withTable(of: hash) { table in
      // Another thread may have set the key meanwhile.
      let other = table.find(key, hash: hash).map { table.remove($0) }
      if let other { release(cost: other.cost) }
      table.insert(value, forKey: key, hash: hash, cost: cost, times: times, rule: rule)
      table.statistics.sets += 1
      return other.map(\.entry)
    }
    if let other { leavers.take(other, .replaced) }
    return true
  }

  /// Evicts from other groups until the reservations fit: the entry's own group had nothing left.
  ///
  /// - Returns: Whether they fit.
  @usableFromInline
  func makeRoom(
    isOverCount: Bool, cost: Int, avoiding hash: UInt64, leavers: inout Leavers<Key, Value>
  ) -> Bool {
    var isOverCount = isOverCount
    let rule = rule
    var number = Int(truncatingIfNeeded: hash >> 32)
    var empty = 0
    let all = EntryGroups<Key, Value>.largestCount
    func fits() -> Bool { cost == 0 || entryCost.load(ordering: .relaxed) <= costLimit }
    while empty < all, isOverCount || !fits() {
      number += 1
      let reason: EvictionReason = isOverCount ? .countLimit : .costLimit
      let wasThere = groups.group(number & (all - 1)).pointee.withLock {
        evictOne(from: &$0, rule: rule, reason, leavers: &leavers)
      }
      guard wasThere else {
        empty += 1
        continue
      }
      empty = 0
      isOverCount = false
    }
    return !isOverCount && fits()
  }

  /// Removes entries until only this share of them is left, the next to be evicted first.
  ///
  /// - Parameter share: From 0, nothing, to 1, everything; what is no number removes nothing.
  public func trim(keeping share: Double) {
    var leavers = Leavers<Key, Value>()
    let rule = rule
    let share = share.isNaN ? 1 : Swift.min(Swift.max(share, 0), 1)
    groups.forEach { table in
      let kept = Int(Double(table.count) * share)
      while table.count > kept,
        evictOne(from: &table, rule: rule, .memoryPressure, leavers: &leavers)
      {}
    }
    if let onEvent { leavers.report(to: onEvent) }
  }

  @inlinable
  func isStillValid(_ times: EntryTimes) -> Bool {
    times.isNever || times.deadline > clock.monotonic().nanoseconds
  }

  /// What is not kept must not leave an older value behind.
  @usableFromInline
  func refuse(_ key: Key, isTooCostly: Bool) {
    remove(key)
    if isTooCostly, let onEvent { onEvent(.evicted(key, .tooCostly)) }
  }

  /// Removes what has expired in one table, and notes it for the events.
  @usableFromInline
  func removeExpired(
    in table: inout EntryTable<Key, Value>, noting leavers: inout Leavers<Key, Value>
  ) {
    table.removeExpired(at: clock.monotonic().nanoseconds) { entry, cost in
      release(cost: cost)
      leavers.take(entry, .expired)
    }
  }
}
