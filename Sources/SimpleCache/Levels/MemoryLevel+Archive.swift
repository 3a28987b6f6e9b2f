import Foundation
public import SimpleStore

extension MemoryLevel where Key: StableKey, Value: StoreConvertible {
  /// Writes what the level holds to a backend, in place of what was there: keys, values, what each costs,
  /// when it expires, and which were used last. It comes back by
  /// ``init(unarchiving:countLimit:costLimit:expiry:clock:name:cost:onEvent:)``.
  ///
  /// The order of use is exact up to 1,024 entries; of more, it is as near as 16 groups with an order of
  /// their own can tell.
  ///
  /// ```swift
  /// let names = MemoryLevel<Int, String>(countLimit: 100)
  /// try names.archive(to: .json(at: url))
  /// ```
  ///
  /// A damaged file is moved aside first, as by a store.
  ///
  /// - Throws: What the backend throws; what was there is still there then.
  public func archive(to backend: some StoreBackend) throws(StoreError) {
    let (now, wall) = (clock.monotonic(), clock.wall())
    let archived = entries().map { entry in
      var stored: StoreDocument = [
        "key": Data(entry.key.stableBytes).storeValue, "value": entry.value.storeValue,
      ]
      if costOf != nil || entry.cost != 0 { stored["cost"] = entry.cost.storeValue }
      func date(of moment: Int64) -> StoreValue {
        (wall + now.duration(to: CacheInstant(nanoseconds: moment)) / .seconds(1)).storeValue
      }
      let times = entry.times
      if times.deadline != .max { stored["expires"] = date(of: times.deadline) }
      if times.slide > 0 {
        stored["sliding"] = Duration.nanoseconds(times.slide).storeValue
        if times.bound != .max { stored["expiresAtLast"] = date(of: times.bound) }
      }
      return StoreValue.dictionary(stored)
    }
    try backend.lock()
    defer { backend.unlock() }
    let document: StoreDocument = ["archived": wall.storeValue, "entries": .array(archived)]
    do { _ = try backend.load() } catch {
      guard error.code == .damaged else { throw error }
      var place: String?
      return try backend.replaceDamaged(with: document, movedTo: &place)
    }
    try backend.save(document)
  }

  /// What has not expired, the least recently used first. Being archived is no use of an entry.
  private func entries() -> [EntryTable<Key, Value>.Moved] {
    removeExpired()
    var groups: [[EntryTable<Key, Value>.Moved]] = []
    self.groups.forEach { groups.append($0.archived) }
    guard groups.count > 1 else { return groups.first ?? [] }
    // Keys are in groups by chance, so what is half-way in one order is about half-way in another.
    return groups.flatMap { group in
      group.enumerated().map { (place: (Double($0) + 0.5) / Double(group.count), entry: $1) }
    }.sorted { $0.place < $1.place }.map(\.entry)
  }

