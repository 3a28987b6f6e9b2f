import Foundation
import SimpleStore
import TestSupport
import Testing

/// Fields that do not take every value.
struct LimitsTests {
  struct Person: StoreItem {
    @StoreParam(key: "age", default: 0, in: 0...120) var age
    @StoreParam(key: "name", default: "x", validate: { !$0.isEmpty }) var name
    @StoreParam(key: "size", default: nil, in: 1...) var size: Double?
    @StoreParam(key: "port", default: 80, in: 1..<65536, validate: { $0 != 22 }) var port
    @StoreParam(key: "free", default: 0) var free
  }
  struct Family: StoreItem {
    @StoreParam(key: "child", default: Person()) var child
    @StoreParam(key: "all", default: []) var all: [Person]
  }

  @Test(arguments: BackendKind.allCases)
  func `a value outside is refused by all calls, and nothing changes`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<Person>(place.backend)
    store.age = 120
    let before = try place.stored()
    let version = try place.version
    let error = #expect(throws: StoreError.self) { try store.set(\.age, to: 121) }
    #expect(error?.code == .invalidValue)
    #expect(error?.key == "age")
    #expect("\(try #require(error))".contains("121 is not in 0...120. Nothing was changed"))
    #expect(throws: StoreError.self) { try store.update { $0.name = "" } }
    store.age = -1
    #expect(store.saveError?.key == "age")
    #expect(store.age == 120)
    store.batchUpdate {
      $0.free = 1
      $0.port = 22
    }
    #expect(store.saveError?.key == "port")
    #expect(store.free == 0)
    store.size = 0.5
    #expect(store.size == nil)
    #expect(throws: StoreError.self) { try store.set(\.size, to: .nan) }
    #expect(try place.stored() == before)
    #expect(try place.version == version)
    store.size = 1
    store.age = 0
    #expect(store.saveError == nil)
    store.size = nil
    #expect(SimpleStore<Person>(place.backend).size == nil)
  }

  @Test(arguments: BackendKind.allCases)
  func `a value outside that is found is treated like one of another type`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["age": .integer(121), "name": .string(""), "port": .integer(81)])
    let store = SimpleStore<Person>(place.backend)
    #expect(store.age == 0)
    #expect(store.name == "x")
    #expect(store.port == 81)
    #expect(store.loadReport.wrongTypes.map(\.key) == ["age", "name"])
    #expect("\(store.loadReport)".contains("\"age\" is not taken: 121 is not in 0...120"))
    store.free = 1
    #expect(try place.stored()?["age"] == .integer(121))
    store.age = 0
    #expect(try place.stored()?["age"] == .integer(0))
  }

  @Test(arguments: BackendKind.allCases)
  func `the limits of nested items hold too`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<Family>(place.backend)
    let error = #expect(throws: StoreError.self) { try store.set(\.child.age, to: 121) }
    #expect(error?.key == "child")
    #expect("\(try #require(error))".contains("in 'age': 121 is not in 0...120"))
    var bad = Person()
    bad.port = 0
    #expect(throws: StoreError.self) { try store.set(\.all, to: [Person(), bad]) }
    #expect(try place.stored() == nil)
  }

  /// Limits of types that have a NaN.
  struct Ordered: StoreItem {
    @StoreParam(key: "double", default: 1, in: ...5) var double: Double
    @StoreParam(key: "float", default: 1, in: 0...) var float: Float
    @StoreParam(key: "date", default: .distantPast, in: Date.distantPast...Date.distantFuture)
    var date: Date
    @StoreParam(key: "day", in: Date.distantPast...) var day: Date?
    @StoreParam(key: "past", default: .distantPast, in: ..<Date.distantFuture) var past: Date
    @StoreParam(key: "decimal", default: 1, in: ...5) var decimal: Decimal
    @StoreParam(key: "price", default: 1, in: 0..<5) var price: Decimal
  }
  static let notNumbers: [(key: String, edit: @Sendable (inout Ordered) -> Void)] = [
    ("double", { $0.double = .nan }), ("float", { $0.float = .nan }),
    ("date", { $0.date = Date(timeIntervalSinceReferenceDate: .nan) }),
    ("day", { $0.day = Date(timeIntervalSinceReferenceDate: .nan) }),
    ("past", { $0.past = Date(timeIntervalSinceReferenceDate: .nan) }),
    ("decimal", { $0.decimal = .nan }), ("price", { $0.price = .nan }),
  ]

  @Test(arguments: BackendKind.allCases, notNumbers.indices)
  func `what is not a number is in no limits, set or found`(
    _ kind: BackendKind, _ number: Int
  ) throws {
    let (key, edit) = Self.notNumbers[number]
    let place = kind.place()
    let store = SimpleStore<Ordered>(place.backend)
    let error = #expect(throws: StoreError.self) { try store.update { edit(&$0) } }
    #expect(error?.key == key)
    #expect(error?.code == .invalidValue)
    #expect(try place.stored() == nil)

    var document = StoreDocument()
    document[key] =
      key.hasPrefix("da") || key == "past"
      ? .date(Date(timeIntervalSinceReferenceDate: .nan)) : .double(.nan)
    try place.put(document)
    let fresh = SimpleStore<Ordered>(place.backend)
    #expect(fresh.loadReport.wrongTypes.map(\.key) == [key])
    #expect(fresh.item.storeValue == Ordered().storeValue)
  }

  @Test func `limits and dates are told as they are written, and any date can be told`() throws {
    let store = SimpleStore<Ordered>(.memory)
    let sentence = { (edit: (inout Ordered) -> Void) throws -> String in
      "\(try #require(throws: StoreError.self) { try store.update { edit(&$0) } })"
    }
    #expect(try sentence { $0.double = 6 }.contains("6.0 is not in ...5.0"))
    #expect(try sentence { $0.float = -1 }.contains("-1.0 is not in 0.0..."))
    #expect(try sentence { $0.price = 5 }.contains("5 is not in 0..<5"))
    #expect(
      try sentence { $0.past = .distantFuture + 0.5 }
        .contains("4001-01-01T00:00:00.5Z is not in ..<4001-01-01T00:00:00Z"))
    for seconds in [Double.nan, .infinity, -1e300] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(
        try sentence { $0.date = date }
          .contains("the date \(seconds) seconds after 2001 is not in "))
    }
  }

  @Test func `an item with any date can be printed`() {
    struct Dated: StoreItem {
      @StoreParam(key: "date", default: .distantPast) var date: Date
      @StoreParam(key: "day") var day: Date?
    }
    var item = Dated()
    for seconds in [Double.nan, .infinity, 0] {
      item.date = Date(timeIntervalSinceReferenceDate: seconds)
      item.day = item.date
      #expect("\(item)".contains(seconds == 0 ? "2001-01-01" : "\(seconds) seconds after 2001"))
      #expect(!String(reflecting: item).isEmpty)
    }
  }

  struct BadDefault: StoreItem {
    @StoreParam(key: "age", default: 200, in: 0...120) var age
    @StoreParam(key: "$migrations", default: 0) var reserved
    @StoreParam(key: "new", default: 0, formerly: ["old", "age"]) var new
    @StoreParam(key: "newer", default: 0, formerly: "old") var newer
    static let migrations = [StoreMigration("a") { _ in }, StoreMigration("a") { _ in }]
  }

  @Test func `a declaration that contradicts itself is reported`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimpleStore<BadDefault>(.memory)
      })
    let output = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("The default of 'age' cannot be stored: 200 is not in 0...120."))
    #expect(output.contains("The key \"$migrations\" is where the store keeps"))
    #expect(
      output.contains("The former key \"old\" is also the key, or another former key, of a field."))
    #expect(output.contains("The former key \"age\""))
    #expect(output.contains("More than one migration is called \"a\"."))
  }
}

