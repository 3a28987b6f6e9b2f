/// A level that can be used without `await`, on the caller's thread: memory, disk, and what is composed
/// of such levels.
///
/// ```swift
/// let names = MemoryLevel<Int, String>(countLimit: 100)
///   .compose(DiskLevel<Int, String>(named: "names", coding: .text))
/// names[1] = "sky"
/// let name = names[1]
/// ```
///
/// The laws are those of ``CacheLevel``; a call may be mixed with calls that have to be awaited. Nothing
/// here waits for another task: a thread that waits may be the one that the other task needs.
public protocol ImmediateLevel<Key, Value>: CacheLevel {
  /// The value of a key. Setting `nil` removes it.
  ///
  /// A read that fails is a miss. A value that cannot be kept is a miss as well, and the one before it is
  /// removed. You do not have to write this.
  subscript(key: Key) -> Value? { get nonmutating set }

  /// Reads one value with its deadline; as ``CacheSource/entry(for:)``.
  ///
  /// - Parameter key: What to look for.
  /// - Returns: The value and its deadline, or `nil` for a miss.
  func entryNow(for key: Key) throws -> CacheEntry<Value>?

  /// Keeps a value; as ``CacheLevel/set(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: Its key.
  func setNow(_ value: Value, forKey key: Key) throws

  /// Keeps a value that came from another level; as ``CacheLevel/setEntry(_:forKey:)``, and with the
  /// same default.
  ///
  /// - Parameters:
  ///   - entry: The value and its deadline.
  ///   - key: Its key.
  func setEntryNow(_ entry: CacheEntry<Value>, forKey key: Key) throws

  /// Forgets the value of one key; as ``CacheLevel/remove(_:)``.
  ///
  /// - Parameter key: The key.
  func removeNow(_ key: Key) throws
}

extension ImmediateLevel {
  public subscript(key: Key) -> Value? {
    get {
      // A level that tells of its failures has told of this one.
      try? entryNow(for: key)?.value
    }
    nonmutating set {
      if let newValue {
        do { return try setNow(newValue, forKey: key) } catch {
          // As in `get`. The caller does not learn of it, so an older value must not stay.
        }
      }
      // As in `get`. What can neither be written nor removed is all that stays.
      try? removeNow(key)
    }
  }

  public func setEntryNow(_ entry: CacheEntry<Value>, forKey key: Key) throws {
    if entry.deadline == nil {
      try setNow(entry.value, forKey: key)
    } else {
      try removeNow(key)
    }
  }
}

extension MemoryLevel: ImmediateLevel {
  public func entryNow(for key: Key) -> CacheEntry<Value>? { entry(for: key) }
  public func setNow(_ value: Value, forKey key: Key) { set(value, forKey: key) }
  public func setEntryNow(_ entry: CacheEntry<Value>, forKey key: Key) {
    setEntry(entry, forKey: key)
  }
  public func removeNow(_ key: Key) { remove(key) }
}

extension DiskLevel: ImmediateLevel {
  public func entryNow(for key: Key) throws -> CacheEntry<Value>? { try readEntry(key) }

  public func setNow(_ value: Value, forKey key: Key) throws {
    try store(value, forKey: key, expiry: expiry, bound: nil)
  }

  public func setEntryNow(_ entry: CacheEntry<Value>, forKey key: Key) throws {
    try store(entry.value, forKey: key, expiry: expiry, bound: entry.deadline)
  }

  public func removeNow(_ key: Key) throws { try forget(key) }
}
