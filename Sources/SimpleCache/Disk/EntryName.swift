/// The name of an entry's file: 32 lowercase hexadecimal digits of the FNV-1a hash, 128 bits, of the
/// key's bytes (RFC 9923).
///
/// The key is in the file too and is compared: two keys with one hash take each other's place, they
/// never give each other's value.
struct EntryName: Hashable, Sendable {
  let hash: UInt128

  init(of key: [UInt8]) {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in key {
      hash ^= UInt128(byte)
      hash = hash &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    self.hash = hash
  }

  /// The name is a hash already: half of it is enough, and what `Hasher` makes of that cannot be
  /// foreseen by who chooses keys.
  func hash(into hasher: inout Hasher) { hasher.combine(UInt64(truncatingIfNeeded: hash)) }

  /// - Returns: `nil` if this is not the name of an entry.
  init?(_ text: String) {
    guard text.utf8.count == 32 else { return nil }
    var hash: UInt128 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        hash = hash << 4 | UInt128(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        hash = hash << 4 | UInt128(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    self.hash = hash
  }

  var text: String {
    String(unsafeUninitializedCapacity: 32) { buffer in
      // Four times eight bytes: all of the capacity that was asked for.
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      for part in 0..<4 {
        let number = UInt32(truncatingIfNeeded: hash >> (96 - 32 * UInt128(part)))
        bytes.storeBytes(
          of: Self.digits(of: number).bigEndian, toByteOffset: part * 8, as: UInt64.self)
      }
      return 32
    }
  }

  /// Eight digits at once, the first in the highest byte.
  private static func digits(of number: UInt32) -> UInt64 {
    var nibbles = UInt64(number)
    nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff
    nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ff
    nibbles = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f_0f0f
    // One in each byte that is ten or more: those begin with "a", which comes 39 after "9" + 1.
    let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return nibbles + 0x3030_3030_3030_3030 + letters * 39
  }
}
