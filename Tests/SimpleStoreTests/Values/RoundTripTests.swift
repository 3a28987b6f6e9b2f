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
    @StoreParam(key: "decimal", default: 1) var decimal: Decimal
    @StoreParam(key: "duration", default: .seconds(1)) var duration: Duration
    @StoreParam(key: "set", default: ["x"]) var set: Set<String>
    @StoreParam(key: "doubles", default: [1]) var doubles: Set<Double>
    @StoreParam(key: "sets", default: [[true]]) var sets: Set<Set<Bool>>
    @StoreParam(key: "by integer", default: [1: "x"]) var byInteger
    @StoreParam(key: "by large integer", default: [1: 1]) var byLargeInteger: [UInt128: Int128]
    @StoreParam(key: "by case", default: [.light: 1]) var byCase: [Theme: Int]
    @StoreParam(key: "by number", default: [.unknown: 1]) var byNumber: [Gender: Int?]
    @StoreParam(key: "by version", default: [:]) var byVersion: [Version: Set<Int>]
    @StoreParam(key: "by character", default: ["x": 1]) var byCharacter: [Character: Int]
    @StoreParam(key: "range", default: 0..<1) var range
    @StoreParam(key: "closed range", default: 0...1) var closedRange: ClosedRange<Double>
    @StoreParam(key: "days", default: nil) var days: ClosedRange<Date>?
    @StoreParam(key: "range from", default: 0...) var rangeFrom
    @StoreParam(key: "range up to", default: ..<"x") var rangeUpTo
    @StoreParam(key: "range through", default: ...1) var rangeThrough: PartialRangeThrough<Int8>
    @StoreParam(key: "optional set", default: nil) var optionalSet: Set<UUID>?
    @StoreParam(key: "optional decimal", default: 1) var optionalDecimal: Decimal?
    @StoreParam(key: "optional duration") var optionalDuration: Duration?
    @StoreParam(key: "optional dictionary") var optionalDictionary: [Int: Data?]?
    @StoreParam(key: "item", default: Account()) var item
    @StoreParam(key: "items", default: [Account()]) var items
    @StoreParam(key: "named items", default: ["x": Account()]) var namedItems
  }

  enum Theme: String, StoreConvertible, StoreKey { case light, dark }

  /// A key that only opts in.
  struct Version: LosslessStringConvertible, StoreKey {
    var major: Int
    var minor: Int
    var description: String { "\(major).\(minor)" }
    init(_ major: Int, _ minor: Int) {
      self.major = major
      self.minor = minor
    }
    init?(_ description: String) {
      let parts = description.split(separator: ".").compactMap { Int($0) }
      guard parts.count == 2 else { return nil }
      self.init(parts[0], parts[1])
    }
  }

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
      "decimals",
      {
        $0.decimal = Decimal(string: "0.1")!
        $0.optionalDecimal = nil
      }
    ),
    (
      "the greatest decimals",
      {
        $0.decimal = .greatestFiniteMagnitude
        $0.optionalDecimal = -.greatestFiniteMagnitude
      }
    ),
    (
      "the smallest decimals",
      {
        $0.decimal = .leastNonzeroMagnitude
        $0.optionalDecimal = Decimal(string: "-12345678901234567890123456789.012345678")!
      }
    ),
    (
      "decimals that are whole, or none",
      {
        $0.decimal = .nan
        $0.optionalDecimal = Decimal(UInt64.max)
      }
    ),
    (
      "durations",
      {
        $0.duration = .milliseconds(1500)
        $0.optionalDuration = .zero - .nanoseconds(1)
      }
    ),
    (
      "the greatest durations",
      {
        $0.duration = Duration(_high: .max, low: .max)
        $0.optionalDuration = Duration(_high: .min, low: 0)
      }
    ),
    (
      "the smallest durations",
      {
        $0.duration = Duration(secondsComponent: 0, attosecondsComponent: 1)
        $0.optionalDuration = Duration(secondsComponent: .max, attosecondsComponent: 1)
      }
    ),
    (
      "sets",
      {
        $0.set = ["b", "a", "", "é", "🙂", "\u{0}"]
        $0.doubles = [-0.0, 1e300, .infinity, -.infinity, .leastNonzeroMagnitude, 0.1]
        $0.sets = [[], [true], [false], [true, false]]
        $0.optionalSet = [UUID(uuidString: "00000000-0000-0000-0000-000000000001")!]
      }
    ),
    (
      "empty sets",
      {
        $0.set = []
        $0.doubles = []
        $0.sets = []
        $0.optionalSet = []
        $0.byInteger = [:]
        $0.byCase = [:]
        $0.optionalDictionary = [:]
      }
    ),
    (
      "keys of other types",
      {
        $0.byInteger = [.min: "min", -1: "", 0: "0", .max: "max"]
        $0.byLargeInteger = [.max: .min, 0: .max]
        $0.byCase = [.dark: 2, .light: 3]
        $0.byNumber = [.male: nil, .female: 0]
        $0.byVersion = [Version(1, 10): [3, 1, 2], Version(1, 9): []]
        $0.byCharacter = ["👩‍👩‍👧": 1, ".": 2, "e\u{301}": 3]
        $0.optionalDictionary = [1: nil, 2: Data([0])]
      }
    ),
    (
      "ranges",
      {
        $0.range = -5 ..< -5
        $0.closedRange = -.infinity ... .infinity
        $0.days = Date(timeIntervalSinceReferenceDate: 0.25) ... .distantFuture
        $0.rangeFrom = 7...
        $0.rangeUpTo = ..<""
        $0.rangeThrough = ...(-128)
      }
    ),
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
    #expect(fresh.decimal == expected.decimal || expected.decimal.isNaN)
    #expect(fresh.duration == expected.duration)
    #expect(fresh.byVersion == expected.byVersion)
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
