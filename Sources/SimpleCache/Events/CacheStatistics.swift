/// How often things happened since a level was made.
public struct CacheStatistics: Hashable, Sendable {
  /// Reads that found a value.
  public var hits = 0
  /// Reads that found none.
  public var misses = 0
  /// Values set.
  public var sets = 0
  /// Entries removed to keep a limit.
  public var evictions = 0
  /// Entries removed because their time was over.
  public var expirations = 0
  /// Failures.
  public var errors = 0

  /// Nothing happened yet.
  @inlinable
  public init() {}

  /// The share of reads that found a value; 0 before the first.
  public var hitRatio: Double {
    hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
  }

  /// Both together.
  public static func + (left: CacheStatistics, right: CacheStatistics) -> CacheStatistics {
    var sum = left
    sum.hits += right.hits
    sum.misses += right.misses
    sum.sets += right.sets
    sum.evictions += right.evictions
    sum.expirations += right.expirations
    sum.errors += right.errors
    return sum
  }
}
