/// A source that is a closure.
///
/// ```swift
/// let squares = MemoryLevel<Int, Int>(countLimit: 100).compose(ClosureSource { $0 * $0 })
/// ```
public struct ClosureSource<Key: Hashable & Sendable, Value: Sendable>: CacheSource {
  public let name: String
  private let body: @Sendable (Key) async throws -> Value?

  /// A source that asks a closure.
  ///
  /// - Parameters:
  ///   - name: The name in errors and events.
  ///   - get: Gives the value of a key, or `nil` for a miss. What it throws becomes the cause of a
  ///     ``CacheError``.
  public init(
    name: String = "ClosureSource", _ get: @escaping @Sendable (Key) async throws -> Value?
  ) {
    self.name = name
    body = get
  }

  public func get(_ key: Key) async throws -> Value? {
    do { return try await body(key) } catch {
      // Whatever was made of it: if this task was cancelled, that is why.
      try Task.checkCancellation()
      throw CacheError.wrapping(error, level: name, key: key, operation: .get)
    }
  }
}
