import SimpleStore

/// One fetch for all who ask for the same key at the same time.
///
/// The first caller starts the fetch, the others join it; all end with its value or its error.
/// Nothing is kept: after the last one has ended, the next caller starts a new fetch, also after an
/// error. A caller that is cancelled ends at once with `CancellationError` and leaves the others
/// waiting; when all have gone the fetch is cancelled, and whoever comes then starts a new one. Each
/// call ends exactly once.
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
  }

  private typealias Waiter = OneShot<CacheEntry<Value>?>

  private struct Fetch {
    let request: Request
    var waiters: [UInt64: Waiter]
    var task: Task<Void, Never>?
  }

  private struct State {
    /// The fetch that a new caller joins.
    var current: [Request: UInt64] = [:]
    /// All that somebody waits for.
    var fetches: [UInt64: Fetch] = [:]
    var nextNumber: UInt64 = 0

    mutating func number() -> UInt64 {
      nextNumber += 1
      return nextNumber
    }

    mutating func end(_ number: UInt64) -> Fetch? {
      guard let fetch = fetches.removeValue(forKey: number) else { return nil }
      if current[fetch.request] == number { current[fetch.request] = nil }
      return fetch
    }
  }

  private let state = Guarded(State())

  init(_ base: Base) { self.base = base }

  public var name: String { base.name }

  /// The number of fetches that somebody waits for.
  public var fetchCount: Int { state.withLock { $0.fetches.count } }

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
    // Who is cancelled already does not start a fetch only to cancel it.
    try Task.checkCancellation()
    let waiter = Waiter()
    let (fetch, place) = join(request, waiter, body)
    return try await waiter.wait { [self] in leave(fetch, place) }
  }

  private func join(
    _ request: Request, _ waiter: Waiter,
    _ body: @escaping @Sendable () async throws -> CacheEntry<Value>?
  ) -> (fetch: UInt64, place: UInt64) {
    state.withLock { state in
      let place = state.number()
      if let number = state.current[request] {
        state.fetches[number]?.waiters[place] = waiter
        return (number, place)
      }
      let number = state.number()
      let task = Task { [self] in
        let result: Result<CacheEntry<Value>?, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        end(number, result)
      }
      state.current[request] = number
      state.fetches[number] = Fetch(request: request, waiters: [place: waiter], task: task)
      return (number, place)
    }
  }

  private func end(_ number: UInt64, _ result: Result<CacheEntry<Value>?, any Error>) {
    // Taken out under the lock, told outside it: a waiter is told once, and may ask again at once.
    let fetch = state.withLock { $0.end(number) }
    fetch?.waiters.values.forEach { $0.end(result) }
  }

  private func leave(_ number: UInt64, _ place: UInt64) {
    let abandoned = state.withLock { state in
      state.fetches[number]?.waiters[place] = nil
      return state.fetches[number]?.waiters.isEmpty == true ? state.end(number) : nil
    }
    abandoned?.task?.cancel()
  }

  /// From now on nobody joins the fetches of a key, or of any.
  private func detach(_ key: Key?) {
    state.withLock { state in
      if let key {
        state.current[.read(key)] = nil
        state.current[.refresh(key)] = nil
      } else {
        state.current = [:]
      }
    }
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

extension CacheSource {
  /// Lets all who ask for the same key at the same time share one fetch. See ``PooledSource``.
  public func pooled() -> PooledSource<Self> { PooledSource(self) }
}
