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

/// The order of the entries of one table, by slot number: a doubly linked list in an array, one mark
/// an entry, and a hand. All three rules work on it, so changing the rule moves nothing.
@usableFromInline
struct EvictionOrder: Sendable {
  @usableFromInline static let none: UInt32 = .max

  @usableFromInline
  struct Link: Sendable {
    @usableFromInline var newer: UInt32
    @usableFromInline var older: UInt32
    @usableFromInline var isMarked: Bool

    @inlinable
    init() {
      newer = EvictionOrder.none
      older = EvictionOrder.none
      isMarked = false
    }
  }

  @usableFromInline var links: [Link] = []
  @usableFromInline var newest = EvictionOrder.none
  @usableFromInline var oldest = EvictionOrder.none
  @usableFromInline var hand = EvictionOrder.none
  @usableFromInline var arrivals: UInt32 = 0

  @inlinable
  init() {}

  /// Makes room for the slots below `count`.
  @inlinable
  mutating func grow(to count: Int) {
    links.append(contentsOf: repeatElement(Link(), count: count - links.count))
  }

  /// Notes that a slot's entry was used.
  @inlinable
  mutating func use(_ slot: UInt32, by rule: EvictionRule) {
    if rule == .sieve {
      // Written only if it changes: a line that is only read is not taken from other cores.
      if !links[Int(slot)].isMarked { links[Int(slot)].isMarked = true }
    } else if slot != newest {
      remove(slot)
      insertNewest(slot)
    }
  }

  /// Puts a newcomer in its place.
  @inlinable
  mutating func insert(_ slot: UInt32, by rule: EvictionRule) {
    links[Int(slot)].isMarked = false
    arrivals &+= 1
    if rule == .bimodal, arrivals & 31 != 0 { insertOldest(slot) } else { insertNewest(slot) }
  }

  /// The slot whose entry goes next; `none` when there is no entry.
  @inlinable
  mutating func victim(by rule: EvictionRule) -> UInt32 {
    guard rule == .sieve else { return oldest }
    var candidate = hand == Self.none ? oldest : hand
    while candidate != Self.none, links[Int(candidate)].isMarked {
      links[Int(candidate)].isMarked = false
      let next = links[Int(candidate)].newer
      candidate = next == Self.none ? oldest : next
    }
    hand = candidate
    return candidate
  }

  @inlinable
  mutating func remove(_ slot: UInt32) {
    let link = links[Int(slot)]
    if hand == slot { hand = link.newer }
    if link.newer == Self.none {
      newest = link.older
    } else {
      links[Int(link.newer)].older = link.older
    }
    if link.older == Self.none {
      oldest = link.newer
    } else {
      links[Int(link.older)].newer = link.newer
    }
  }

  @inlinable
  mutating func insertNewest(_ slot: UInt32) {
    links[Int(slot)].newer = Self.none
    links[Int(slot)].older = newest
    if newest == Self.none { oldest = slot } else { links[Int(newest)].newer = slot }
    newest = slot
  }

  @inlinable
  mutating func insertOldest(_ slot: UInt32) {
    links[Int(slot)].older = Self.none
    links[Int(slot)].newer = oldest
    if oldest == Self.none { newest = slot } else { links[Int(oldest)].older = slot }
    oldest = slot
  }
}
