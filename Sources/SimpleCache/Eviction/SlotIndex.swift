/// From a hash to the number of a slot: open addressing with linear probing, at most three quarters
/// full.
///
/// A place is 32 bits. In a table of 2^k of them the lowest k hold the slot number plus one (0 is
/// empty), the others as many bits of the hash: the lowest k bits of the hash are told by where the
/// place is. Removal closes the gap (Knuth, TAOCP 3, algorithm 6.4R), so no tombstones gather.
@usableFromInline
struct SlotIndex: ~Copyable {
  @usableFromInline var places = Room<UInt32>()
  /// The number of places less one; their number is a power of two.
  @usableFromInline var mask: UInt32 = 0

  /// The hash of each slot: to find an entry's place again when it goes or the table grows.
  @usableFromInline var hashes = Room<UInt32>()

  @inlinable
  init() { makePlaces(4) }

  /// Where an entry with this hash would be if nothing were in the way.
  @inlinable
  func home(_ hash: UInt32) -> UInt32 { hash & mask }

  /// The first slot with this hash that comes after `start`; moves `start` on behind it.
  @inlinable
  func next(_ hash: UInt32, after start: inout UInt32) -> UInt32? {
    while true {
      let place = places.base[Int(start)]
      if place == 0 { return nil }
      start = (start &+ 1) & mask
      if (place ^ hash) & ~mask == 0 { return (place & mask) &- 1 }
    }
  }

  /// Makes room for the hashes of the slots below `count`, of which `used` are there.
  @inlinable
  mutating func grow(to count: Int, used: Int) {
    hashes.grow(to: count, moving: used)
  }

  /// Adds a slot; `count` is how many there are already.
  @inlinable
  mutating func insert(_ slot: UInt32, hash: UInt32, count: Int) {
    if (count + 1) * 2 > Int(mask + 1) { enlarge() }
    (hashes.base + Int(slot)).initialize(to: hash)
    place(slot, hash: hash)
  }

  @inlinable
  mutating func remove(_ slot: UInt32) {
    let hash = hashes.base[Int(slot)]
    let wanted = hash & ~mask | (slot &+ 1)
    var gap = home(hash)
    while places.base[Int(gap)] != wanted { gap = (gap &+ 1) & mask }
    var position = gap
    while true {
      position = (position &+ 1) & mask
      let place = places.base[Int(position)]
      if place == 0 { break }
      let other = home(hashes.base[Int((place & mask) &- 1)])
      // Not if its home lies behind the gap: a search from there would stop at the gap.
      if (position &- other) & mask >= (position &- gap) & mask {
        places.base[Int(gap)] = place
        gap = position
      }
    }
    places.base[Int(gap)] = 0
  }

  @usableFromInline
  mutating func enlarge() {
    var slots: [UInt32] = []
    for position in 0..<Int(mask + 1) where places.base[position] != 0 {
      slots.append((places.base[position] & mask) &- 1)
    }
    places = Room()
    makePlaces(Int(mask + 1) * 2)
    for slot in slots { place(slot, hash: hashes.base[Int(slot)]) }
  }

  @usableFromInline
  mutating func makePlaces(_ count: Int) {
    places.grow(to: count, moving: 0)
    places.base.initialize(repeating: 0, count: count)
    mask = UInt32(count - 1)
  }

  @inlinable
  mutating func place(_ slot: UInt32, hash: UInt32) {
    var position = home(hash)
    while places.base[Int(position)] != 0 { position = (position &+ 1) & mask }
    places.base[Int(position)] = hash & ~mask | (slot &+ 1)
  }
}
