/// The order of the entries of one table, by slot number: a doubly linked list in an array, one mark
/// for each entry, and a hand. All the rules work on it, so changing the rule moves nothing.
@usableFromInline
struct EvictionOrder: ~Copyable {
  @usableFromInline static var none: UInt32 { .max }

  @usableFromInline
  struct Link {
    @usableFromInline var newer: UInt32
    @usableFromInline var older: UInt32

    @inlinable
    init(newer: UInt32, older: UInt32) {
      self.newer = newer
      self.older = older
    }
  }

  @usableFromInline var links = Room<Link>()
  /// One bit for each slot. Apart from the links: a hit that only sets a mark then reads a piece of
  /// memory that is small enough to stay in the nearest cache.
  @usableFromInline var marks = Room<UInt64>()
  @usableFromInline var newest: UInt32
  @usableFromInline var oldest: UInt32
  @usableFromInline var hand: UInt32
  @usableFromInline var arrivals: UInt32 = 0

  @inlinable
  init() {
    newest = EvictionOrder.none
    oldest = EvictionOrder.none
    hand = EvictionOrder.none
  }

  /// Makes room for the slots below `count`; `used` of them may be in the list.
  @inlinable
  mutating func grow(to count: Int, used: Int) {
    links.grow(to: count, moving: used)
    let (words, old) = ((count + 63) / 64, marks.capacity)
    guard words > old else { return }
    marks.grow(to: words, moving: old)
    (marks.base + old).initialize(repeating: 0, count: words - old)
  }

  @inlinable
  func isMarked(_ slot: UInt32) -> Bool {
    marks.base[Int(slot >> 6)] & 1 << UInt64(slot & 63) != 0
  }

  @inlinable
  mutating func setMark(_ isMarked: Bool, of slot: UInt32) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    if isMarked { marks.base[Int(slot >> 6)] |= bit } else { marks.base[Int(slot >> 6)] &= ~bit }
  }

  /// Notes that a slot's entry was used.
  @inlinable
  @inline(__always)
  mutating func use(_ slot: UInt32, by rule: EvictionRule) {
    if rule == .sieve {
      // Written only if it changes: a line that is only read is not taken from other cores.
      if !isMarked(slot) { setMark(true, of: slot) }
    } else if slot != newest {
      remove(slot)
      insertNewest(slot)
    }
  }

  /// Puts a newcomer in its place.
  @inlinable
  mutating func insert(_ slot: UInt32, by rule: EvictionRule) {
    arrivals &+= 1
    if rule == .bimodal, arrivals & 31 != 0 { insertOldest(slot) } else { insertNewest(slot) }
  }

  /// The slot whose entry goes next; `none` when there is no entry.
  @inlinable
  mutating func victim(by rule: EvictionRule) -> UInt32 {
    guard rule == .sieve else { return oldest }
    var candidate = hand == Self.none ? oldest : hand
    while candidate != Self.none, isMarked(candidate) {
      setMark(false, of: candidate)
      let next = links.base[Int(candidate)].newer
      candidate = next == Self.none ? oldest : next
    }
    hand = candidate
    return candidate
  }

  @inlinable
  mutating func remove(_ slot: UInt32) {
    let newer = links.base[Int(slot)].newer
    let older = links.base[Int(slot)].older
    if hand == slot { hand = newer }
    if newer == Self.none { newest = older } else { links.base[Int(newer)].older = older }
    if older == Self.none { oldest = newer } else { links.base[Int(older)].newer = newer }
  }

  @inlinable
  mutating func insertNewest(_ slot: UInt32) {
    setMark(false, of: slot)
    (links.base + Int(slot)).initialize(to: Link(newer: Self.none, older: newest))
    if newest == Self.none { oldest = slot } else { links.base[Int(newest)].newer = slot }
    newest = slot
  }

  @inlinable
  mutating func insertOldest(_ slot: UInt32) {
    setMark(false, of: slot)
    (links.base + Int(slot)).initialize(to: Link(newer: oldest, older: Self.none))
    if oldest == Self.none { newest = slot } else { links.base[Int(oldest)].older = slot }
    oldest = slot
  }
}
