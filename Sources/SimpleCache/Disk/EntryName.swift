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
      var rest = hash
      for place in (0..<32).reversed() {
        let digit = UInt8(truncatingIfNeeded: rest & 15)
        buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        rest >>= 4
      }
      return 32
    }
  }
}
