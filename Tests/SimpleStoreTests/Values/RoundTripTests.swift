import Foundation
import SimpleStore
import TestSupport
import Testing

/// Whatever was stored reads back equal, on every backend, from a store that knows nothing yet.
struct RoundTripTests {
  /// One field of every type, with defaults that none of the values below is.
  struct Everything: StoreItem {
    @StoreParam(key: "bool", default: true) var bool
    @StoreParam(key: "int", default: 1) var int
    @StoreParam(key: "int8", default: 1) var int8: Int8
    @StoreParam(key: "int16", default: 1) var int16: Int16
    @StoreParam(key: "int32", default: 1) var int32: Int32
    @StoreParam(key: "int64", default: 1) var int64: Int64
    @StoreParam(key: "int128", default: 1) var int128: Int128
    @StoreParam(key: "uint", default: 1) var uint: UInt
    @StoreParam(key: "uint8", default: 1) var uint8: UInt8
    @StoreParam(key: "uint16", default: 1) var uint16: UInt16
    @StoreParam(key: "uint32", default: 1) var uint32: UInt32
    @StoreParam(key: "uint64", default: 1) var uint64: UInt64
    @StoreParam(key: "uint128", default: 1) var uint128: UInt128
    @StoreParam(key: "float", default: 1) var float: Float
    @StoreParam(key: "double", default: 1) var double: Double
    @StoreParam(key: "string", default: "x") var string
    @StoreParam(key: "character", default: "x") var character: Character
    @StoreParam(key: "data", default: Data([1])) var data
    @StoreParam(key: "date", default: Date(timeIntervalSinceReferenceDate: 1)) var date
    @StoreParam(key: "url", default: URL(filePath: "/")) var url
    @StoreParam(key: "uuid", default: UUID()) var uuid
    @StoreParam(key: "raw", default: Gender.unknown) var raw
    @StoreParam(key: "text raw", default: Theme.light) var textRaw
    @StoreParam(key: "optional", default: "x") var optional: String?
    @StoreParam(key: "optional optional", default: 7) var optionalOptional: Int??
    @StoreParam(key: "array", default: ["x"]) var array
    @StoreParam(key: "optionals", default: ["x"]) var optionals: [String?]
    @StoreParam(key: "dictionary", default: ["x": 1]) var dictionary
    @StoreParam(key: "deep", default: ["x": [["y": true]]]) var deep
    @StoreParam(key: "item", default: Account()) var item
    @StoreParam(key: "items", default: [Account()]) var items
    @StoreParam(key: "named items", default: ["x": Account()]) var namedItems
  }

  enum Theme: String, StoreConvertible { case light, dark }

