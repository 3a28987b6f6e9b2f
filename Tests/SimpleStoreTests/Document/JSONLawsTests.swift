import SimpleStore
import TestSupport
import Testing

@Suite("JSON keeps the laws of a document format")
struct JSONLawsTests {
  private let laws = FormatLaws(JSONFormat(), projection: JSONProjection.of)

  @Test
  func `extreme documents read back equal and are written the same again`() {
    #expect(laws.roundTrip() == [])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `random documents read back equal and are written the same again`(seed: UInt64) {
    #expect(laws.roundTripAtRandom(count: 500, seed: seed) == [])
  }

  @Test
  func `the last of duplicate keys counts, in the place of the first`() {
    let bytes = #"{"a":1,"b":2,"a":3,"inner":{"a":1,"b":2,"a":3}}"#
    #expect(laws.duplicates(Array(bytes.utf8)) == [])
  }

  @Test
  func `the last of duplicate keys counts in a document of many keys`() throws {
    let entries = (0..<200).map { #""k\#($0 % 100)":\#($0)"# }
    let text = "{\(entries.joined(separator: ","))}"
    let document = try JSONFormat().decode(Array(text.utf8))
    #expect(document.keys == (0..<100).map { "k\($0)" })
    #expect(document.map(\.value) == (100..<200).map { .integer($0) })
  }

  @Test
  func `a key spelled with an escape is the same key`() throws {
    let document = try JSONFormat().decode(Array(#"{"a":1,"\u0061":2}"#.utf8))
    #expect(document == ["a": .integer(2)])
  }

  @Test
  func `arrays deeper than the limit are refused, however deep`() {
    #expect(laws.depth { Self.nest($0, open: "[", close: "]") } == [])
  }

  @Test
  func `objects deeper than the limit are refused, however deep`() {
    #expect(laws.depth { Self.nest($0, open: #"{"a":"#, close: "}") } == [])
  }

  @Test
  func `deep nesting without an end is refused`() {
    let text = #"{"a":"# + String(repeating: "[", count: 1_000_000)
    let error = #expect(throws: FormatError.self) { try JSONFormat().decode(Array(text.utf8)) }
    #expect(error?.reason == .tooDeep)
    #expect(error?.offset == 132)
  }

  @Test
  func `no damage to a file traps or hangs the reader`() {
    let text = """
      {
        "name": "sky \\u00e9\\ud83d\\ude00\\n é😀",
        "list": [1, -2.5e-3, true, false, null, {}, []],
        "n": 123456789012345678901234567890
      }

      """
    #expect(laws.mutations(of: Array(text.utf8)) == [])
  }

  @Test
  func `the size of a file is bounded, reading and writing`() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: FormatLimits.bytes + 1)
    let reading = #expect(throws: FormatError.self) { try JSONFormat().decode(bytes) }
    #expect(reading?.reason == .tooLarge)
    let text = StoreValue.string(String(decoding: bytes, as: UTF8.self))
    for value in [text, .array([text]), .dictionary(["inner": text])] {
      let writing = #expect(throws: FormatError.self) {
        try JSONFormat().encode(["a": .null, "b": value])
      }
      #expect(writing == FormatError(.tooLarge, key: "b"))
    }
  }

  @Test
  func `no file is written that is one byte too large to be read`() throws {
    let frame = try JSONFormat().encode(["a": .string("")]).count
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: FormatLimits.bytes - frame + 1)
    let error = #expect(throws: FormatError.self) {
      try JSONFormat().encode(["a": .string(String(decoding: bytes, as: UTF8.self))])
    }
    #expect(error == FormatError(.tooLarge, key: "a"))
  }

  @Test
  func `the number of values is bounded, reading and writing`() {
    // One more than the limit: the array is a value too.
    let elements = Array(repeating: StoreValue.null, count: FormatLimits.nodes)
    let writing = #expect(throws: FormatError.self) {
      try JSONFormat().encode(["a": .array(elements)])
    }
    #expect(writing == FormatError(.tooManyValues, key: "a"))
    var zeros = Array("0,".utf8)
    while zeros.count < FormatLimits.nodes * 2 { zeros += zeros }
    let bytes = Array(#"{"a":["#.utf8) + zeros
    let reading = #expect(throws: FormatError.self) { try JSONFormat().decode(bytes) }
    #expect(reading?.reason == .tooManyValues)
  }

  private static func nest(_ depth: Int, open: String, close: String) -> [UInt8] {
    let text =
      #"{"deep":"# + String(repeating: open, count: depth - 2) + "[]"
      + String(repeating: close, count: depth - 2) + "}"
    return Array(text.utf8)
  }
}

@Suite("The laws find fault with formats that break them")
struct FormatLawsTests {
  /// JSON, but one kind of value is spoiled.
  private struct Careless: DocumentFormat {
    func encode(_ document: StoreDocument) throws(FormatError) -> [UInt8] {
      var changed = document
      for (key, value) in document where value == .double(-0.0) { changed[key] = .double(0) }
      return try JSONFormat().encode(changed)
    }
    func decode(_ bytes: [UInt8]) throws(FormatError) -> StoreDocument {
      try JSONFormat().decode(bytes)
    }
  }

  @Test
  func `a lost sign of zero is found`() {
    let laws = FormatLaws(Careless(), projection: JSONProjection.of)
    #expect(laws.roundTrip().contains { $0.hasPrefix("doubles: ") })
  }

  @Test
  func `a wrong value of a duplicate key is found`() {
    let bytes = Array(#"{"a":3,"b":2,"a":1,"inner":{}}"#.utf8)
    #expect(!FormatLaws(JSONFormat()).duplicates(bytes).isEmpty)
  }

  @Test
  func `mutations are every truncation and every change of one byte`() {
    let original: [UInt8] = [1, 2, 3]
    let all = Array(Mutations(of: original))
    #expect(all.count == Mutations(of: original).count)
    #expect(Set(all).count == all.count)
    #expect(all.prefix(3) == [[], [1], [1, 2]])
    #expect(!all.contains(original))
    #expect(all.dropFirst(3).allSatisfy { $0.count == 3 })
  }
}
