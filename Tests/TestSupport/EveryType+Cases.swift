import Foundation
import SimpleStore

extension EveryType {
  /// Edits that together try every type and its extremes.
  package static let cases: [(name: String, edit: @Sendable (inout EveryType) -> Void)] = [
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
      }
    ),
    ("a long text", { $0.string = String(repeating: "👩‍👩‍👧", count: 10_000) }),
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
    (
      "nothing, but there",
      {
        $0.optional = ""
        $0.optionals = ["", nil]
        $0.optionalOptional = 0
        $0.optionalDictionary = [0: Data()]
        $0.optionalCodable = ["": .text("", [])]
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
        ]
      }
    ),
    ("a long key", { $0.dictionary = [String(repeating: "k", count: 70_000): 8] }),
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
    (
      "codable types",
      {
        $0.plainItem.width = .min
        $0.plainItem.title = "$null"
        $0.plainItem.opened = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456)
        $0.codable = .group(
          ["a.b": .text("\u{0}", [nil, 1]), "": .circle(radius: -0.0)], Data([0]))
        $0.optionalCodable = ["$data": .text("", []), "x": .circle(radius: .infinity)]
      }
    ),
    ("a line end at the end", { $0.string = "p w\n" }),
  ]
}
