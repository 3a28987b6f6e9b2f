import Foundation
import SimpleStore
import TestSupport

@testable import SimpleStoreSystem

/// Changes archives in ways that a reader of property lists does not notice.
struct Forger {
  private let archive: StoreDocument
  private var random: SplitMix64

  init(_ archive: Data, seed: UInt64) throws {
    self.archive = try BinaryPropertyListFormat().decode(Array(archive))
    random = SplitMix64(seed: seed)
  }

  static func reference(_ position: Int) -> StoreValue {
    .dictionary(["CF$UID": .integer(Int64(position))])
  }

  /// The archive with one to three changes.
  mutating func next() -> Data {
    while true {
      var forged = StoreValue.dictionary(archive)
      for _ in 0..<Int.random(in: 1...3, using: &random) { forged = change(forged) }
      // What cannot be encoded at all is no forgery.
      if case .dictionary(let document) = forged,
        let bytes = try? BinaryPropertyListFormat().encode(document)
      {
        return Data(bytes)
      }
    }
  }

  /// A value with a change somewhere in it.
  private mutating func change(_ value: StoreValue) -> StoreValue {
    switch value {
    case .array(var values) where !values.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
      let position = values.indices.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<10, using: &random) {
      case 0: values.remove(at: position)
      case 1: values.insert(values.randomElement(using: &random) ?? .null, at: position)
      default: values[position] = change(values[position])
      }
      return .array(values)
    case .dictionary(var fields)
    where value.archiveReference == nil && Int.random(in: 0..<8, using: &random) > 0:
      let key = fields.keys.randomElement(using: &random) ?? "x"
      switch Int.random(in: 0..<10, using: &random) {
      case 0: fields[key] = nil
      case 1: fields[Self.names.randomElement(using: &random) ?? "x"] = anything()
      default: fields[key] = change(fields[key] ?? .null)
      }
      return .dictionary(fields)
    default: return anything()
    }
  }

  private mutating func anything() -> StoreValue {
    if Bool.random(using: &random) {
      return Self.reference(Int.random(in: 0..<16, using: &random))
    }
    if Bool.random(using: &random) {
      return .string(Self.names.randomElement(using: &random) ?? "")
    }
    return Self.values.randomElement(using: &random) ?? .null
  }

  private static let names = [
    "NSString", "NSMutableString", "NSArray", "NSMutableArray", "NSDictionary", "NSNumber",
    "NSDecimalNumber", "NSData", "NSMutableData", "NSDate", "NSURL", "NSUUID", "NSSet",
    "NSIndexSet",
    "NSObject", "NSPredicate", "Foo.Bar", "a.b.c", "_TtC3a", "", "$null", "$classhints",
    "NS.objects", "NS.keys", "NS.string", "NS.data", "NS.time", "NS.object.0", "NS.count",
    "NS.relative", "NS.base", "NSRangeCount", "NSRangeData", "NSLocation",
  ]

  private static let values: [StoreValue] = [
    .bool(true), .integer(0), .integer(-1), .integer(1), .integer(.max), .integer(.min),
    .unsigned(.max), .double(1.5), .double(.nan), .double(1e300), .string(""), .string("abc"),
    .data(Data()), .data(Data([0x80])), .data(Data(repeating: 255, count: 15)),
    .data(Data(0...255)), .date(Date(timeIntervalSinceReferenceDate: 0)), .array([]),
    .dictionary([:]), .array([.integer(1)]), .array([reference(0)]),
    .array([reference(1), reference(2)]), .dictionary(["x": reference(1)]),
    reference(1_000_000), reference(.max),
  ]
}
