import Foundation

/// What the file of an entry begins with. Numbers are little endian.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 4 | "SCDL" |
/// | 4 | 4 | CRC-32 of everything after it |
/// | 8 | 4 | version of this layout: 1 |
/// | 12 | 4 | length of the key |
/// | 16 | 8 | length of the value |
/// | 24 | 8 | when it was set, in nanoseconds since 1970 by the wall clock |
/// | 32 | 8 | when it expires; the largest number is never |
/// | 40 | 8 | how long it lives after its last use; 0 if that does not matter |
/// | 48 | | the key, then the value |
///
/// When it was last used is the modification time of the file.
struct DiskEntryHeader: Sendable {
  static let length = 48
  static let magic: UInt32 = 0x4C44_4353  // "SCDL"
  static let version: UInt32 = 1

  var keyLength: Int
  var valueLength: Int
  var times: DiskTimes

  var fileLength: Int { Self.length + keyLength + valueLength }

  init(keyLength: Int, valueLength: Int, times: DiskTimes) {
    self.keyLength = keyLength
    self.valueLength = valueLength
    self.times = times
  }

  /// - Parameter fileSize: The size of the whole file.
  /// - Returns: `nil` if this is not the beginning of an entry of that size.
  init?(_ bytes: UnsafeRawBufferPointer, fileSize: Int) {
    guard bytes.count >= Self.length, Self.load(bytes, 0, as: UInt32.self) == Self.magic,
      Self.load(bytes, 8, as: UInt32.self) == Self.version,
      let keyLength = Int(exactly: Self.load(bytes, 12, as: UInt32.self)),
      let valueLength = Int(exactly: Self.load(bytes, 16, as: UInt64.self))
    else { return nil }
    self.keyLength = keyLength
    self.valueLength = valueLength
    times = DiskTimes(
      created: Self.load(bytes, 24, as: Int64.self), expiry: Self.load(bytes, 32, as: Int64.self),
      sliding: Self.load(bytes, 40, as: Int64.self))
    // Subtracted, because a sum of damaged lengths could overflow.
    guard fileSize - Self.length - keyLength == valueLength else { return nil }
  }

  /// The offset is within the header, whose length was checked.
  private static func load<Number: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, as type: Number.Type
  ) -> Number {
    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The whole file, in memory that belongs to the caller. (An array would do, but whoever makes one asks
  /// the runtime what it is, which takes as long as the sum.)
  func file(key: [UInt8], value: Data) -> UnsafeMutableRawBufferPointer {
    // Unsafe, and right: every byte is written: the header, the key, the value.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: fileLength, alignment: 16)
    bytes.storeBytes(of: Self.magic.littleEndian, toByteOffset: 0, as: UInt32.self)
    bytes.storeBytes(of: Self.version.littleEndian, toByteOffset: 8, as: UInt32.self)
    bytes.storeBytes(
      of: UInt32(truncatingIfNeeded: keyLength).littleEndian, toByteOffset: 12, as: UInt32.self)
    bytes.storeBytes(
      of: UInt64(valueLength).littleEndian, toByteOffset: 16, as: UInt64.self)
    bytes.storeBytes(of: times.created.littleEndian, toByteOffset: 24, as: Int64.self)
    bytes.storeBytes(of: times.expiry.littleEndian, toByteOffset: 32, as: Int64.self)
    bytes.storeBytes(of: times.sliding.littleEndian, toByteOffset: 40, as: Int64.self)
    // With the closures' own buffers: `copyBytes(from:)` of a collection costs three times as much.
    key.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: bytes[Self.length...]).copyMemory(from: $0)
    }
    value.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: bytes[(Self.length + keyLength)...])
        .copyMemory(from: $0)
    }
    let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[8..<fileLength]))
    bytes.storeBytes(of: sum.littleEndian, toByteOffset: 4, as: UInt32.self)
    return bytes
  }

  /// Whether the file is as it was written.
  static func isIntact(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= length
      && load(bytes, 4, as: UInt32.self)
        == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[8...]))
  }
}

/// The times of an entry, in nanoseconds since 1970 by the wall clock.
struct DiskTimes: Hashable, Sendable {
  var created: Int64
  /// `Int64.max` is never.
  var expiry: Int64
  /// How long it lives after its last use; 0 if that does not matter.
  var sliding: Int64

  /// When it stops being valid; `Int64.max` is never.
  func deadline(lastUse: Int64) -> Int64 {
    guard sliding > 0 else { return expiry }
    let (end, overflow) = lastUse.addingReportingOverflow(sliding)
    return min(expiry, overflow ? .max : end)
  }

  /// Whether it is over. An entry that expires and was set, or used, in the future is over too: the
  /// clock was set back, and nothing is known about its age.
  func isExpired(at now: Int64, lastUse: Int64) -> Bool {
    if expiry == .max, sliding == 0 { return false }
    // A stamp of use may be ahead by what keeps stamps apart.
    return created > now || (sliding > 0 && lastUse > now &+ 1_000_000_000)
      || deadline(lastUse: lastUse) <= now
  }
}