/// Fields that are stored as another type.
struct ConversionTests {
  /// A type that knows nothing of stores.
  struct Color: Equatable, Sendable {
    var red: UInt8
    var green: UInt8
    static let black = Color(red: 0, green: 0)
  }
  struct HexText: StoreConversion {
    func stored(_ color: Color) throws -> String {
      if color.red == 13 { throw CancellationError() }
      return String(color.red, radix: 16) + "," + String(color.green, radix: 16)
    }
    func value(of text: String) -> Color? {
      let parts = text.split(separator: ",").compactMap { UInt8($0, radix: 16) }
      return parts.count == 2 ? Color(red: parts[0], green: parts[1]) : nil
    }
  }
  enum Foreign: String, Sendable { case a, b }
  struct ForeignCodable: Codable, Equatable, Sendable { var x = 1 }

  struct Theme: StoreItem {
    @StoreParam(key: "background", default: .black, as: HexText()) var background: Color
    @StoreParam(key: "tint", as: HexText()) var tint: Color?
    @StoreParam(key: "seen", default: Date(timeIntervalSince1970: 0), as: .secondsSince1970)
    var seen: Date
    @StoreParam(key: "foreign", default: .a, as: .rawValue()) var foreign: Foreign
    @StoreParam(key: "version", default: "1", as: .text()) var version: Substring
    @StoreParam(key: "codable", default: ForeignCodable(), as: .codable()) var codable:
      ForeignCodable
    @StoreParam(
      key: "percent", default: 0.5, as: ClosureConversion({ Int($0 * 100) }, { Double($0) / 100 }),
      in: 0...1)
    var percent: Double

