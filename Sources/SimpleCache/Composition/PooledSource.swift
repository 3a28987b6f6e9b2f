/// One fetch for all who ask for the same key at the same time.
///
/// The first caller starts the fetch, the others join it; all end with its value or its error.
/// Nothing is kept: after the last one has ended, the next caller starts a new fetch, also after an
/// error. A caller that is cancelled ends at once with `CancellationError` and leaves the others
/// waiting; when all have gone the fetch is cancelled, and whoever comes then starts a new one. Each
/// call ends exactly once.
///
/// A read and a refresh (``RefreshableSource/refreshedEntry(for:)``) of one key look in different
/// places, but share what they ask the source for: a read that finds nothing cached joins the fetch of a
/// refresh, and a refresh that of such a read.
///
/// A source may ask the pool that it is part of for other keys. One that asks for the key that it is
/// fetching, itself or by way of other keys, gets an error (``CacheError/Code/circular``): it would wait
/// for itself for ever.
///
/// A value that can be had at once (``CacheSource/getIfReady(_:)``) starts nothing. After `set`,
/// `remove` and `removeAll` nobody joins a fetch that began before.
///
/// Made by ``CacheSource/pooled()``.
public final class PooledSource<Base: CacheSource>: CacheSource {
  public typealias Key = Base.Key
  public typealias Value = Base.Value

  /// What is asked.
  public let base: Base

  enum Request: Hashable, Sendable {
    case read(Key)
    case refresh(Key)

    var key: Key {
      switch self {
      case .read(let key), .refresh(let key): key
      }
    }
  }

  private let calls: FetchTable<Key, Request, CacheEntry<Value>?>
  /// What the calls ask the source for; `nil` if the base is the source.
  private let fetches: FetchTable<Key, FetchPlace, any Sendable>?

  init(_ base: Base) {
    self.base = base
    calls = FetchTable(name: base.name)
    fetches = SimpleCache.knowsFresh(base) ? FetchTable(name: base.name) : nil
  }

  public var name: String { base.name }

  /// The number of fetches that somebody waits for.
  public var fetchCount: Int { calls.count }

  @inlinable
  public func getIfReady(_ key: Key) -> Value? { base.getIfReady(key) }

  @inlinable
  public func get(_ key: Key) async throws -> Value? {
    if let value = base.getIfReady(key) { return value }
    return try await entry(for: key)?.value
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await share(.read(key)) { [base] in try await base.entry(for: key) }
  }

  func share(
    _ request: Request, _ body: @escaping @Sendable () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    guard let fetches else { return try await calls.share(request, of: request.key, body) }
    return try await calls.share(request, of: request.key) {
      let shared = SharedFetches(of: request.key, in: fetches)
      return try await SharedFetches.$current.withValue(shared) { try await body() }
    }
  }

  /// From now on nobody joins the fetches of a key, or of any.
  private func detach(_ key: Key?) {
    calls.close(key)
    fetches?.close(key)
  }

  /// Before, because the fetch is old from now on; after, because one that began during the write
  /// may have seen the old value.
  private func detaching(_ key: Key?, _ body: () async throws -> Void) async throws {
    detach(key)
    defer { detach(key) }
    try await body()
  }
}

extension PooledSource: CacheLevel where Base: CacheLevel {
  public func set(_ value: Value, forKey key: Key) async throws {
    try await detaching(key) { try await base.set(value, forKey: key) }
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await detaching(key) { try await base.setEntry(entry, forKey: key) }
  }

  public func remove(_ key: Key) async throws {
    try await detaching(key) { try await base.remove(key) }
  }

  public func removeAll() async throws {
    try await detaching(nil) { try await base.removeAll() }
  }
}

extension PooledSource: Forgetting {
  func forget(_ key: Key?) async throws {
    try await detaching(key) { try await SimpleCache.forget(key, in: base) }
  }
}

extension CacheSource {
  /// Lets all who ask for the same key at the same time share one fetch. See ``PooledSource``.
  public func pooled() -> PooledSource<Self> { PooledSource(self) }
}