  /// A level with what ``archive(to:)`` wrote. What has expired since is left out, and so is what can
  /// no longer be read as a key and a value; nothing there is an empty level. If the limits are smaller
  /// than they were, what was used last comes back.
  ///
  /// An entry expires when it would have, or when this level's expiry says, whichever is earlier; what
  /// slid goes on sliding from the time it has left, within both. If the archive is from the future the
  /// clock was set back, and whatever expires has expired.
  ///
  /// - Parameters:
  ///   - backend: Where the archive is.
  ///   - countLimit: The most entries it holds; `nil` is no limit, 0 keeps nothing. Must not be
  ///     negative.
  ///   - costLimit: The most its entries may cost together; `nil` is no limit, 0 keeps only what
  ///     costs nothing. Must not be negative. What comes from the archive costs what it did there.
  ///   - expiry: How long an entry is kept unless its `set` says otherwise.
  ///   - clock: What time it is.
  ///   - name: The name in errors and events.
  ///   - cost: What a value costs unless its `set` or the archive says. By default as in
  ///     ``init(countLimit:costLimit:expiry:clock:name:cost:onEvent:)``.
  ///   - onEvent: Called with everything that happens, first with a `set` of each entry that comes back.
  ///     Without it nothing is called or made.
  /// - Throws: What the backend throws when it cannot be read.
  public convenience init(
    unarchiving backend: some StoreBackend, countLimit: Int? = nil, costLimit: Int? = nil,
    expiry: CacheExpiry = .never, clock: CacheClock = .system, name: String = "MemoryLevel",
    cost: (@Sendable (Value) -> Int)? = nil, onEvent: CacheEventHandler<Key>? = nil
  ) throws(StoreError) {
    self.init(
      countLimit: countLimit, costLimit: costLimit, expiry: expiry, clock: clock, name: name,
      cost: cost, onEvent: onEvent)
    guard let document = try backend.load(), case .array(let stored)? = document["entries"] else {
      return
    }
    let (now, wall) = (clock.monotonic(), clock.wall())
    let archived = document["archived"].flatMap { Date(storeValue: $0) } ?? wall
    let reader = ArchiveReader(now: now, wall: wall, isFromTheFuture: archived > wall)
    var entries: [(key: Key, value: Value, cost: Int, times: EntryTimes)] = []
    var total = 0
    let own = EntryTimes(expiry, bound: nil, clock: clock)
    // From the last used on, as long as they fit: putting all in, and out again, would look like a scan.
    for case .dictionary(let stored) in stored.reversed() where entries.count < self.countLimit {
      guard let bytes = stored["key"].flatMap({ Data(storeValue: $0) }),
        let key = Key(stableBytes: Array(bytes)),
        let value = stored["value"].flatMap({ Value(storeValue: $0) }),
        let times = reader.times(of: stored, within: own)
      else { continue }
      let known = stored["cost"].flatMap { Int(storeValue: $0) }
      let cost = max(0, known ?? costOf?(value) ?? 0)
      guard cost <= self.costLimit - total else { continue }
      total += cost
      entries.append((key, value, cost, times))
    }
    for entry in entries.reversed() {
      store(entry.value, forKey: entry.key, cost: entry.cost, times: entry.times)
    }
  }
}

/// When an archived entry expires, by the clocks of this process.
private struct ArchiveReader {
  let now: CacheInstant
  let wall: Date
  let isFromTheFuture: Bool

  /// - Parameter own: What the level gives an entry that is set now.
  /// - Returns: The earlier of both, or `nil` if it has expired.
  func times(of stored: StoreDocument, within own: EntryTimes) -> EntryTimes? {
    guard let expires = stored["expires"] else { return own }
    guard !isFromTheFuture, let deadline = moment(expires), deadline > now else { return nil }
    var times = own
    times.deadline = min(own.deadline, deadline.nanoseconds)
    // Archives that do not say whether an entry slides are older, and of those none does.
    let slide = stored["sliding"].flatMap { Duration(storeValue: $0) }?.saturatedNanoseconds ?? 0
    guard slide > 0 else {
      times.bound = min(own.bound, deadline.nanoseconds)
      return times
    }
    if own.slide > 0 {
      times.slide = min(own.slide, slide)
    } else {
      times.slide = slide
      times.bound = min(own.bound, own.deadline)
    }
    if let last = stored["expiresAtLast"] {
      guard let bound = moment(last) else { return nil }
      times.bound = min(times.bound, bound.nanoseconds)
    }
    return times
  }

  private func moment(_ stored: StoreValue) -> CacheInstant? {
    Date(storeValue: stored).map {
      now.advanced(by: .saturating($0.timeIntervalSince(wall)))
    }
  }
}

extension EntryTable {
  /// All entries, the next to go first. Their hashes are not told.
  fileprivate var archived: [Moved] {
    var entries: [Moved] = []
    entries.reserveCapacity(count)
    var slot = order.oldest
    while slot != EvictionOrder.none {
      let entry = slots.base[Int(slot)]
      entries.append(
        Moved(
          key: entry.key, value: entry.value, hash: 0, cost: cost(of: slot),
          times: times.isEmpty ? .never : times[Int(slot)]))
      slot = order.links.base[Int(slot)].newer
    }
    return entries
  }
}
