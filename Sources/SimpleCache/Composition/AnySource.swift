/// A source whose type is not written out: what ``CacheSource/normalize()`` gives.
public struct AnySource<Key: Hashable & Sendable, Value: Sendable>: CacheSource {
  let base: any CacheSource<Key, Value>

  /// The same source under this type; ``CacheSource/normalize()`` makes one.
  ///
  /// - Parameter base: What is asked.
  public init(_ base: some CacheSource<Key, Value>) { self.base = base }

  public var name: String { base.name }
  public func getIfReady(_ key: Key) -> Value? { base.getIfReady(key) }
  public func get(_ key: Key) async throws -> Value? { try await base.get(key) }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.entry(for: key)
  }
}

/// A level whose type is not written out: what ``CacheLevel/normalize()`` gives.
public struct AnyLevel<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
  let base: any CacheLevel<Key, Value>

  /// The same level under this type; ``CacheLevel/normalize()`` makes one.
  ///
  /// - Parameter base: What is asked and written.
  public init(_ base: some CacheLevel<Key, Value>) { self.base = base }

  public var name: String { base.name }
  public func getIfReady(_ key: Key) -> Value? { base.getIfReady(key) }
  public func get(_ key: Key) async throws -> Value? { try await base.get(key) }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.entry(for: key)
  }

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
  /// The same source under a type that says only what its keys and values are.
  public func normalize() -> AnySource<Key, Value> { AnySource(self) }
}

extension CacheLevel {
  /// The same level under a type that says only what its keys and values are.
  public func normalize() -> AnyLevel<Key, Value> { AnyLevel(self) }
}
