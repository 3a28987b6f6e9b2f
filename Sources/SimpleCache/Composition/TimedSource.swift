/// A source whose reads end after a time, whatever it does.
///
/// The read ends with a ``CacheError`` of the code `timedOut` and the base's read is cancelled; a
/// base that does not react to that is not waited for. Made by ``CacheSource/timeout(_:clock:)``.
public struct TimedSource<Base: CacheSource>: CacheSource {
  public typealias Key = Base.Key
  public typealias Value = Base.Value

  let base: Base
  let limit: Duration
  let clock: any Clock<Duration>

  public var name: String { base.name }

  public func getIfReady(_ key: Key) -> Value? { base.getIfReady(key) }

  public func get(_ key: Key) async throws -> Value? {
    if let value = base.getIfReady(key) { return value }
    return try await entry(for: key)?.value
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await inTime(key) { [base] in try await base.entry(for: key) }
  }

  func inTime(
    _ key: Key, _ body: @escaping @Sendable () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    try Task.checkCancellation()
    let end = OneShot<CacheEntry<Value>?>()
    let (work, timer) = start(key, end, body)
    defer { timer.cancel() }
    return try await end.wait { work.cancel() }
  }

  private func start(
    _ key: Key, _ end: OneShot<CacheEntry<Value>?>,
    _ body: @escaping @Sendable () async throws -> CacheEntry<Value>?
  ) -> (work: Task<Void, Never>, timer: Task<Void, Never>) {
    let work = Task { _ = end.end(await Result { try await body() }) }
    let timer = Task {
      // Ends early only when it is cancelled, because the read has ended.
      guard (try? await clock.sleep(for: min(limit, longestSleep))) != nil else { return }
      let error = CacheError(
        .timedOut, .timeLimit(limit), level: base.name, key: key, operation: .get)
      if end.end(.failure(error)) { work.cancel() }
    }
    return (work, timer)
  }
}

/// A hundred years: the system's clocks end the program when they are asked for the longest durations.
let longestSleep = Duration.seconds(100 * 366 * 86_400)

extension TimedSource: CacheLevel where Base: CacheLevel {
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
  /// Ends a read after a time. Writes are not timed.
  ///
  /// ```swift
  /// let pages = memory.compose(NetworkFetcher().timeout(.seconds(10))).pooled()
  /// ```
  ///
  /// - Parameters:
  ///   - limit: How long a read may take.
  ///   - clock: What measures it.
  public func timeout(
    _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> TimedSource<Self> {
    TimedSource(base: self, limit: limit, clock: clock)
  }
}
