/// A moment on the monotonic clock of this process, in nanoseconds.
///
/// Arithmetic saturates: a deadline that lies too far ahead to be counted is the last instant there
/// is (292 years), never one in the past.
public struct CacheInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since a fixed moment before this process started.
  public let nanoseconds: Int64

  /// The moment this many nanoseconds after the fixed one.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  @inlinable
  public static func < (left: CacheInstant, right: CacheInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment `duration` later; the last instant there is when that cannot be counted.
  public func advanced(by duration: Duration) -> CacheInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
    guard overflow else { return CacheInstant(nanoseconds: sum) }
    return CacheInstant(nanoseconds: nanoseconds < 0 ? .min : .max)
  }

  /// The time from this moment to a later one; negative when `other` is earlier.
  public func duration(to other: CacheInstant) -> Duration {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    guard overflow else { return .nanoseconds(difference) }
    return .nanoseconds(other < self ? Int64.min : Int64.max)
  }
}

extension Duration {
  /// Whole nanoseconds, rounded towards zero, held at the ends of `Int64`.
  var saturatedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !carry else { return seconds < 0 ? .min : .max }
    return sum
  }
}
