/// A source that keeps what it is given.
///
/// A level may forget at any time (that is what makes it a cache), but it never gives a value other
/// than the last one set. Caches are built by putting levels over one another with
/// ``CacheLevel/compose(_:onEvent:)``.
///
/// ```swift
/// actor Shelf: CacheLevel {
///   private var books: [String: String] = [:]
///   func get(_ key: String) -> String? { books[key] }
///   func set(_ value: String, forKey key: String) { books[key] = value }
///   func remove(_ key: String) { books[key] = nil }
///   func removeAll() { books = [:] }
/// }
/// ```
///
/// The laws below are code in `CacheLevelLaws`; run them on a level of your own.
public protocol CacheLevel<Key, Value>: CacheSource {
  /// Keeps a value under a key, for as long as the level's own expiry says.
  ///
  /// Law: when the call has returned, ``CacheSource/get(_:)`` gives this value or, once it was
  /// evicted or has expired, nothing; never an older value. Law: when it throws, the level has the
  /// old value or none. (What is composed of several levels takes back what some of them kept. Only if
  /// those fail to remove it as well may it have the new value; never another.)
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: Its key.
  /// - Throws: When the value could not be kept because of a fault. Not being kept because of a
  ///   limit is no fault.
  func set(_ value: Value, forKey key: Key) async throws

  /// Keeps a value that came from another level, no longer than that level would have.
  ///
  /// Law: as ``set(_:forKey:)``, and the entry expires at the *earlier* of its own deadline and the
  /// one the level's expiry gives. By default an entry without a deadline is set, and one with a
  /// deadline is not kept (an older value is removed): a level that knows no expiry would serve it
  /// for ever. Write it in a level that can keep a deadline.
  ///
  /// - Parameters:
  ///   - entry: The value and its deadline.
  ///   - key: Its key.
  /// - Throws: As ``set(_:forKey:)``.
  func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws

  /// Forgets the value of one key.
  ///
  /// Law: when the call has returned, the level has no value for the key; over a source (a network)
  /// the next read asks that again. Law: removing what is not there is no error.
  ///
  /// - Parameter key: The key.
  /// - Throws: When it may still be there.
  func remove(_ key: Key) async throws

  /// Forgets everything.
  ///
  /// Law: as ``remove(_:)``, for every key.
  ///
  /// - Throws: When something may still be there.
  func removeAll() async throws
}

extension CacheLevel {
  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    if entry.deadline == nil {
      try await set(entry.value, forKey: key)
    } else {
      try await remove(key)
    }
  }
}
