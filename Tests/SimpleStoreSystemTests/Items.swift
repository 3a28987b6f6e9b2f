import Foundation
import SimpleStore

/// The item of most tests.
struct User: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "age", default: 0) var age
  @StoreParam(key: "nickname") var nickname: String?
  @StoreParam(key: "tags", default: []) var tags: [String]
}

/// One field of every native type, and of what has none.
struct Everything: StoreItem {
  @StoreParam(key: "bool", default: false) var bool
  @StoreParam(key: "int", default: 0) var int
  @StoreParam(key: "unsigned", default: 0) var unsigned: UInt64
  @StoreParam(key: "wide", default: 0) var wide: Int128
  @StoreParam(key: "double", default: 0) var double: Double
  @StoreParam(key: "text", default: "x") var text
  @StoreParam(key: "data", default: Data([1])) var data
  @StoreParam(key: "date", default: Date(timeIntervalSinceReferenceDate: 1)) var date
  @StoreParam(key: "optional", default: 1) var optional: Int?
  @StoreParam(key: "list", default: ["x"]) var list: [String?]
  @StoreParam(key: "table", default: ["x": 1]) var table: [String: Int]

  static let edits: [(name: String, edit: @Sendable (inout Everything) -> Void)] = [
    (
      "the greatest",
      {
        $0.bool = true
        $0.int = .max
        $0.unsigned = .max
        $0.wide = .max
        $0.double = .greatestFiniteMagnitude
        $0.date = .distantFuture
      }
    ),
    (
      "the least",
      {
        $0.int = .min
        $0.wide = .min
        $0.double = .leastNonzeroMagnitude
        $0.date = .distantPast
      }
    ),
    (
      "one",
      {
        $0.bool = true
        $0.int = 1
        $0.double = 1
      }
    ),
    ("minus zero", { $0.double = -0.0 }),
    ("not a number", { $0.double = .nan }),
    ("infinite", { $0.double = -.infinity }),
    ("a tenth", { $0.double = 0.1 }),
    (
      "a fraction of a date",
      { $0.date = Date(timeIntervalSinceReferenceDate: 800_000_000.123456) }
    ),
    (
      "nothing",
      {
        $0.text = ""
        $0.data = Data()
        $0.optional = nil
        $0.list = []
        $0.table = [:]
      }
    ),
    ("nils", { $0.list = [nil, "a", nil] }),
    ("controls", { $0.text = "\u{0}a\r\n\t\u{1}\u{FFFE}" }),
    ("a line end at the end", { $0.text = "p w\n" }),
    ("5,000 bytes", { $0.data = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 7) }) }),
    ("$null", { $0.text = "$null" }),
    ("decomposed", { $0.text = "e\u{301}" }),
    ("keys", { $0.table = ["": 1, "a.b": 2, "$null": 3, "\u{0}": 4, "🙂": 5] }),
  ]
}
