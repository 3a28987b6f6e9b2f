/// A source or level whose values are worked on after they were read, in a way that depends on the key.
///
/// Made by `conditionedPostProcess` of a ``CacheSource``.
public struct ConditionallyPostProcessed<
  Base: CacheSource, Transformer: ConditionedOneWayTransformer
>: CacheSource
where
  Transformer.Key == Base.Key, Transformer.Input == Base.Value, Transformer.Output == Base.Value
{
  public typealias Key = Base.Key
  public typealias Value = Base.Value

  let base: Base
  let transformer: Transformer

  public var name: String { base.name }

  public func get(_ key: Key) async throws -> Value? { try await entry(for: key)?.value }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await process(base.entry(for: key), key)
  }

  func process(_ entry: CacheEntry<Value>?, _ key: Key) async throws -> CacheEntry<Value>? {
    guard var entry else { return nil }
    let read = entry.value
    entry.value = try await transforming(in: base, for: key) {
      try await transformer.transform(read, for: key)
    }
    return entry
  }
}

extension ConditionallyPostProcessed: CacheLevel where Base: CacheLevel {
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
  /// Works on each value after it was read, knowing its key.
  ///
  /// - Parameter transformer: Gives what is read instead.
  public func conditionedPostProcess<Transformer: ConditionedOneWayTransformer>(
    _ transformer: Transformer
  ) -> ConditionallyPostProcessed<Self, Transformer>
  where Transformer.Key == Key, Transformer.Input == Value, Transformer.Output == Value {
    ConditionallyPostProcessed(base: self, transformer: transformer)
  }

  /// Works on each value after it was read, knowing its key.
  ///
  /// - Parameter transform: Gives what is read instead.
  public func conditionedPostProcess(
    _ transform: @escaping @Sendable (Value, Key) async throws -> Value
  ) -> ConditionallyPostProcessed<Self, ConditionedTransformer<Key, Value, Value>> {
    conditionedPostProcess(ConditionedTransformer(transform))
  }
}
