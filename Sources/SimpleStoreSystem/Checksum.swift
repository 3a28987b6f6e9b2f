/// FNV-1a, 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>). Against accidents, not against
/// intent: a change of one byte always changes it, since every step can be undone.
enum Checksum {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
  }
}
