import SimpleStore
public import Synchronization

/// Finds the eviction rule that suits the requests, by trying all of them on a sample.
///
/// Each rule runs a small cache of hashes only, on the keys whose hash falls in the sample, scaled
/// to the sample's share. Whenever enough requests were seen, the rule with the most hits becomes
/// the one in force. It starts with the least recently used rule and leaves it only for one that is
/// clearly better, and only in caches of 64 entries or more; one that shrinks below that is exactly LRU
/// again.
/// The idea is that of set dueling (Qureshi et al., ISCA 2007).
@usableFromInline
final class RuleDuel: Sendable {
  /// Below this many entries a cache is exactly LRU, and nothing is sampled.
  static let smallestCache = 64
  /// Entries of a sample cache, at least, when the real one has more.
  private static let sampleSize = 128

  private struct State {
    let caches = EvictionRule.allCases.map { SampleCache(rule: $0) }
    var reads = 0
  }

  /// The rule in force, as its raw value.
  @usableFromInline let rule = Atomic<UInt8>(EvictionRule.leastRecent.rawValue)
  /// A hash is in the sample if it has none of these bits. All bits: nothing is.
  @usableFromInline let sampleMask = Atomic<UInt64>(.max)
  private let state = Guarded(State())
  /// In force as long as the cache is small.
  private let first: EvictionRule

  /// A duel in which the least recently used rule is in force first.
  ///
  /// - Parameter isLimited: Without a limit nothing is evicted but under memory pressure, so hits
  ///   need not keep an exact order: they only set a mark.
  init(isLimited: Bool) {
    first = isLimited ? .leastRecent : .sieve
    rule.store(first.rawValue, ordering: .relaxed)
  }

  /// Takes a read into account, if it is in the sample.
  @inlinable
  func noteRead(_ hash: UInt64) {
    if hash & sampleMask.load(ordering: .relaxed) == 0 { sampleRead(hash) }
  }

  /// Takes a write into account, if it is in the sample.
  @inlinable
  func noteWrite(_ hash: UInt64) {
    if hash & sampleMask.load(ordering: .relaxed) == 0 { sampleWrite(hash) }
  }

  /// Adjusts the sample to the size of a cache that has just begun to evict, or still does; ends it if
  /// the cache has become small.
  @usableFromInline
  func noteEviction(count: Int) {
    guard count >= Self.smallestCache else {
      if sampleMask.exchange(.max, ordering: .relaxed) != .max {
        rule.store(first.rawValue, ordering: .relaxed)
      }
      return
    }
    let share = UInt64(max(1, count / Self.sampleSize)).nextPowerOfTwo
    // The topmost bits: the table uses the lowest, the groups those in the middle.
    let mask = share == 1 ? 0 : UInt64.max << (64 - UInt64(share.trailingZeroBitCount))
    guard sampleMask.load(ordering: .relaxed) != mask else { return }
    sampleMask.store(mask, ordering: .relaxed)
    state.withLock { state in
      for cache in state.caches { cache.capacity = count / Int(share) }
    }
  }

  @usableFromInline
  func sampleRead(_ hash: UInt64) {
    state.withLock { state in
      state.reads += 1
      for index in state.caches.indices {
        state.caches[index].read(UInt32(truncatingIfNeeded: hash))
      }
      guard state.reads >= state.caches[0].capacity * 4 else { return }
      state.reads = 0
      decide(&state)
    }
  }

  @usableFromInline
  func sampleWrite(_ hash: UInt64) {
    state.withLock { state in
      for cache in state.caches { cache.write(UInt32(truncatingIfNeeded: hash)) }
    }
  }

  private func decide(_ state: inout State) {
    let current = Int(rule.load(ordering: .relaxed))
    let best = state.caches.indices.max { state.caches[$0].hits < state.caches[$1].hits } ?? current
    // More than chance: a few hits and two in a hundred.
    if state.caches[best].hits > state.caches[current].hits * 1.02 + 8 {
      rule.store(UInt8(best), ordering: .relaxed)
    }
    for cache in state.caches { cache.hits *= 0.75 }
  }
}

extension UInt64 {
  /// The power of two that is at least this number.
  fileprivate var nextPowerOfTwo: UInt64 {
    self <= 1 ? 1 : 1 << UInt64(64 - (self - 1).leadingZeroBitCount)
  }
}
