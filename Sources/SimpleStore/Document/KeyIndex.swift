/// Finds the position of a key in a long document: an open-addressed table of positions.
///
/// Not a `Dictionary<String, Int>`, because that compares keys by canonical equivalence and keeps
/// each key a second time. The hash is the standard library's seeded one, so a file made of keys
/// that collide cannot slow a reader down.
struct KeyIndex: Sendable {
  /// The upper half of a key's hash and, in the lower half, its position plus one; zero is a free
  /// slot. The count is a power of two. With half of the hash at hand a key is looked at only when
  /// it is almost certainly the one, and growing the table hashes no key again.
  private var slots: [UInt64]

  init(_ entries: [StoreDocument.Entry], capacity: Int) {
    var size = 32
    while size < max(capacity, entries.count) * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for position in entries.indices {
      place(Self.slot(for: Self.hash(entries[position].key), position: position))
    }
  }

  func position(of key: String, in entries: [StoreDocument.Entry]) -> Int? {
    search(for: key, hash: Self.hash(key), in: entries).found
  }

  /// The position of a key that is there; nil when it was not, and is taken to be at `position`
  /// from now on. That is the first position that is not taken.
  mutating func find(
    _ key: String, orPlace position: Int, in entries: [StoreDocument.Entry]
  ) -> Int? {
    let hash = Self.hash(key)
    let (found, free) = search(for: key, hash: hash, in: entries)
    if let found { return found }
    let slot = Self.slot(for: hash, position: position)
    if (position + 1) * 2 > slots.count {
      grow()
      place(slot)
    } else {
      slots[free] = slot
    }
    return nil
  }

  private func search(
    for key: String, hash: UInt64, in entries: [StoreDocument.Entry]
  ) -> (found: Int?, free: Int) {
    let mask = slots.count - 1
    var place = Int(hash >> 32) & mask
    while slots[place] != 0 {
      let slot = slots[place]
      if (slot ^ hash) >> 32 == 0 {
        let position = Int(slot & 0xffff_ffff) - 1
        if position < entries.count, entries[position].key.hasSameBytes(as: key) {
          return (position, place)
        }
      }
      place = (place + 1) & mask
    }
    return (nil, place)
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    for slot in old where slot != 0 { place(slot) }
  }

  private mutating func place(_ slot: UInt64) {
    let mask = slots.count - 1
    var place = Int(slot >> 32) & mask
    while slots[place] != 0 { place = (place + 1) & mask }
    slots[place] = slot
  }

  private static func slot(for hash: UInt64, position: Int) -> UInt64 {
    hash & 0xffff_ffff_0000_0000 | UInt64(UInt32(truncatingIfNeeded: position + 1))
  }

  private static func hash(_ key: String) -> UInt64 {
    var hasher = Hasher()
    let fast: Void? = key.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if fast == nil { for byte in key.utf8 { hasher.combine(byte) } }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