    // The same as what the library does, to try the operator with such fields.
    mutating func mapValue(_ mapper: inout some DictMapper) {
      mapper <- _background
      mapper <- _tint
      mapper <- _seen
      mapper <- _foreign
      mapper <- _version
      mapper <- _codable
      mapper <- _percent
    }
  }
  struct Plain: StoreItem {
    @StoreParam(key: "background", default: .black, as: HexText()) var background: Color
    @StoreParam(key: "seen", default: Date(timeIntervalSince1970: 0), as: .secondsSince1970)
    var seen: Date
  }

  @Test(arguments: BackendKind.allCases)
  func `a field is stored as its conversion says, and comes back`(_ kind: BackendKind) throws {
    let place = kind.place()
    do {
      let store = SimpleStore<Theme>(place.backend)
      #expect(store.background == .black)
      store.background = Color(red: 255, green: 1)
      store.tint = Color(red: 1, green: 2)
      store.seen = Date(timeIntervalSince1970: 1.5)
      store.foreign = .b
      store.version = "2"
      store.codable.x = 3
      store.percent = 0.25
    }
    #expect(
      try place.stored() == [
        "background": .string("ff,1"), "seen": .double(1.5), "foreign": .string("b"),
        "version": .string("2"), "codable": .dictionary(["x": .integer(3)]),
        "percent": .integer(25), "tint": .string("1,2"),
      ]
        || place.stored()?["background"] == .string("ff,1"))
    let fresh = SimpleStore<Theme>(place.backend)
    #expect(fresh.background == Color(red: 255, green: 1))
    #expect(fresh.tint == Color(red: 1, green: 2))
    #expect(fresh.seen == Date(timeIntervalSince1970: 1.5))
    #expect(fresh.foreign == .b)
    #expect(fresh.version == "2")
    #expect(fresh.codable == ForeignCodable(x: 3))
    #expect(fresh.percent == 0.25)
    fresh.tint = nil
    fresh.reset(\.$background)
    #expect(SimpleStore<Theme>(place.backend).background == .black)
    #expect(SimpleStore<Theme>(place.backend).tint == nil)
    let version = try place.version
    fresh.percent = 0.25
    #expect(try place.version == version)
    #expect(throws: StoreError.self) { try fresh.set(\.percent, to: 1.5) }
    let error = #expect(throws: StoreError.self) {
      try fresh.set(\.background, to: Color(red: 13, green: 0))
    }
    #expect(error?.underlying is CancellationError)
    #expect(try place.version == version)
  }

  @Test(arguments: BackendKind.allCases)
  func `what a conversion does not take stays until the field is set`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["background": .string("red"), "seen": .string("never")])
    let store = SimpleStore<Plain>(place.backend)
    #expect(store.background == .black)
    #expect(store.loadReport.wrongTypes.map(\.key) == ["background", "seen"])
    store.seen = Date(timeIntervalSince1970: 9)
    #expect(try place.stored() == ["background": .string("red"), "seen": .double(9)])
  }

  @Test func `a mapper of the user's own sees what is stored`() {
    struct Upper: DictMapper {
      var keys: [String] = []
      mutating func map<Value: StoreConvertible>(
        _ field: inout Value, key: String, default defaultValue: Value
      ) {
        keys.append(key)
        if let text = "ff,0" as? Value { field = text }
      }
    }
    var item = Plain()
    var mapper = Upper()
    item.mapValue(&mapper)
    #expect(mapper.keys == ["background", "seen"])
    #expect(item.background == Color(red: 255, green: 0))
  }
}
