/// Something values can be read from: a cache, a network, a computation.
///
/// A source is asked by key and answers with a value, with `nil` for a miss, or with an error. The
/// three are different things: a miss says "there is none here, ask the next level", an error says
/// "I could not find out". A network is a source; it does not pretend to be writable. What can be
/// written too is a ``CacheLevel``.
///
/// ```swift
/// struct Doubler: CacheSource {
///   func get(_ key: Int) async throws -> Int? { key * 2 }
/// }
/// ```
///
/// Only ``get(_:)`` has to be written.
public protocol CacheSource<Key, Value>: Sendable {
  /// What values are asked for by.
  associatedtype Key: Hashable & Sendable
  /// What is kept or fetched.
  associatedtype Value: Sendable

  /// The name that errors and events give this source. By default the name of its type.
  var name: String { get }

  /// Reads one value.
  ///
  /// Law: `nil` means that the source has no value for the key; everything that keeps it from
  /// finding out is thrown. Law: an entry that has expired is a miss. Law: a call whose task is
  /// cancelled may finish, or ends with `CancellationError`; it never ends with `nil` because it was
  /// cancelled. Law: calls from several tasks at once are safe.
  ///
  /// - Parameter key: What to look for.
  /// - Returns: The value, or `nil` for a miss.
  /// - Throws: ``CacheError``, `CancellationError`, or whatever a source of your own throws.
  func get(_ key: Key) async throws -> Value?

  /// Reads one value together with the moment at which it stops being valid.
  ///
  /// Law: gives an entry exactly when ``get(_:)`` gives a value. Law: the deadline is the one the
  /// source will itself observe, so that a level which keeps a copy never keeps it for longer. By
  /// default an entry that never expires, from ``get(_:)``; write it in a source whose values expire.
  ///
  /// - Parameter key: What to look for.
  /// - Returns: The value and its deadline, or `nil` for a miss.
  /// - Throws: As ``get(_:)``.
  func entry(for key: Key) async throws -> CacheEntry<Value>?

  /// The value, if it can be had at once: from memory, without waiting and without suspending.
  ///
  /// Law: a value given here is one that ``get(_:)`` would have given. `nil` says nothing about
  /// whether there is one. By default `nil`; ``MemoryLevel`` and what is composed over it answer, so
  /// that a hit in memory starts no task.
  func getIfReady(_ key: Key) -> Value?
}

extension CacheSource {
  public var name: String {
    let full = String(describing: Self.self)
    return String(full.prefix { $0 != "<" })
  }

  @inlinable
  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    guard let value = try await get(key) else { return nil }
    return CacheEntry(value)
  }

  @inlinable
  public func getIfReady(_ key: Key) -> Value? { nil }
}
