/// How long to wait before asking again.
public struct RetryBackoff: Sendable {
  private let pause: @Sendable (Int) -> Duration

  /// Pauses as a closure says.
  ///
  /// - Parameter pause: The pause before the given repetition, the first being number 1.
  public init(_ pause: @escaping @Sendable (Int) -> Duration) { self.pause = pause }

  /// No pause.
  public static let none = RetryBackoff { _ in .zero }

  /// The same pause each time.
  public static func constant(_ pause: Duration) -> RetryBackoff { RetryBackoff { _ in pause } }

  /// A pause that doubles, up to a limit.
  ///
  /// - Parameters:
  ///   - first: The first pause.
  ///   - limit: The longest.
  public static func exponential(
    _ first: Duration = .milliseconds(200), limit: Duration = .seconds(30)
  ) -> RetryBackoff {
    RetryBackoff { number in
      var (pause, doublings) = (max(first, .zero), number - 1)
      while doublings > 0, pause > .zero, pause < limit {
        // The longest durations cannot be doubled.
        pause = pause > limit / 2 ? limit : pause * 2
        doublings -= 1
      }
      return min(pause, max(limit, .zero))
    }
  }

  /// The pause before a repetition.
  public func pause(before number: Int) -> Duration { pause(number) }
}

/// A source that is asked again after an error.
///
/// Neither a miss nor a cancellation is repeated; a cancellation during a pause ends it at once. When
/// all repetitions have failed, the last error is thrown. Made by
/// ``CacheSource/retry(_:backoff:clock:when:)``.
public struct RetriedSource<Base: CacheSource>: CacheSource {
  public typealias Key = Base.Key
  public typealias Value = Base.Value

  let base: Base
  let repetitions: Int
  let backoff: RetryBackoff
  let clock: any Clock<Duration>
  let condition: @Sendable (any Error) -> Bool

  public var name: String { base.name }

  public func getIfReady(_ key: Key) -> Value? { base.getIfReady(key) }
  public func get(_ key: Key) async throws -> Value? { try await entry(for: key)?.value }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await repeating { try await base.entry(for: key) }
  }

  func repeating(
    _ body: () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    var number = 0
    while true {
      do { return try await body() } catch {
        try Task.checkCancellation()
        guard number < repetitions, !(error is CancellationError), condition(error) else {
          throw error
        }
      }
      number += 1
      try await clock.sleep(for: min(backoff.pause(before: number), longestSleep))
    }
  }
}

extension RetriedSource: CacheLevel where Base: CacheLevel {
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
  /// Asks again after an error. Writes are not repeated.
  ///
  /// - Parameters:
  ///   - repetitions: How often, after the first time; 0 or less is never.
  ///   - backoff: How long to wait before.
  ///   - clock: What measures the pauses.
  ///   - condition: Whether an error is worth it. By default any, except a ``CacheError`` that will
  ///     be the same again (``CacheError/isTransient``).
  public func retry(
    _ repetitions: Int, backoff: RetryBackoff = .exponential(),
    clock: any Clock<Duration> = ContinuousClock(),
    when condition: @escaping @Sendable (any Error) -> Bool = {
      ($0 as? CacheError)?.isTransient ?? true
    }
  ) -> RetriedSource<Self> {
    RetriedSource(
      base: self, repetitions: repetitions, backoff: backoff, clock: clock, condition: condition)
  }
}
