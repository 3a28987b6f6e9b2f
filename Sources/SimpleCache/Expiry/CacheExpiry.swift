public import Foundation

/// How long a level keeps an entry.
///
/// ```swift
/// let quotes = MemoryLevel<String, Double>(countLimit: 100, expiry: .seconds(30))
/// ```
///
/// A time of zero or less is over at once: what is set is a miss. A time too long to be counted
/// lasts as long as the process.
public enum CacheExpiry: Hashable, Sendable {
  /// Until it is evicted or removed.
  case never
  /// For this long after it was set.
  case after(Duration)
  /// Until this moment of the wall clock.
  case at(Date)
  /// For this long after it was last set or read.
  case sliding(Duration)

  /// For so many seconds after it was set.
  public static func seconds(_ count: Double) -> CacheExpiry { .after(.saturating(count)) }
  /// For so many minutes after it was set.
  public static func minutes(_ count: Double) -> CacheExpiry { .after(.saturating(count * 60)) }
  /// For so many hours after it was set.
  public static func hours(_ count: Double) -> CacheExpiry { .after(.saturating(count * 3_600)) }
  /// For so many days after it was set.
  public static func days(_ count: Double) -> CacheExpiry { .after(.saturating(count * 86_400)) }

  /// The moment at which an entry set now stops being valid; `nil` is never.
  ///
  /// - Parameter clock: Says what time it is; read only if there is an expiry.
  public func deadline(by clock: CacheClock) -> CacheInstant? {
    switch self {
    case .never: nil
    case .after(let time), .sliding(let time): clock.monotonic().advanced(by: time)
    case .at(let date):
      clock.monotonic().advanced(by: .saturating(date.timeIntervalSince(clock.wall())))
    }
  }
}

extension Duration {
  /// So many seconds; what is not a number is none, what cannot be counted is held at the ends.
  static func saturating(_ seconds: Double) -> Duration {
    guard !seconds.isNaN else { return .zero }
    // 292 years, what a `CacheInstant` counts; `Duration.seconds(Double)` traps far beyond it.
    let bounded = Swift.min(Swift.max(seconds, -9.2e9), 9.2e9)
    return .seconds(bounded)
  }
}
