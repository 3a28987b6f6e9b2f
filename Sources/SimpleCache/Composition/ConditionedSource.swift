/// A source or level that is asked only for the keys a condition accepts.
///
/// Any other key is a miss, so that a level behind is asked for it; to make it an error, the condition
/// throws. Writes are not conditioned. Made by ``CacheSource/conditioned(_:)``.
public struct ConditionedSource<Base: CacheSource>: CacheSource {
  public typealias Key = Base.Key
  public typealias Value = Base.Value

  let base: Base
  let condition: @Sendable (Key) async throws -> Bool

  public var name: String { base.name }

  public func get(_ key: Key) async throws -> Value? {
    try await isAccepted(key) ? base.get(key) : nil
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await isAccepted(key) ? base.entry(for: key) : nil
  }

  func isAccepted(_ key: Key) async throws -> Bool {
    do { return try await condition(key) } catch {
      // Whatever was made of it: if this task was cancelled, that is why.
      try Task.checkCancellation()
      if error is CancellationError || error is CacheError { throw error }
      throw CacheError(
        .refused, level: base.name, key: key, operation: .get, underlying: error)
    }
  }
}

extension ConditionedSource: CacheLevel where Base: CacheLevel {
  public func set(_ value: Value, forKey key: Key) async throws {
    try await base.set(value, forKey: key)
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await base.setEntry(entry, forKey: key)
  }

  public func remove(_ key: Key) async throws { try await base.remove(key) }
  public func removeAll() async throws { try await base.removeAll() }
}

extension CacheSource {
  /// Asks this source only for the keys that a condition accepts.
  ///
  /// ```swift
  /// let local = disk.conditioned { url in url.host() != "live.example.com" }
  /// ```
  ///
  /// - Parameter condition: Whether to ask for a key; `false` is a miss, an error becomes a
  ///   ``CacheError`` with the code `refused`.
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> ConditionedSource<Self> {
    ConditionedSource(base: self, condition: condition)
  }
}