  static let edits: [(name: String, edit: @Sendable (inout Everything) -> Void)] = [
    (
      "the least",
      {
        $0.bool = false
        $0.int = .min
        $0.int8 = .min
        $0.int16 = .min
        $0.int32 = .min
        $0.int64 = .min
        $0.int128 = .min
        $0.uint = 0
        $0.uint8 = 0
        $0.uint16 = 0
        $0.uint32 = 0
        $0.uint64 = 0
        $0.uint128 = 0
        $0.float = -.greatestFiniteMagnitude
        $0.double = -.greatestFiniteMagnitude
        $0.date = .distantPast
        $0.raw = .male
      }
    ),
    (
      "the greatest",
      {
        $0.int = .max
        $0.int8 = .max
        $0.int16 = .max
        $0.int32 = .max
        $0.int64 = .max
        $0.int128 = .max
        $0.uint = .max
        $0.uint8 = .max
        $0.uint16 = .max
        $0.uint32 = .max
        $0.uint64 = .max
        $0.uint128 = .max
        $0.float = .greatestFiniteMagnitude
        $0.double = .greatestFiniteMagnitude
        $0.date = .distantFuture
        $0.string = String(repeating: "👩‍👩‍👧", count: 10_000)
      }
    ),
    (
      "what doubles cannot hold",
      {
        $0.int = 9_007_199_254_740_993
        $0.uint64 = UInt64(Int64.max) + 1
        $0.int128 = Int128(UInt64.max) + 1
      }
    ),
    (
      "nothing",
      {
        $0.string = ""
        $0.data = Data()
        $0.array = []
        $0.optionals = []
        $0.dictionary = [:]
        $0.deep = [:]
        $0.items = []
        $0.namedItems = [:]
        $0.optional = nil
        $0.optionalOptional = nil
        $0.double = 0
        $0.float = 0
      }
    ),
    ("a nil inside", { $0.optionalOptional = .some(nil) }),
    ("nils in a list", { $0.optionals = [nil, "a", nil] }),
    (
      "minus zero",
      {
        $0.double = -0.0
        $0.float = -0.0
      }
    ),
    (
      "the smallest",
      {
        $0.double = .leastNonzeroMagnitude
        $0.float = .leastNonzeroMagnitude
      }
    ),
    (
      "not a number",
      {
        $0.double = .nan
        $0.float = .nan
      }
    ),
    (
      "infinite",
      {
        $0.double = .infinity
        $0.float = -.infinity
      }
    ),
    (
      "a tenth",
      {
        $0.double = 0.1
        $0.float = 0.1
      }
    ),
    ("whole", { $0.double = 3 }),
    (
      "a fraction of a microsecond",
      { $0.date = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456) }
    ),
    ("just before an instant", { $0.date = Date(timeIntervalSinceReferenceDate: -1e-7) }),
    ("a date beyond all calendars", { $0.date = Date(timeIntervalSinceReferenceDate: 1e300) }),
    ("a date without end", { $0.date = Date(timeIntervalSinceReferenceDate: .infinity) }),
    ("controls", { $0.string = "\u{0}a\r\n\t\u{1}\u{1F}\u{7F}" }),
    ("not characters", { $0.string = "\u{FFFE}\u{FFFF}\u{FEFF}" }),
    ("null by another name", { $0.string = "$null" }),
    ("what looks like a number", { $0.string = "1e5" }),
    ("decomposed", { $0.string = "e\u{301}" }),
    ("composed", { $0.string = "\u{e9}" }),
    ("a letter of many", { $0.character = "👩‍👩‍👧" }),
    ("all bytes", { $0.data = Data(0...255) }),
    ("a web address", { $0.url = URL(string: "https://example.test/a%20b?c=d#e")! }),
    (
      "keys of all kinds",
      {
        $0.dictionary = [
          "": 1, "a.b": 2, "a/b": 3, "@x": 4, "$null": 5, "naïve🙂": 6, "\u{0}": 7,
          String(repeating: "k", count: 70_000): 8,
        ]
      }
    ),
    ("a wrapper's key", { $0.deep = ["$null": [["$string": false]]] }),
    (
      "items",
      {
        $0.item.name = "a"
        $0.items = [Account(), Account()]
        $0.items[1].quota = -1
        $0.namedItems = ["b": $0.item]
      }
    ),
  ]

  @Test(arguments: BackendKind.allCases, edits.map(\.name))
  func `every value reads back equal`(_ kind: BackendKind, _ name: String) throws {
    let edit = try #require(Self.edits.first { $0.name == name }).edit
    let place = kind.place()
    var expected = Everything()
    do {
      let store = SimpleStore<Everything>(place.backend)
      try store.update { edit(&$0) }
      expected = store.item
      #expect(store.loadReport.wrongTypes == [])
    }
    let fresh = SimpleStore<Everything>(place.backend)
    #expect(fresh.loadReport.wrongTypes == [])
    // The stored form compares doubles by their bits and text by its bytes.
    let stored = fresh.item.storeValue
    #expect(stored == expected.storeValue)
  }

  @Test(arguments: BackendKind.allCases)
  func `setting a value again writes nothing`(_ kind: BackendKind) throws {
    for (name, edit) in Self.edits {
      let place = kind.place()
      do { try SimpleStore<Everything>(place.backend).update { edit(&$0) } }
      let before = try place.stored()
      let fresh = SimpleStore<Everything>(place.backend)
      let version = try place.version
      try fresh.update { edit(&$0) }
      #expect(try place.version == version, "\(name)")
      #expect(try place.stored() == before, "\(name)")
    }
  }

  @Test func `equivalent texts are different values`() {
    let store = SimpleStore<User>(.memory)
    store.name = "e\u{301}"
    store.name = "\u{e9}"
    #expect(Array(store.name.utf8) == Array("\u{e9}".utf8))
  }
}
