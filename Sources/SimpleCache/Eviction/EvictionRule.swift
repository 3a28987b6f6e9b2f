/// Which entry goes next.
@usableFromInline
enum EvictionRule: UInt8, CaseIterable, Sendable {
  /// The least recently used. A hit moves its entry to the front.
  case leastRecent
  /// SIEVE (Zhang et al., NSDI 2024): a hit only sets a bit; a hand walks from the oldest to the
  /// newest, clears bits, and takes the first entry without one. Best where some keys are popular.
  case sieve
  /// Bimodal insertion (Qureshi et al., ISCA 2007): most newcomers are the next to go, unless they
  /// are asked for; one in 32 stays. Best where keys come round in loops longer than the cache.
  case bimodal
}
