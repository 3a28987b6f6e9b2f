import SimpleStore

/// A source or level of any kind whose hits, misses, sets and failures are told and counted.
///
/// Made by ``CacheSource/observed(by:)``. A ``MemoryLevel`` and a ``ComposedLevel`` have hooks of their
/// own, which also tell what only they know.
public final class ObservedSource<Base: CacheSource>: CacheSource {
  public typealias Key = Base.Key
  public typealias Value = Base.Value

  /// What is observed.
  public let base: Base
  private let onEvent: CacheEventHandler<Key>?
  private let counts = Guarded(CacheStatistics())

  init(_ base: Base, onEvent: CacheEventHandler<Key>?) {
    self.base = base
    self.onEvent = onEvent
  }

  public var name: String { base.name }

  /// How often things happened since the observation began.
  public var statistics: CacheStatistics { counts.withLock { $0 } }

  public func getIfReady(_ key: Key) -> Value? {
    guard let value = base.getIfReady(key) else { return nil }
    tell(.hit(key))
    return value
  }

  public func get(_ key: Key) async throws -> Value? {
    try await told(key) {
      let value = try await base.get(key)
      tell(value == nil ? .miss(key) : .hit(key))
      return value
    }
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await toldEntry(key) { try await base.entry(for: key) }
  }

  func toldEntry(
    _ key: Key, _ body: () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    try await told(key) {
      let entry = try await body()
      tell(entry == nil ? .miss(key) : .hit(key))
      return entry
    }
  }

  private func told<Result>(_ key: Key?, _ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch {
      // Whatever was made of it: if this task was cancelled, that is why.
      try Task.checkCancellation()
      if !(error is CancellationError) { tell(.failed(key, error)) }
      throw error
    }
  }

  private func tell(_ event: CacheEvent<Key>) {
    counts.withLock { counts in
      switch event {
      case .hit: counts.hits += 1
      case .miss: counts.misses += 1
      case .set: counts.sets += 1
      case .evicted: counts.evictions += 1
      case .expired: counts.expirations += 1
      case .failed: counts.errors += 1
      }
    }
    onEvent?(event)
  }
}

extension ObservedSource: CacheLevel where Base: CacheLevel {
  public func set(_ value: Value, forKey key: Key) async throws {
    try await told(key) { try await base.set(value, forKey: key) }
    tell(.set(key))
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await told(key) { try await base.setEntry(entry, forKey: key) }
    tell(.set(key))
  }

  public func remove(_ key: Key) async throws {
    try await told(key) { try await base.remove(key) }
  }

  public func removeAll() async throws {
    try await told(nil) { try await base.removeAll() }
  }
}

extension CacheSource {
  /// Tells and counts what happens here.
  ///
  /// - Parameter onEvent: Called with each event; without it they are only counted.
  public func observed(by onEvent: CacheEventHandler<Key>? = nil) -> ObservedSource<Self> {
    ObservedSource(self, onEvent: onEvent)
  }
}
