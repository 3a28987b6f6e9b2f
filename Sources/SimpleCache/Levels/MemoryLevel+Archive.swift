import Foundation
public import SimpleStore

extension MemoryLevel where Key: StableKey, Value: StoreConvertible {
  /// Writes what the level holds to a backend, in place of what was there: keys, values and when each
  /// expires. ``init(unarchiving:countLimit:costLimit:expiry:clock:)`` brings it back.
  ///
  /// ```swift
  /// let names = MemoryLevel<Int, String>(countLimit: 100)
  /// try names.archive(to: .json(at: url))
  /// ```
  ///
  /// - Throws: What the backend throws; what was there is still there then.
  public func archive(to backend: some StoreBackend) throws(StoreError) {
    let (now, wall) = (clock.monotonic(), clock.wall())
    var archived: [StoreValue] = []
    for (entry, deadline) in entries() {
      var stored: StoreDocument = [
        "key": Data(entry.key.stableBytes).storeValue, "value": entry.value.storeValue,
      ]
      if deadline != .max {
        let deadline = CacheInstant(nanoseconds: deadline)
        stored["expires"] = (wall + now.duration(to: deadline) / .seconds(1)).storeValue
      }
      archived.append(.dictionary(stored))
    }
    try backend.lock()
    defer { backend.unlock() }
    try backend.save(["archived": wall.storeValue, "entries": .array(archived)])
  }

  /// What has not expired, with its deadline. Being archived is no use of an entry.
  private func entries() -> [(EntryTable<Key, Value>.Slot, deadline: Int64)] {
    removeExpired()
    var entries: [(EntryTable<Key, Value>.Slot, deadline: Int64)] = []
    groups.forEach { entries += $0.entries }
    return entries
  }

  /// A level with what ``archive(to:)`` wrote. What has expired since is left out, and so is what can
  /// no longer be read as a key and a value; nothing there is an empty level.
  ///
  /// An entry expires when it would have, or when this level's expiry says, whichever is earlier. If
  /// the archive is from the future the clock was set back, and whatever expires has expired.
  ///
  /// - Throws: What the backend throws when it cannot be read.
  public convenience init(
    unarchiving backend: some StoreBackend, countLimit: Int? = nil, costLimit: Int? = nil,
    expiry: CacheExpiry = .never, clock: CacheClock = .system
  ) throws(StoreError) {
    self.init(countLimit: countLimit, costLimit: costLimit, expiry: expiry, clock: clock)
    guard let document = try backend.load(), case .array(let entries)? = document["entries"] else {
      return
    }
    let (now, wall) = (clock.monotonic(), clock.wall())
    let archived = document["archived"].flatMap { Date(storeValue: $0) } ?? wall
    for case .dictionary(let stored) in entries {
      guard let bytes = stored["key"].flatMap({ Data(storeValue: $0) }),
        let key = Key(stableBytes: Array(bytes)),
        let value = stored["value"].flatMap({ Value(storeValue: $0) })
      else { continue }
      var entry = CacheEntry(value)
      if let expires = stored["expires"] {
        guard archived <= wall, let date = Date(storeValue: expires), date > wall else { continue }
        entry.deadline = now.advanced(by: .saturating(date.timeIntervalSince(wall)))
      }
      setEntry(entry, forKey: key)
    }
  }
}
