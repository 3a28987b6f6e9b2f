package import Foundation
package import SimpleStore

/// The item of the files that released versions wrote: one field of every kind. Fields may be added
/// with new versions; none may be changed.
package struct ReleasedItem: StoreItem {
  package init() {}

  @StoreParam(key: "bool", default: false) package var bool
  @StoreParam(key: "int", default: 0) package var int
  @StoreParam(key: "uint64", default: 0) package var uint64: UInt64
  @StoreParam(key: "int128", default: 0) package var int128: Int128
  @StoreParam(key: "double", default: 0) package var double: Double
  @StoreParam(key: "float", default: 0) package var float: Float
  @StoreParam(key: "infinite", default: 0) package var infinite: Double
  @StoreParam(key: "string", default: "") package var string
  @StoreParam(key: "controls", default: "") package var controls
  @StoreParam(key: "data", default: Data()) package var data
  @StoreParam(key: "date", default: .distantPast) package var date: Date
  @StoreParam(key: "exact date", default: .distantPast) package var exactDate: Date
  @StoreParam(key: "url", default: URL(filePath: "/")) package var url
  @StoreParam(key: "uuid", default: UUID()) package var uuid
  @StoreParam(key: "decimal", default: 0) package var decimal: Decimal
  @StoreParam(key: "duration", default: .zero) package var duration: Duration
  @StoreParam(key: "range", default: 0..<1) package var range
  @StoreParam(key: "closed range", default: 0...1) package var closedRange
  @StoreParam(key: "mood", default: Mood.calm) package var mood
  @StoreParam(key: "nil", default: "x") package var nothing: String?
  @StoreParam(key: "list", default: []) package var list: [Int?]
  @StoreParam(key: "set", default: []) package var set: Set<String>
  @StoreParam(key: "by integer", default: [:]) package var byInteger: [Int: String]
  @StoreParam(key: "by mood", default: [:]) package var byMood: [Mood: Bool]
  @StoreParam(key: "part", default: Part()) package var part
  @StoreParam(key: "parts", default: []) package var parts: [Part]
  @StoreParam(key: "shape", default: .circle(radius: 0)) package var shape: Shape
  @StoreParam(key: "text", default: .text("", [])) package var text: Shape

  package static let migrations = [StoreMigration("a step") { $0["string"] = .string("spoilt") }]

  package enum Mood: String, StoreConvertible, StoreKey { case calm, wild }
  package struct Part: StoreItem {
    package init() {}
    @StoreParam(key: "x", default: 0) package var x
  }
  package enum Shape: StoreCodable, Equatable {
    case circle(radius: Double)
    case text(String, [Int])
  }

  /// What they hold besides the fields.
  package static let unknown: StoreDocument = [
    "from a later version": .array([.null, .integer(1)])
  ]

  /// The item as it was saved.
  package static var saved: ReleasedItem {
    var item = ReleasedItem()
    item.bool = true
    item.int = .min
    item.uint64 = .max
    item.int128 = .max
    item.double = -0.0
    item.float = 0.1
    item.infinite = -.infinity
    item.string = "naïve 🙂"
    item.controls = "\u{0}\r\n\u{FFFE}"
    item.data = Data([0, 255])
    item.date = Date(timeIntervalSinceReferenceDate: 800_000_000)
    item.exactDate = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456)
    item.url = URL(string: "https://example.test/a%20b")!
    item.uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
    item.decimal = Decimal(string: "12345678901234567890.0123456789")!
    item.duration = Duration(secondsComponent: 1, attosecondsComponent: 1)
    item.range = 2..<3
    item.closedRange = -1...5
    item.mood = .wild
    item.nothing = nil
    item.list = [1, nil]
    item.set = ["b", "a"]
    item.byInteger = [-1: "minus", 10: "ten"]
    item.byMood = [.wild: true]
    item.part.x = 4
    item.parts = [item.part, Part()]
    item.shape = .circle(radius: 1.5)
    item.text = .text("t", [1, 2])
    return item
  }

  /// Writes to a place what the files hold.
  package static func save(to backend: some StoreBackend) throws {
    try backend.save(unknown)
    try SimpleStore<ReleasedItem>(backend).update { $0 = saved }
  }
}
