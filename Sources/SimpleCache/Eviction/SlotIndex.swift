/// From a hash to the number of a slot: open addressing with linear probing, at most half full.
///
/// A place holds 32 bits of the hash and the slot number plus one; 0 is empty. The home of an entry
/// follows from the hash bits in its place, so that removal can close the gap (Knuth, TAOCP 3,
/// algorithm 6.4R) and no tombstones gather.
@usableFromInline
struct SlotIndex: Sendable {
  @usableFromInline var places: [UInt64] = []
  @usableFromInline var mask = -1

  @inlinable
  init() {}

  /// The first slot with this hash that `isMatch` accepts.
  @inlinable
  func find(_ hash: UInt32, where isMatch: (UInt32) -> Bool) -> UInt32? {
    guard mask >= 0 else { return nil }
    var position = Int(hash) & mask
    while true {
      let place = places[position]
      if place == 0 { return nil }
      if UInt32(truncatingIfNeeded: place >> 32) == hash {
        let slot = UInt32(truncatingIfNeeded: place) &- 1
        if isMatch(slot) { return slot }
      }
      position = (position + 1) & mask
    }
  }

  /// Adds a slot; `count` is how many there are already.
  @inlinable
  mutating func insert(_ slot: UInt32, hash: UInt32, count: Int) {
    if (count + 1) * 2 > places.count { grow() }
    place(UInt64(hash) << 32 | UInt64(slot &+ 1))
  }

  @inlinable
  mutating func remove(_ slot: UInt32, hash: UInt32) {
    let wanted = UInt64(hash) << 32 | UInt64(slot &+ 1)
    var gap = Int(hash) & mask
    while places[gap] != wanted {
      if places[gap] == 0 { return }
      gap = (gap + 1) & mask
    }
    var position = gap
    while true {
      position = (position + 1) & mask
      let place = places[position]
      if place == 0 { break }
      let home = Int(UInt32(truncatingIfNeeded: place >> 32)) & mask
      // Not if its home lies behind the gap: a search from there would stop at the gap.
      if (position - home) & mask >= (position - gap) & mask {
        places[gap] = place
        gap = position
      }
    }
    places[gap] = 0
  }

  @usableFromInline
  mutating func grow() {
    let old = places
    places = Array(repeating: 0, count: max(8, old.count * 2))
    mask = places.count - 1
    for entry in old where entry != 0 { place(entry) }
  }

  @inlinable
  mutating func place(_ entry: UInt64) {
    var position = Int(UInt32(truncatingIfNeeded: entry >> 32)) & mask
    while places[position] != 0 { position = (position + 1) & mask }
    places[position] = entry
  }
}
