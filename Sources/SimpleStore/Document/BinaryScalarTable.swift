/// Finds the object that has already been written with the same bytes.
///
/// Objects are compared as they stand in the file, marker and length included, so that one table
/// serves texts, numbers, dates and data, and nothing is equal that differs in a bit. The hash is
/// the standard library's seeded one.
struct BinaryScalarTable {
  /// The upper half of the hash and, in the lower half, the object's number plus one; zero is a
  /// free slot. The count is a power of two.
  private var slots: [UInt64]
  private var used = 0

  init(capacity: Int) {
    var size = 64
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// The number of an object whose bytes are those from `start` on; nil when there is none, and
  /// then they are taken to be object `new`.
  ///
  /// - Parameter offsets: Where each object begins, by its number; -1 where it is none of these.
  mutating func find(
    _ bytes: [UInt8], from start: Int, orPlace new: UInt32, offsets: [Int]
  ) -> UInt32? {
    if (used + 1) * 2 > slots.count { grow() }
    var hasher = Hasher()
    // Unsafe, and right: the buffer is only read, within the closure.
    bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[start...])) }
    let hash = UInt64(truncatingIfNeeded: hasher.finalize())
    let mask = slots.count - 1
    var place = Int(hash >> 32) & mask
    while slots[place] != 0 {
      if (slots[place] ^ hash) >> 32 == 0 {
        let number = UInt32(truncatingIfNeeded: slots[place]) - 1
        // Marker and length come first: equal as far as the new one goes is equal to the end.
        if bytes[offsets[Int(number)]...].starts(with: bytes[start...]) { return number }
      }
      place = (place + 1) & mask
    }
    slots[place] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(new + 1)
    used += 1
    return nil
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    for slot in old where slot != 0 {
      var place = Int(slot >> 32) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = slot
    }
  }
}
