/// Which of two sources a key is for.
public enum SwitchChoice: Hashable, Sendable {
  /// The one that was named first.
  case first
  /// The other.
  case second
}

/// Two sources or levels side by side: the key decides which one is asked and written.
///
/// Made by ``switchLevels(_:_:by:)``.
public struct SwitchedSource<First: CacheSource, Second: CacheSource>: CacheSource
where First.Key == Second.Key, First.Value == Second.Value {
  public typealias Key = First.Key
  public typealias Value = First.Value

  let first: First
  let second: Second
  let choice: @Sendable (Key) -> SwitchChoice

  public var name: String { "\(first.name) or \(second.name)" }

  public func getIfReady(_ key: Key) -> Value? {
    switch choice(key) {
    case .first: first.getIfReady(key)
    case .second: second.getIfReady(key)
    }
  }

  public func get(_ key: Key) async throws -> Value? {
    switch choice(key) {
    case .first: try await first.get(key)
    case .second: try await second.get(key)
    }
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    switch choice(key) {
    case .first: try await first.entry(for: key)
    case .second: try await second.entry(for: key)
    }
  }
}

extension SwitchedSource: CacheLevel where First: CacheLevel, Second: CacheLevel {
  private func level(_ key: Key) -> any CacheLevel<Key, Value> {
    switch choice(key) {
    case .first: first
    case .second: second
    }
  }

  public func set(_ value: Value, forKey key: Key) async throws {
    try await level(key).set(value, forKey: key)
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await level(key).setEntry(entry, forKey: key)
  }

  public func remove(_ key: Key) async throws { try await level(key).remove(key) }

  /// Reaches both, also if one fails.
  public func removeAll() async throws {
    let firstResult = await Result { try await first.removeAll() }
    try await second.removeAll()
    try firstResult.get()
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous call gave or threw.
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

/// Puts two sources or levels side by side.
///
/// - Parameters:
///   - first: One.
///   - second: The other.
///   - choice: Which one a key is for; must say the same for the same key.
/// - Returns: A level if both are levels.
public func switchLevels<First: CacheSource, Second: CacheSource>(
  _ first: First, _ second: Second, by choice: @escaping @Sendable (First.Key) -> SwitchChoice
) -> SwitchedSource<First, Second>
where First.Key == Second.Key, First.Value == Second.Value {
  SwitchedSource(first: first, second: second, choice: choice)
}
