import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("Binary property lists keep the laws of a document format")
struct BinaryPropertyListLawsTests {
  private let laws = FormatLaws(BinaryPropertyListFormat())

  @Test
  func `extreme documents read back equal and are written the same again`() {
    #expect(laws.roundTrip(PropertyListSamples.all) == [])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `random documents read back equal and are written the same again`(seed: UInt64) {
    #expect(laws.roundTripAtRandom(count: 500, seed: seed) == [])
  }

  @Test
  func `every NaN keeps its bits, as a number and as a date`() {
    let pattern = Double(bitPattern: 0xFFF4_0000_0000_0001)
    let date = Date(timeIntervalSinceReferenceDate: pattern)
    let sample = DocumentSample("NaN", ["number": .double(pattern), "date": .date(date)])
    #expect(laws.roundTrip([sample]) == [])
  }

  @Test
  func `the last of duplicate keys counts, in the place of the first`() {
    let bytes = BinarySample.bytes(objects: [
      [0xD4, 1, 2, 1, 3, 4, 5, 6, 7], [0x51, 0x61], [0x51, 0x62],
      [0x55] + Array("inner".utf8), [0x10, 1], [0x10, 2], [0x10, 3],
      [0xD3, 1, 2, 1, 4, 5, 6],
    ])
    #expect(laws.duplicates(bytes) == [])
  }

  @Test
  func `arrays deeper than the limit are refused, however deep`() {
    #expect(laws.depth { BinarySample.chain(depth: $0) } == [])
  }

  @Test
  func `no damage to a file traps or hangs the reader`() throws {
    let document: StoreDocument = [
      "n": .integer(-12), "é😀": .string("é😀"), "w": .unsigned(.max),
      "r": .array([.double(1.5), .bool(true), .bool(false), .null]),
      "d": .date(Date(timeIntervalSinceReferenceDate: 0.5)), "b": .data(Data([0, 1, 2])),
      "long": .string("sixteen letters!"), "u": .dictionary(["CF$UID": .integer(7)]),
      "big": .number("123456789012345678901234567890"), "x": .number("1e400"),
    ]
    let bytes = try BinaryPropertyListFormat().encode(document)
    #expect(laws.mutations(of: bytes) == [])
  }

  @Test
  func `the size of a file is bounded`() {
    let bytes = [UInt8](repeating: 0, count: FormatLimits.bytes + 1)
    let error = #expect(throws: FormatError.self) { try BinaryPropertyListFormat().decode(bytes) }
    #expect(error?.reason == .tooLarge)
  }
}
