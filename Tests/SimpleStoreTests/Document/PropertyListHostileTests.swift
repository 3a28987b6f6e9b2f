import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("Hostile property lists are refused, fast and without memory")
struct PropertyListHostileTests {
  struct Hostile: Sendable, CustomStringConvertible {
    let name: String
    let bytes: [UInt8]
    let reason: FormatError.Reason
    var offset: Int?
    var description: String { name }

    init(_ name: String, _ bytes: [UInt8], _ reason: FormatError.Reason, offset: Int? = nil) {
      self.name = name
      self.bytes = bytes
      self.reason = reason
      self.offset = offset
    }
  }

  /// Arrays of which each holds the next one twice, and so 2^`levels` values, in a root dictionary.
  static func bomb(levels: Int) -> [UInt8] {
    var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x61]]
    for level in 0..<levels { objects.append([0xA2, UInt8(3 + level), UInt8(3 + level)]) }
    objects.append([0x09])
    return BinarySample.bytes(objects: objects)
  }

  /// A shared text of one megabyte, referred to a thousand times.
  static let textBomb: [UInt8] = {
    let size = 1 << 20
    let text =
      [0x5F, 0x12] + BinarySample.number(size, size: 4)
      + [UInt8](repeating: UInt8(ascii: "a"), count: size)
    let array =
      [0xAF, 0x11] + BinarySample.number(1_000, size: 2)
      + [UInt8](repeating: 3, count: 1_000)
    return BinarySample.bytes(objects: [[0xD1, 1, 2], [0x51, 0x61], array, text], offsetSize: 4)
  }()

  private static func binary(_ objects: [UInt8]...) -> [UInt8] {
    BinarySample.bytes(objects: objects, offsetSize: 1)
  }

  /// A dictionary with the key "a", whose value is the object given.
  private static func value(_ object: [UInt8]) -> [UInt8] {
    binary([0xD1, 1, 2], [0x51, 0x61], object)
  }

  static let binaries: [Hostile] = [
    Hostile(
      "a dictionary that contains itself", binary([0xD1, 1, 0], [0x51, 0x61]),
      .selfReference, offset: 10),
    Hostile("an array that contains itself", value([0xA1, 2]), .selfReference, offset: 14),
    Hostile("a set that contains itself", value([0xC1, 2]), .selfReference),
    Hostile(
      "arrays that contain each other",
      binary([0xD1, 1, 2], [0x51, 0x61], [0xA1, 3], [0xA1, 2]), .selfReference),
    Hostile("a dictionary that is its own key", binary([0xD1, 0, 0]), .keyIsNotAString, offset: 9),
    Hostile("a bomb of 18 levels, no larger than a text", bomb(levels: 18), .tooManyValues),
    Hostile("a bomb of 30 levels", bomb(levels: 30), .tooManyValues),
    Hostile("a bomb of 120 levels", bomb(levels: 120), .tooManyValues),
    Hostile("a bomb of 200 levels", bomb(levels: 200), .tooDeep),
    Hostile("a bomb of text", textBomb, .tooLarge),
    Hostile("8,400 nested arrays", BinarySample.chain(depth: 8_400), .tooDeep),
    Hostile("nothing but the header", Array("bplist00".utf8), .unexpectedEnd, offset: 8),
    Hostile("half of the header", Array("bpli".utf8), .unexpectedEnd, offset: 4),
    Hostile(
      "hello", Array("hello".utf8),
      .unexpectedByte(UInt8(ascii: "h"), expected: "'bplist00'"), offset: 0),
    Hostile("nothing", [], .unexpectedEnd, offset: 0),
    Hostile("white space", Array(" \n".utf8), .unexpectedEnd, offset: 2),
    Hostile("zeros", [UInt8](repeating: 0, count: 100), .unexpectedEnd),
    Hostile("XML", Array("<plist><dict/></plist>".utf8), .otherFormat(found: "XML"), offset: 0),
    Hostile("JSON", Array("{\"a\": 1}".utf8), .otherFormat(found: "JSON"), offset: 0),
    Hostile(
      "OpenStep", Array("{ a = 1; }".utf8),
      .otherFormat(found: "an OpenStep property list"), offset: 0),
    Hostile(
      "another version", Array("bplist15".utf8) + [UInt8](repeating: 0, count: 50),
      .otherFormat(found: "a binary property list of version 15"), offset: 6),
    Hostile("a root that is an array", binary([0xA0]), .rootIsNotADictionary(found: "array")),
    Hostile("a root that is a UID", binary([0x80, 1]), .rootIsNotADictionary(found: "UID")),
    Hostile("a root that is nothing known", binary([0x70]), .unknownObjectType(0x70)),
    Hostile("a key that is a number", binary([0xD1, 1, 1], [0x10, 1]), .keyIsNotAString),
    Hostile("an unknown object", value([0x0F]), .unknownObjectType(0x0F), offset: 13),
    Hostile(
      "a reference beyond the end", binary([0xD1, 1, 9], [0x51, 0x61]),
      .invalidReference(9), offset: 10),
    Hostile(
      "text that is not ASCII", value([0x51, 0xC3]),
      .unexpectedByte(0xC3, expected: "an ASCII character"), offset: 14),
    Hostile("half a character", value([0x61, 0xD8, 0x00]), .unpairedSurrogate, offset: 13),
    Hostile("text beyond the end", value([0x5E, 0x61]), .unexpectedEnd, offset: 13),
    Hostile(
      "data of 2^64 bytes", value([0x4F, 0x13] + [UInt8](repeating: 0xFF, count: 8)),
      .unexpectedEnd),
    Hostile(
      "UTF-16 of 2^63 units", value([0x6F, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]),
      .unexpectedEnd),
    Hostile(
      "an array of 2^61 references", value([0xAF, 0x13, 0x20, 0, 0, 0, 0, 0, 0, 0]),
      .unexpectedEnd),
    Hostile("a dictionary of more than there is", value([0xD3, 1, 2]), .unexpectedEnd),
    Hostile(
      "a length that is no integer", value([0x5F, 0x51, 0x61]),
      .unexpectedByte(0x51, expected: "a length"), offset: 14),
    Hostile("a number cut off", value([0x13, 0]), .unexpectedEnd),
    Hostile("a date cut off", value([0x33, 0]), .unexpectedEnd),
    Hostile(
      "an integer of 32 bytes", value([0x15] + [UInt8](repeating: 0, count: 32)),
      .unknownObjectType(0x15)),
    Hostile(
      "a UID of 128 bits", value([0x8F] + [UInt8](repeating: 1, count: 16)),
      .unknownObjectType(0x8F)),
  ]

  @Test(arguments: binaries)
  func `a hostile binary file is refused with its place`(_ sample: Hostile) {
    expect(BinaryPropertyListFormat(), refuses: sample)
  }

  @Test
  func `a set that holds a dictionary is read as an array`() throws {
    let bytes = Self.binary([0xD1, 1, 2], [0x51, 0x61], [0xC1, 3], [0xD0])
    let document = try BinaryPropertyListFormat().decode(bytes)
    #expect(document == ["a": .array([.dictionary([:])])])
  }

  @Test
  func `a trailer that does not agree with the file is refused`() throws {
    let good = Self.value([0x09])
    _ = try BinaryPropertyListFormat().decode(good)
    let start = good.count - 32
    // Sizes of zero and nine bytes, no objects, too many, an outermost one beyond the end, tables
    // that start too early, too late, and so late that adding to it overflows.
    let changes: [(Int, UInt8)] = [
      (6, 0), (6, 9), (6, 2), (7, 0), (7, 9), (15, 0), (15, 9), (8, 0xFF), (8, 0x80), (23, 3),
      (16, 0xFF), (31, 0), (31, 8), (31, UInt8(start)), (31, 0xFF), (24, 0xFF), (24, 0x7F),
    ]
    for (position, byte) in changes {
      var bytes = good
      bytes[start + position] = byte
      let error = #expect(throws: FormatError.self) {
        try BinaryPropertyListFormat().decode(bytes)
      }
      #expect(error == FormatError(.invalidTrailer, offset: start), "byte \(position)")
    }
  }

  @Test
  func `objects may share and overlap, as long as it stays small`() throws {
    let document = try BinaryPropertyListFormat().decode(Self.bomb(levels: 10))
    let bytes = try BinaryPropertyListFormat().encode(document)
    #expect(try BinaryPropertyListFormat().decode(bytes) == document)
    // An array whose second reference is also the marker of an empty text.
    let overlapping = Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0xA1, 0x50]
    #expect(throws: FormatError.self) {
      try BinaryPropertyListFormat().decode(overlapping + [8, 11, 13])
    }
  }

  // MARK: XML

  private static func xml(_ text: String) -> [UInt8] {
    Array("<plist><dict><key>a</key>\(text)</dict></plist>".utf8)
  }

  static let entities = """
    <!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
    <plist><dict><key>a</key><string>&b;</string></dict></plist>
    """
  static let externalEntity = """
    <!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <plist><dict><key>a</key><string>&x;</string></dict></plist>
    """

  static let texts: [Hostile] = [
    Hostile("an entity bomb", Array(entities.utf8), .internalSubset),
    Hostile("an external entity", Array(externalEntity.utf8), .internalSubset),
    Hostile("an entity that is declared nowhere", xml("<string>&x;</string>"), .unknownEntity("x")),
    Hostile(
      "a long damaged integer",
      xml("<integer>\(String(repeating: "9", count: 100_000))x</integer>"),
      .invalidNumber(String(repeating: "9", count: 60))),
    Hostile(
      "a long unknown element", xml("<\(String(repeating: "x", count: 100_000))/>"),
      .unknownElement(String(repeating: "x", count: 60))),
    Hostile("8,400 nested arrays", xml(String(repeating: "<array>", count: 8_400)), .tooDeep),
    Hostile(
      "a million nested dictionaries",
      xml(String(repeating: "<dict><key>a</key>", count: 1_000_000)), .tooDeep),
    Hostile(
      "a million comments", xml(String(repeating: "<!--x-->", count: 1_000_000)),
      .keyWithoutValue),
    Hostile("a binary file", binary([0xD0]), .otherFormat(found: "a binary property list")),
    Hostile("zeros", [UInt8](repeating: 0, count: 100), .unexpectedByte(0, expected: "'<'")),
  ]

  @Test(arguments: texts)
  func `a hostile XML file is refused with its place`(_ sample: Hostile) {
    expect(XMLPropertyListFormat(), refuses: sample)
  }

  @Test
  func `an integer of 100,000 digits is kept as it is written`() throws {
    let digits = String(repeating: "9", count: 100_000)
    let document = try XMLPropertyListFormat().decode(Self.xml("<integer>\(digits)</integer>"))
    #expect(document == ["a": .number(digits)])
    #expect(
      try XMLPropertyListFormat().decode(XMLPropertyListFormat().encode(document)) == document)
  }

  @Test
  func `more values than a document may have are refused`() {
    let text = String(repeating: "<true/>", count: FormatLimits.nodes)
    let error = #expect(throws: FormatError.self) {
      try XMLPropertyListFormat().decode(Self.xml("<array>\(text)</array>"))
    }
    #expect(error?.reason == .tooManyValues)
  }

  private func expect(_ format: some DocumentFormat, refuses sample: Hostile) {
    var error: FormatError?
    let time = ContinuousClock().measure {
      error = #expect(throws: FormatError.self) { try format.decode(sample.bytes) }
    }
    #expect(error?.reason == sample.reason)
    #expect(error?.offset != nil || error?.line != nil && error?.column != nil)
    if let offset = sample.offset { #expect(error?.offset == offset) }
    // A million tags in a build without optimisation take a second or two.
    #expect(time < .seconds(20))
  }
}
