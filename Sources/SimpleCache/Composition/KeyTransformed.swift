/// A source or level asked by another kind of key.
///
/// A key that cannot be converted is a ``CacheError`` with the code `untransformable`, and the base is
/// not asked. Made by `transformKeys` of a ``CacheSource``.
public struct KeyTransformed<Base: CacheSource, Transformer: OneWayTransformer>: CacheSource
where Transformer.Output == Base.Key, Transformer.Input: Hashable {
  public typealias Key = Transformer.Input
  public typealias Value = Base.Value

  let base: Base
  let transformer: Transformer

  public var name: String { base.name }

  public func get(_ key: Key) async throws -> Value? {
    try await base.get(convert(key, .get))
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.entry(for: convert(key, .get))
  }

  func convert(
    _ key: Key, _ operation: CacheError.Operation = .get
  ) async throws -> Base.Key {
    try await transforming(in: base, for: key, during: operation) {
      try await transformer.transform(key)
    }
  }
}

extension KeyTransformed: CacheLevel where Base: CacheLevel {
  public func set(_ value: Value, forKey key: Key) async throws {
    try await base.set(value, forKey: convert(key, .set))
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await base.setEntry(entry, forKey: convert(key, .set))
  }

  public func remove(_ key: Key) async throws { try await base.remove(convert(key, .remove)) }
  public func removeAll() async throws { try await base.removeAll() }
}

extension CacheSource {
  /// Asks this source by another kind of key.
  ///
  /// Different keys must be converted to different ones, or they share a value.
  ///
  /// - Parameter transformer: From the new key to this source's.
  public func transformKeys<Transformer: OneWayTransformer>(
    _ transformer: Transformer
  ) -> KeyTransformed<Self, Transformer> where Transformer.Output == Key {
    KeyTransformed(base: self, transformer: transformer)
  }

  /// Asks this source by another kind of key.
  ///
  /// - Parameter transform: From the new key to this source's.
  public func transformKeys<Other: Hashable & Sendable>(
    _ transform: @escaping @Sendable (Other) async throws -> Key
  ) -> KeyTransformed<Self, ClosureTransformer<Other, Key>> {
    transformKeys(ClosureTransformer(transform))
  }
}

/// Runs a conversion; its failure becomes a ``CacheError`` that names the level and the key.
func transforming<Result>(
  in level: some CacheSource, for key: Any, during operation: CacheError.Operation? = nil,
  _ body: () async throws -> Result
) async throws -> Result {
  do { return try await body() } catch {
    // Whatever was made of it: if this task was cancelled, that is why.
    try Task.checkCancellation()
    if error is CancellationError { throw error }
    if let error = error as? CacheError, error.code != .untransformable { throw error }
    throw CacheError(
      .untransformable, level: level.name, key: key, operation: operation, underlying: error)
  }
}
