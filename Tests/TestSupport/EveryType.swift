package import Foundation
package import SimpleStore

/// One field of every type that can be stored, with defaults that none of ``cases`` has.
package struct EveryType: StoreItem {
  package init() {}

  @StoreParam(key: "bool", default: true) package var bool
  @StoreParam(key: "int", default: 1) package var int
  @StoreParam(key: "int8", default: 1) package var int8: Int8
  @StoreParam(key: "int16", default: 1) package var int16: Int16
  @StoreParam(key: "int32", default: 1) package var int32: Int32
  @StoreParam(key: "int64", default: 1) package var int64: Int64
  @StoreParam(key: "int128", default: 1) package var int128: Int128
  @StoreParam(key: "uint", default: 1) package var uint: UInt
  @StoreParam(key: "uint8", default: 1) package var uint8: UInt8
  @StoreParam(key: "uint16", default: 1) package var uint16: UInt16
  @StoreParam(key: "uint32", default: 1) package var uint32: UInt32
  @StoreParam(key: "uint64", default: 1) package var uint64: UInt64
  @StoreParam(key: "uint128", default: 1) package var uint128: UInt128
  @StoreParam(key: "float", default: 1) package var float: Float
  @StoreParam(key: "double", default: 1) package var double: Double
  @StoreParam(key: "string", default: "x") package var string
  @StoreParam(key: "character", default: "x") package var character: Character
  @StoreParam(key: "data", default: Data([1])) package var data
  @StoreParam(key: "date", default: Date(timeIntervalSinceReferenceDate: 1)) package var date
  @StoreParam(key: "url", default: URL(filePath: "/")) package var url
  @StoreParam(key: "uuid", default: UUID()) package var uuid
  @StoreParam(key: "raw", default: Gender.unknown) package var raw
  @StoreParam(key: "text raw", default: Theme.light) package var textRaw
  @StoreParam(key: "optional", default: "x") package var optional: String?
  @StoreParam(key: "optional optional", default: 7) package var optionalOptional: Int??
  @StoreParam(key: "array", default: ["x"]) package var array
  @StoreParam(key: "optionals", default: ["x"]) package var optionals: [String?]
  @StoreParam(key: "dictionary", default: ["x": 1]) package var dictionary
  @StoreParam(key: "deep", default: ["x": [["y": true]]]) package var deep
  @StoreParam(key: "decimal", default: 1) package var decimal: Decimal
  @StoreParam(key: "duration", default: .seconds(1)) package var duration: Duration
  @StoreParam(key: "set", default: ["x"]) package var set: Set<String>
  @StoreParam(key: "doubles", default: [1]) package var doubles: Set<Double>
  @StoreParam(key: "sets", default: [[true]]) package var sets: Set<Set<Bool>>
  @StoreParam(key: "by integer", default: [1: "x"]) package var byInteger
  @StoreParam(key: "by large integer", default: [1: 1]) package var byLargeInteger:
    [UInt128: Int128]
  @StoreParam(key: "by case", default: [.light: 1]) package var byCase: [Theme: Int]
  @StoreParam(key: "by number", default: [.unknown: 1]) package var byNumber: [Gender: Int?]
  @StoreParam(key: "by version", default: [:]) package var byVersion: [Version: Set<Int>]
  @StoreParam(key: "by character", default: ["x": 1]) package var byCharacter: [Character: Int]
  @StoreParam(key: "range", default: 0..<1) package var range
  @StoreParam(key: "closed range", default: 0...1) package var closedRange: ClosedRange<Double>
  @StoreParam(key: "days", default: nil) package var days: ClosedRange<Date>?
  @StoreParam(key: "range from", default: 0...) package var rangeFrom
  @StoreParam(key: "range up to", default: ..<"x") package var rangeUpTo
  @StoreParam(key: "range through", default: ...1) package var rangeThrough:
    PartialRangeThrough<Int8>
  @StoreParam(key: "optional set", default: nil) package var optionalSet: Set<UUID>?
  @StoreParam(key: "optional decimal", default: 1) package var optionalDecimal: Decimal?
  @StoreParam(key: "optional duration") package var optionalDuration: Duration?
  @StoreParam(key: "optional dictionary") package var optionalDictionary: [Int: Data?]?
  @StoreParam(key: "item", default: Account()) package var item
  @StoreParam(key: "items", default: [Account()]) package var items
  @StoreParam(key: "plain item", default: Window()) package var plainItem
  @StoreParam(key: "codable", default: .circle(radius: 1)) package var codable: Shape
  @StoreParam(key: "optional codable") package var optionalCodable: [String: Shape]?
  @StoreParam(key: "named items", default: ["x": Account()]) package var namedItems

  package enum Gender: Int, StoreConvertible, StoreKey { case unknown, male, female }
  package enum Theme: String, StoreConvertible, StoreKey { case light, dark }

  package struct Account: StoreItem {
    package init() {}
    @StoreParam(key: "name", default: "") package var name
    @StoreParam(key: "quota", default: 100) package var quota
  }
  package struct Window: CodableStoreItem {
    package init() {}
    package var width = 800
    package var title: String?
    package var opened = Date(timeIntervalSinceReferenceDate: 1)
  }
  package enum Shape: StoreCodable, Equatable {
    case circle(radius: Double)
    case text(String, [Int?])
    indirect case group([String: Shape], Data)
  }

  /// A key that only opts in.
  package struct Version: LosslessStringConvertible, StoreKey {
    package var major: Int
    package var minor: Int
    package var description: String { "\(major).\(minor)" }
    package init(_ major: Int, _ minor: Int) {
      self.major = major
      self.minor = minor
    }
    package init?(_ description: String) {
      let parts = description.split(separator: ".").compactMap { Int($0) }
      guard parts.count == 2 else { return nil }
      self.init(parts[0], parts[1])
    }
  }
}
