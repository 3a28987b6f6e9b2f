public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

/// What time it is, for expiry: a monotonic clock for what is in memory, the wall clock for dates and
/// for what outlives the process.
///
/// Levels that are composed must be given the same clock, because deadlines travel between them.
public struct CacheClock: Sendable {
  /// A clock that never goes back, and goes on while the machine sleeps.
  public let monotonic: @Sendable () -> CacheInstant
  /// The date.
  public let wall: @Sendable () -> Date

  /// A clock of your own, for tests.
  ///
  /// - Parameters:
  ///   - monotonic: Must never go back.
  ///   - wall: The date; may be set back, as people do.
  public init(
    monotonic: @escaping @Sendable () -> CacheInstant, wall: @escaping @Sendable () -> Date
  ) {
    self.monotonic = monotonic
    self.wall = wall
  }

  /// The clocks of the system.
  public static let system = CacheClock(
    monotonic: {
      var time = timespec()
      // CLOCK_MONOTONIC stands still during suspend on Linux and goes on elsewhere. The call fails
      // only for a clock that does not exist. `ContinuousClock` reads the same clock, but its
      // 128-bit arithmetic costs more than the reading.
      #if os(Linux) || os(Android)
        clock_gettime(CLOCK_BOOTTIME, &time)
      #else
        clock_gettime(CLOCK_MONOTONIC, &time)
      #endif
      return CacheInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    },
    wall: { Date() })
}
