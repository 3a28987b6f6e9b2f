/// A source or level of another kind of value, converted in a way that depends on the key.
///
/// Errors are those of ``ValueTransformed``. Made by
/// ``CacheSource/conditionedValueTransformation(_:)``.
public struct ConditionallyTransformed<
  Base: CacheSource, Transformer: ConditionedOneWayTransformer
>: CacheSource
where Transformer.Key == Base.Key, Transformer.Input == Base.Value {
  public typealias Key = Base.Key
  public typealias Value = Transformer.Output

  let base: Base
  let transformer: Transformer

  public var name: String { base.name }

  public func get(_ key: Key) async throws -> Value? {
    guard let value = try await base.get(key) else { return nil }
    return try await convert(value, key)
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await convert(base.entry(for: key), key)
  }

  func convert(_ entry: CacheEntry<Base.Value>?, _ key: Key) async throws -> CacheEntry<Value>? {
    guard let entry else { return nil }
    return entry.with(try await convert(entry.value, key))
  }

  private func convert(_ value: Base.Value, _ key: Key) async throws -> Value {
    try await transforming(in: base, for: key) { try await transformer.transform(value, for: key) }
  }
}

extension ConditionallyTransformed: CacheLevel
where Base: CacheLevel, Transformer: ConditionedTwoWayTransformer {
  public func set(_ value: Value, forKey key: Key) async throws {
    try await base.set(convertBack(value, key), forKey: key)
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await base.setEntry(entry.with(convertBack(entry.value, key)), forKey: key)
  }

  public func remove(_ key: Key) async throws { try await base.remove(key) }
  public func removeAll() async throws { try await base.removeAll() }

  private func convertBack(_ value: Value, _ key: Key) async throws -> Base.Value {
    try await transforming(in: base, for: key) {
      try await transformer.inverseTransform(value, for: key)
    }
  }
}

extension CacheSource {
  /// Gives another kind of value, converted in a way that depends on the key. A level stays a level
  /// if the transformer works both ways.
  ///
  /// - Parameter transformer: From this source's values to the new ones.
  public func conditionedValueTransformation<Transformer: ConditionedOneWayTransformer>(
    _ transformer: Transformer
  ) -> ConditionallyTransformed<Self, Transformer>
  where Transformer.Key == Key, Transformer.Input == Value {
    ConditionallyTransformed(base: self, transformer: transformer)
  }
}
