import Synchronization

/// Statistics to which several threads add without waiting for each other.
struct CacheCounters: ~Copyable, Sendable {
  let hits = Atomic<Int>(0)
  let misses = Atomic<Int>(0)
  let sets = Atomic<Int>(0)
  let evictions = Atomic<Int>(0)
  let expirations = Atomic<Int>(0)
  let errors = Atomic<Int>(0)

  /// What has been counted; while other threads add, perhaps not all of what they do together.
  var statistics: CacheStatistics {
    var sum = CacheStatistics()
    sum.hits = hits.load(ordering: .relaxed)
    sum.misses = misses.load(ordering: .relaxed)
    sum.sets = sets.load(ordering: .relaxed)
    sum.evictions = evictions.load(ordering: .relaxed)
    sum.expirations = expirations.load(ordering: .relaxed)
    sum.errors = errors.load(ordering: .relaxed)
    return sum
  }
}
