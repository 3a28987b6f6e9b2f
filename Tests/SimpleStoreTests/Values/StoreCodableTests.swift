import Foundation
import SimpleStore
import TestSupport
import Testing

/// Any `Codable` type as a field.
struct StoreCodableTests {
  class Animal: Codable {
    var name = "a"
    init() {}
  }
  final class Dog: Animal {
    var legs = 4
    enum CodingKeys: String, CodingKey { case legs }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      legs = try container.decode(Int.self, forKey: .legs)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      try container.encode(legs, forKey: .legs)
    }
  }

  @Test func `a superclass keeps its properties beside those of the class`() throws {
    let dog = Dog()
    dog.name = "Rex"
    dog.legs = 3
    let value = try StoreValue(encoding: dog)
    #expect(
      value == .dictionary(["super": .dictionary(["name": .string("Rex")]), "legs": .integer(3)]))
    let read = try value.decoded(as: Dog.self)
    #expect(read.name == "Rex")
    #expect(read.legs == 3)
  }

  struct Matrix: Codable, Equatable {
    var rows: [[Int]] = []
    var note: String?
    enum Keys: String, CodingKey { case head, body, note }
    init(_ rows: [[Int]]) { self.rows = rows }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      var body = try container.nestedUnkeyedContainer(forKey: .body)
      while !body.isAtEnd {
        var row = try body.nestedUnkeyedContainer()
        var numbers: [Int] = []
        while !row.isAtEnd { numbers.append(try row.decode(Int.self)) }
        rows.append(numbers)
      }
      note = try container.nestedContainer(keyedBy: Keys.self, forKey: .head)
        .decodeIfPresent(String.self, forKey: .note)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      var head = container.nestedContainer(keyedBy: Keys.self, forKey: .head)
      var body = container.nestedUnkeyedContainer(forKey: .body)
      for row in rows {
        var numbers = body.nestedUnkeyedContainer()
        for number in row { try numbers.encode(number) }
      }
      // After the container beside it was filled.
      try head.encodeIfPresent(note, forKey: .note)
    }
  }

  @Test func `nested containers may be filled in any order`() throws {
    var matrix = Matrix([[1, 2], [], [3]])
    matrix.note = "n"
    let value = try StoreValue(encoding: matrix)
    #expect(try value.decoded(as: Matrix.self) == matrix)
    matrix.note = nil
    #expect(
      try StoreValue(encoding: matrix)
        == .dictionary([
          "head": .dictionary([:]),
          "body": .array([
            .array([.integer(1), .integer(2)]), .array([]), .array([.integer(3)]),
          ]),
        ]))
  }

  struct Everything: StoreCodable, Equatable {
    var date = Date(timeIntervalSinceReferenceDate: 0.5)
    var data = Data([1])
    var url = URL(string: "https://example.test/")!
    var decimal = Decimal(string: "0.1")!
    var keys = ["camelCase": 1, "snake_case": 2, "": 3]
    var set: Set = [3, 1, 2]
    var missing: Int?
  }
  struct Holder: StoreItem {
    @StoreParam(key: "value", default: Everything()) var value
    @StoreParam(key: "list", default: []) var list: [Everything]
    @StoreParam(key: "other", default: 0) var other
  }

  @Test func `values inside are stored natively, and every key as it is`() throws {
    let value = Everything().storeValue
    #expect(
      value
        == .dictionary([
          "date": .date(Date(timeIntervalSinceReferenceDate: 0.5)), "data": .data(Data([1])),
          "url": .string("https://example.test/"), "decimal": .double(0.1),
          "keys": .dictionary([
            "": .integer(3), "camelCase": .integer(1), "snake_case": .integer(2),
          ]),
          "set": .array([.integer(1), .integer(2), .integer(3)]),
        ]))
  }

  /// A value whose encoding fails when it is told to.
  struct Fragile: StoreCodable, Equatable {
    struct Refusal: Error, CustomStringConvertible { var description: String { "it broke" } }
    var inner: [Part]
    struct Part: Codable, Equatable, Sendable {
      var breaks: Bool
      init(breaks: Bool) { self.breaks = breaks }
      init(from decoder: any Decoder) throws {
        breaks = try decoder.singleValueContainer().decode(Bool.self)
      }
      func encode(to encoder: any Encoder) throws {
        if breaks { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(breaks)
      }
    }
  }
  struct FragileItem: StoreItem {
    @StoreParam(key: "fragile", default: Fragile(inner: [])) var fragile
    @StoreParam(key: "list", default: [:]) var list: [String: [Fragile?]]
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "broken", default: Fragile(inner: [.init(breaks: true)])) var broken
  }

  @Test(arguments: BackendKind.allCases)
  func `an encoding that throws fails its own key, and the file stays as it is`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<FragileItem>(place.backend)
    // A default that cannot be stored is left out.
    try store.set(\.name, to: "a")
    #expect(try place.stored()?.keys == ["fragile", "list", "name"])
    let before = try place.stored()
    let version = try place.version
    let error = try #require(throws: StoreError.self) {
      try store.set(\.fragile, to: Fragile(inner: [.init(breaks: false), .init(breaks: true)]))
    }
    #expect(error.code == .invalidValue)
    #expect(error.key == "fragile")
    #expect("\(error)".contains("at 'inner/1': it broke"))
    #expect(throws: StoreError.self) {
      try store.set(\.list, to: ["x": [nil, Fragile(inner: [.init(breaks: true)])]])
    }
    store.fragile = Fragile(inner: [.init(breaks: true)])
    #expect(store.saveError?.code == .invalidValue)
    #expect(try place.stored() == before)
    #expect(try place.version == version)
    #expect(store.fragile == Fragile(inner: []))
    try store.set(\.name, to: "b")
    #expect(SimpleStore<FragileItem>(place.backend).name == "b")
  }

  @Test(arguments: BackendKind.allCases)
  func `a value that cannot be decoded costs its key only, and says where`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put([
      "value": .dictionary(["date": .bool(true)]), "other": .integer(1),
    ])
    let store = SimpleStore<Holder>(place.backend)
    #expect(store.value == Everything())
    #expect(store.other == 1)
    #expect("\(store.loadReport)".contains("at 'date': found a bool, not a Date"))
    store.other = 2
    #expect(try place.stored()?["value"] == .dictionary(["date": .bool(true)]))
  }

  enum Level: Int, StoreCodable { case low, high }
  struct Levels: StoreItem {
    @StoreParam(key: "level", default: Level.low) var level
    @StoreParam(key: "levels", default: []) var levels: [Level]
  }

  @Test func `a raw-value enum may be Codable too`() throws {
    let backend = MemoryBackend()
    let store = SimpleStore<Levels>(backend)
    try store.update {
      $0.level = .high
      $0.levels = [.high, .low]
    }
    #expect(
      try backend.load() == ["level": .integer(1), "levels": .array([.integer(1), .integer(0)])])
    #expect(Level(storeValue: .integer(7)) == nil)
  }

  /// A key of the user's that tells texts apart by their bytes, as documents do.
  struct ByteText: Hashable, Codable, CodingKeyRepresentable, Sendable {
    let text: String
    init(_ text: String) { self.text = text }
    init?<Key: CodingKey>(codingKey: Key) { text = codingKey.stringValue }
    var codingKey: any CodingKey { AnyCodingKey(text) }
    static func == (left: Self, right: Self) -> Bool {
      left.text.utf8.elementsEqual(right.text.utf8)
    }
    func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
  }
  struct AnyCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { return nil }
  }
  /// Keys of which all have the same text.
  struct Nameless: Hashable, Codable, CodingKeyRepresentable, Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    init?<Key: CodingKey>(codingKey: Key) { number = 0 }
    var codingKey: any CodingKey { AnyCodingKey("x") }
  }
  struct Tables: StoreCodable, Equatable {
    var numbers: [Int: String] = [:]
    var texts: [String: Int] = [:]
    var bytes: [ByteText: Int] = [:]
    var dates: [Date: Int] = [:]
    var nameless: [Nameless: Int] = [:]
  }
  struct TableItem: StoreItem {
    @StoreParam(key: "tables", default: Tables()) var tables
    @StoreParam(key: "other", default: 0) var other
  }

  static let tablesWithEqualKeys: [(key: String, value: StoreValue)] = [
    ("numbers", .dictionary(["1": .string("a"), "01": .string("b")])),
    ("texts", .dictionary(["\u{e9}": .integer(1), "e\u{301}": .integer(2)])),
    ("dates", .array([.integer(0), .integer(1), .double(0), .integer(2)])),
    ("nameless", .dictionary(["x": .integer(1), "y": .integer(2)])),
  ]

  @Test(arguments: BackendKind.allCases, tablesWithEqualKeys.indices)
  func `a dictionary of which two keys are one is not taken, and stays`(
    _ kind: BackendKind, _ number: Int
  ) throws {
    let (key, value) = Self.tablesWithEqualKeys[number]
    var tables = try #require(Tables().storeValue.entries)
    tables[key] = value
    let place = kind.place()
    try place.put(["tables": .dictionary(tables), "other": .integer(1)])
    let stored = try place.stored()?["tables"]
    let store = SimpleStore<TableItem>(place.backend)
    #expect(store.tables == Tables())
    #expect(store.loadReport.wrongTypes.map(\.key) == ["tables"])
    #expect("\(store.loadReport)".contains("at '\(key)': two keys of the dictionary are one"))
    store.other = 2
    #expect(try place.stored()?["tables"] == stored)
  }

  @Test(arguments: BackendKind.allCases)
  func `keys that differ in their bytes are two, and keys of one text are refused`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    var tables = Tables()
    tables.bytes = [ByteText("\u{e9}"): 1, ByteText("e\u{301}"): 2]
    tables.dates = [.distantPast: 1, .distantFuture: 2]
    try SimpleStore<TableItem>(place.backend).set(\.tables, to: tables)
    let fresh = SimpleStore<TableItem>(place.backend)
    #expect(fresh.tables == tables)
    tables.nameless = [Nameless(1): 1, Nameless(2): 2]
    let error = #expect(throws: StoreError.self) { try fresh.set(\.tables, to: tables) }
    #expect(error?.code == .invalidValue)
    let sentence = "at 'nameless': two keys of the dictionary have the same text"
    #expect("\(try #require(error))".contains(sentence))
    #expect(fresh.tables.nameless == [:])
  }

  final class Cycle: Codable {
    var next: Cycle?
    var numbers = [1]
  }

  @Test func `a value without end is refused, not followed`() {
    let cycle = Cycle()
    cycle.next = cycle
    #expect(throws: (any Error).self) { try StoreValue(encoding: cycle) }
    cycle.next = nil
    struct Bottomless: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for _ in 0..<100_000 { container = container.nestedUnkeyedContainer() }
      }
    }
    #expect(throws: (any Error).self) { try StoreValue(encoding: Bottomless()) }
    struct TwoFaced: Encodable {
      func encode(to encoder: any Encoder) throws {
        _ = encoder.unkeyedContainer()
        var container = encoder.singleValueContainer()
        try container.encode(1)
      }
    }
    #expect(throws: (any Error).self) { try StoreValue(encoding: TwoFaced()) }
  }

  @Test func `NaN, null and missing are three things inside too`() throws {
    struct Parts: Codable {
      var ratio: Double
      var list: [Int?]
      var missing: String?
    }
    let place = BackendKind.json.place()
    let value = try StoreValue(encoding: Parts(ratio: .nan, list: [nil, 1], missing: nil))
    try place.put(["value": value])
    let read = try #require(try place.stored()?["value"]).decoded(as: Parts.self)
    #expect(read.ratio.isNaN)
    #expect(read.list == [nil, 1])
    #expect(read.missing == nil)
  }
}

extension StoreValue {
  fileprivate var entries: StoreDocument? {
    if case .dictionary(let document) = self { document } else { nil }
  }
}
