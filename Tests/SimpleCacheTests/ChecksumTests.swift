import TestSupport
import Testing

@testable import SimpleCache

/// The sum is that of the standard, however it is reckoned: files are read by other machines.
@Suite struct ChecksumTests {
  /// By the definition, one bit after another.
  private func plain(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return ~sum
  }

  @Test func `the sum is that of the standard`() {
    Array("123456789".utf8).withUnsafeBytes { #expect(Checksum.of($0) == 0xCBF4_3926) }
    #expect(Checksum.of(UnsafeRawBufferPointer(start: nil, count: 0)) == 0)
  }

  @Test func `bytes of every length and at every address have it`() {
    var random = SplitMix64(seed: 1)
    let bytes = (0..<500).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    bytes.withUnsafeBytes { all in
      for length in 0...300 {
        for start in [0, 1, 7, 16, 150] {
          let part = UnsafeRawBufferPointer(rebasing: all[start..<(start + length)])
          let sum = plain(part)
          #expect(Checksum.of(part) == sum)
          #expect(Checksum.byTables(part) == sum)
        }
      }
    }
    let long = (0..<100_003).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    long.withUnsafeBytes { #expect(Checksum.of($0) == plain(long)) }
  }
}
