import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("Foundation and this package read each other's property lists")
struct PropertyListFoundationTests {
  private typealias Foundation = PropertyListSerialization

  private static let kinds: [RandomDocument.Kind] = [
    .bool, .integer, .unsigned, .double, .string, .data,
  ]

  private static func documents(_ count: Int, seed: UInt64) -> [StoreDocument] {
    var random = RandomDocument(seed: seed, kinds: kinds)
    return (0..<count).map { number in
      var document = random.next()
      let seconds = Double((number - count / 2) * 86_399_111)
      document["a date"] = .date(Date(timeIntervalSinceReferenceDate: seconds))
      return document
    }
    .filter { !FoundationValue.hasKeysEqualInUnicode($0) }
  }

  @Test(arguments: PropertyListForm.allCases)
  func `Foundation reads what is written`(form: PropertyListForm) throws {
    for document in Self.documents(400, seed: 11) {
      let plain = form == .xml ? document.plain(for: .foundation) : document
      let bytes = try form.format.encode(plain)
      let object = try Foundation.propertyList(from: Data(bytes), format: nil)
      #expect(FoundationValue.difference(object, plain) == nil)
    }
  }

  @Test(arguments: PropertyListForm.allCases)
  func `what Foundation writes is read`(form: PropertyListForm) throws {
    for document in Self.documents(400, seed: 12) {
      // Foundation's XML writer puts control characters into the text as they are, and loses the
      // sign of zero.
      let plain = form == .xml ? document.plain(for: .foundation) : document
      let data = try Foundation.data(
        fromPropertyList: FoundationValue.object(of: plain),
        format: form == .xml ? .xml : .binary, options: 0)
      let decoded = try form.format.decode([UInt8](data))
      #expect(FoundationValue.difference(FoundationValue.object(of: decoded), plain) == nil)
    }
  }

  @Test(arguments: PropertyListForm.allCases)
  func `Foundation reads a document of many keys and every reference size`(
    form: PropertyListForm
  ) throws {
    for count in [0, 1, 14, 15, 16, 126, 127, 128, 254, 255, 256, 257, 33_000, 70_000] {
      var document = StoreDocument()
      for number in 0..<count { document["key \(number)"] = .integer(Int64(number)) }
      let bytes = try form.format.encode(document)
      let object = try Foundation.propertyList(from: Data(bytes), format: nil)
      #expect(FoundationValue.difference(object, document) == nil, "\(count) keys")
    }
  }

  @Test
  func `a binary file is not larger than Foundation's`() throws {
    for document in Self.documents(100, seed: 13) {
      let bytes = try BinaryPropertyListFormat().encode(document)
      let data = try Foundation.data(
        fromPropertyList: FoundationValue.object(of: document), format: .binary, options: 0)
      #expect(bytes.count <= data.count)
    }
  }

  @Test
  func `Foundation's decoder reads a struct from what is written`() throws {
    struct Settings: Codable, Equatable {
      var name: String
      var age: Int
      var big: UInt64
      var ratio: Double
      var isOn: Bool
      var bytes: Data
      var born: Date
      var list: [String]
    }
    let born = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let settings = Settings(
      name: "sky", age: -7, big: .max, ratio: 3, isOn: true, bytes: Data([1]), born: born,
      list: ["a", ""])
    let document: StoreDocument = [
      "name": .string("sky"), "age": .integer(-7), "big": .unsigned(.max), "ratio": .double(3),
      "isOn": .bool(true), "bytes": .data(Data([1])), "born": .date(born),
      "list": .array([.string("a"), .string("")]),
    ]
    for form in PropertyListForm.allCases {
      let data = Data(try form.format.encode(document))
      #expect(try PropertyListDecoder().decode(Settings.self, from: data) == settings)
    }
  }
}
