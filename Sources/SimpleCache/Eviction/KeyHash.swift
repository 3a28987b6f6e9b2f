/// One 64-bit hash per operation: the group of entries, the place in its table and the sample of the
/// duel are all taken from it.
///
/// `Hasher` (SipHash) takes 33 of the 68 ns of a plain LRU hit with a short string key, so the two
/// usual kinds of key are mixed by full-width multiplication instead, with a seed drawn per level.
/// Everything else goes through `hashValue`.
@usableFromInline
struct KeyHash: Sendable {
  @usableFromInline let seed = UInt64.random(in: .min ... .max)

  @usableFromInline
  init() {}

  @inlinable
  @inline(__always)
  func of<Key: Hashable>(_ key: Key) -> UInt64 {
    // Known when the code is specialised: only one of the branches is compiled.
    if Key.self == Int.self, let number = key as? Int {
      return Self.fold(UInt64(bitPattern: Int64(number)) ^ seed, 0xA076_1D64_78BD_642F)
    }
    if Key.self == String.self, let text = key as? String {
      return ofText(text)
    }
    return UInt64(bitPattern: Int64(key.hashValue))
  }

  @inlinable
  @inline(__always)
  func ofText(_ text: String) -> UInt64 {
    if let hash = text.utf8.withContiguousStorageIfAvailable({
      ofASCII(UnsafeRawBufferPointer($0))
    }), let hash {
      return hash
    }
    return ofUnusualText(text)
  }

  /// Equal strings may be spelt with different bytes, so anything but ASCII is hashed by the
  /// standard library, which compares by canonical equivalence. Three characters beyond ASCII are
  /// canonically equivalent to one in it (Unicode `NFC_Quick_Check`, singletons); a test tries all.
  @usableFromInline
  func ofUnusualText(_ text: String) -> UInt64 {
    var plain: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<128: plain.append(UInt8(scalar.value))
      case 0x212A: plain.append(UInt8(ascii: "K"))
      case 0x037E: plain.append(UInt8(ascii: ";"))
      case 0x1FEF: plain.append(UInt8(ascii: "`"))
      default: return UInt64(bitPattern: Int64(text.hashValue))
      }
    }
    return plain.withUnsafeBytes { ofASCII($0) } ?? 0
  }

  /// In the manner of wyhash: 16 bytes a step, the last ones overlapping; `nil` if a byte is not
  /// ASCII. The loads stay inside the buffer: each branch has checked the length.
  @inlinable
  @inline(__always)
  func ofASCII(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    let count = bytes.count
    var first: UInt64 = 0
    var second: UInt64 = 0
    // The length goes in multiplied: added as it is, it would cancel a difference in the last bytes.
    var state = seed &+ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    var seen: UInt64 = 0
    if count >= 8 {
      if count > 16 {
        var offset = 0
        while offset + 16 < count {
          let low = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          let high = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
          seen |= low | high
          state = Self.fold(low ^ state, high ^ 0xE703_7ED1_A0B4_28DB)
          offset += 16
        }
        first = bytes.loadUnaligned(fromByteOffset: count - 16, as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      } else {
        first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        second = Self.upToEight(bytes, from: 8)
      }
    } else {
      first = Self.upToEight(bytes, from: 0)
    }
    seen |= first | second
    guard seen & 0x8080_8080_8080_8080 == 0 else { return nil }
    return Self.fold(
      first ^ state, second ^ 0xA076_1D64_78BD_642F)
  }

  /// The bytes behind an offset, at most eight, so that different ones of one length differ.
  ///
  /// A short text has just been written to the stack as two words of eight bytes: a load from both
  /// would wait until they have reached the cache, a tenth of a hit.
  @inlinable
  @inline(__always)
  static func upToEight(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    let count = bytes.count - start
    if count >= 4 {
      let low = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      let high = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
      return UInt64(low) | UInt64(high) << 32
    }
    guard count > 0 else { return 0 }
    return UInt64(bytes[start]) | UInt64(bytes[start + count / 2]) << 8
      | UInt64(bytes[bytes.count - 1]) << 16
  }

  @inlinable
  @inline(__always)
  static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
