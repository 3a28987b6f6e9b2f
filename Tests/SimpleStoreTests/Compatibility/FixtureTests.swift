import Foundation
import SimpleStore
import TestSupport
import Testing

/// Files that released versions wrote load for ever.
///
/// `Fixtures/VERSION/` holds one file of each format. They are never changed. For a new version,
/// `SIMPLESTORE_WRITE_FIXTURES=VERSION swift test --filter FixtureTests` writes a new folder; add it
/// to `versions`.
struct FixtureTests {
  static let versions = ["0.1.0"]

  enum Mood: String, StoreConvertible, StoreKey { case calm, wild }
  struct Part: StoreItem, Equatable {
    @StoreParam(key: "x", default: 0) var x
    static func == (left: Part, right: Part) -> Bool { left.x == right.x }
  }
  enum Shape: StoreCodable, Equatable {
    case circle(radius: Double)
    case text(String, [Int])
  }

  /// One field of every kind. Fields may be added with new versions; none may be changed.
  struct Everything: StoreItem {
    @StoreParam(key: "bool", default: false) var bool
    @StoreParam(key: "int", default: 0) var int
    @StoreParam(key: "uint64", default: 0) var uint64: UInt64
    @StoreParam(key: "int128", default: 0) var int128: Int128
    @StoreParam(key: "double", default: 0) var double: Double
    @StoreParam(key: "float", default: 0) var float: Float
    @StoreParam(key: "infinite", default: 0) var infinite: Double
    @StoreParam(key: "string", default: "") var string
    @StoreParam(key: "controls", default: "") var controls
    @StoreParam(key: "data", default: Data()) var data
    @StoreParam(key: "date", default: .distantPast) var date: Date
    @StoreParam(key: "exact date", default: .distantPast) var exactDate: Date
    @StoreParam(key: "url", default: URL(filePath: "/")) var url
    @StoreParam(key: "uuid", default: UUID()) var uuid
    @StoreParam(key: "decimal", default: 0) var decimal: Decimal
    @StoreParam(key: "duration", default: .zero) var duration: Duration
    @StoreParam(key: "range", default: 0..<1) var range
    @StoreParam(key: "closed range", default: 0...1) var closedRange
    @StoreParam(key: "mood", default: Mood.calm) var mood
    @StoreParam(key: "nil", default: "x") var nothing: String?
    @StoreParam(key: "list", default: []) var list: [Int?]
    @StoreParam(key: "set", default: []) var set: Set<String>
    @StoreParam(key: "by integer", default: [:]) var byInteger: [Int: String]
    @StoreParam(key: "by mood", default: [:]) var byMood: [Mood: Bool]
    @StoreParam(key: "part", default: Part()) var part
    @StoreParam(key: "parts", default: []) var parts: [Part]
    @StoreParam(key: "shape", default: .circle(radius: 0)) var shape: Shape
    @StoreParam(key: "text", default: .text("", [])) var text: Shape
    static let migrations = [StoreMigration("a step") { $0["string"] = .string("spoilt") }]
  }

  static func fill(_ item: inout Everything) {
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
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures").standardizedFileURL

  static func file(_ version: String, _ kind: BackendKind) -> URL {
    folder.appending(path: version)
      .appending(path: kind.rawValue + (kind == .json ? ".json" : ".plist"))
  }

  @Test(arguments: versions, BackendKind.files)
  func `a file that a released version wrote reads as it was`(
    _ version: String, _ kind: BackendKind
  ) throws {
    let file = Self.file(version, kind)
    let before = try file.bytes
    let store = SimpleStore<Everything>(kind.backend(at: file))
    var expected = Everything()
    Self.fill(&expected)
    #expect(store.item.storeValue == expected.storeValue)
    #expect(store.loadReport.wrongTypes == [])
    #expect(store.loadReport.missingKeys == [])
    #expect(store.loadReport.unknownKeys == ["from a later version"])
    #expect(try file.bytes == before)

    // A copy of it is changed, and keeps what this version does not know.
    let place = kind.place()
    try Data(before).write(to: place.file)
    let copy = SimpleStore<Everything>(place.backend)
    try copy.set(\.int, to: 1)
    #expect(try place.stored()?["from a later version"] == .array([.null, .integer(1)]))
    #expect(SimpleStore<Everything>(place.backend).int == 1)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SIMPLESTORE_WRITE_FIXTURES"] != nil))
  func `the files of a new version are written`() throws {
    let version = try #require(
      ProcessInfo.processInfo.environment["SIMPLESTORE_WRITE_FIXTURES"])
    for kind in BackendKind.files {
      let file = Self.file(version, kind)
      try #require(
        !FileManager.default.fileExists(atPath: file.systemPath),
        "the files of a released version are never changed")
      let place = kind.place()
      try place.put(["from a later version": .array([.null, .integer(1)])])
      do {
        let store = SimpleStore<Everything>(place.backend)
        try store.update { Self.fill(&$0) }
        #expect(store.saveError == nil)
      }
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(place.file.bytes).write(to: file)
    }
  }
}
