/// A value and the moment at which it stops being valid: what travels between composed levels.
public struct CacheEntry<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// When it stops being valid, on the monotonic clock; `nil` is never.
  public var deadline: CacheInstant?

  /// An entry.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - deadline: When it stops being valid; `nil` is never.
  @inlinable
  public init(_ value: Value, deadline: CacheInstant? = nil) {
    self.value = value
    self.deadline = deadline
  }

  /// The same deadline on another value, as a transformation needs it.
  @inlinable
  public func with<Other: Sendable>(_ value: Other) -> CacheEntry<Other> {
    CacheEntry<Other>(value, deadline: deadline)
  }
}
