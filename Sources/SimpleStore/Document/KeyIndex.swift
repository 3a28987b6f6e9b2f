/// Finds the position of a key in a long document: an open-addressed table of positions.
///
/// Not a `Dictionary<String, Int>`, because that compares keys by canonical equivalence and keeps
/// each key a second time. The hash is the standard library's seeded one, so a file made of keys
/// that collide cannot slow a reader down.
struct KeyIndex: Sendable {
  /// A position in the document plus one; zero is a free slot. The count is a power of two.
  private var slots: [UInt32]
  private var used = 0

  init(_ entries: [StoreDocument.Entry], capacity: Int) {
    var size = 32
    while size < max(capacity, entries.count) * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for position in entries.indices { place(position, hash: Self.hash(entries[position].key)) }
  }

  func position(of key: String, in entries: [StoreDocument.Entry]) -> Int? {
    let mask = slots.count - 1
    var slot = Self.hash(key) & mask
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if entries[position].key.hasSameBytes(as: key) { return position }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Takes up the entry at `position`, whose key is in no earlier one.
  mutating func insert(position: Int, of entries: [StoreDocument.Entry]) {
    if (used + 1) * 2 > slots.count {
      self = KeyIndex(entries, capacity: entries.count * 2)
    } else {
      place(position, hash: Self.hash(entries[position].key))
    }
  }

  private mutating func place(_ position: Int, hash: Int) {
    let mask = slots.count - 1
    var slot = hash & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(position + 1)
    used += 1
  }

  private static func hash(_ key: String) -> Int {
    var hasher = Hasher()
    let fast: Void? = key.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if fast == nil { for byte in key.utf8 { hasher.combine(byte) } }
    return hasher.finalize()
  }
}
