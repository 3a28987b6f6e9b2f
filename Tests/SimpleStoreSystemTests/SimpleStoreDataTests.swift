import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// A suite that SimpleStoreData 0.1.1 itself wrote; how is in `Fixtures/SimpleStoreData-0.1.1`.
struct SimpleStoreDataTests {
  enum Gender: Int, StoreConvertible { case unknown, male, female }

  /// Its item with `UDMapperParam` fields, as it is declared now.
  struct Member: StoreItem {
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "age", default: 0) var age
    @StoreParam(key: "gender", default: Gender.unknown) var gender
    @StoreParam(key: "height", default: 0) var height: Double
    @StoreParam(key: "weight", default: 0) var weight: Float
    @StoreParam(key: "isMember", default: false) var isMember
    @StoreParam(key: "portrait", default: Data()) var portrait
    @StoreParam(key: "birthday", default: .distantPast) var birthday: Date
    @StoreParam(key: "tags", default: ["x"]) var tags: [String]
    @StoreParam(key: "scores", default: [:]) var scores: [String: Int]
  }
  /// Its `CodableDictStoreItem`, as it is.
  struct Theme: CodableStoreItem {
    struct Font: Codable { var name = "Serif"; var size = 12 }
    var name = "light"
    var contrast = 0.5
    var isDark = false
    var font = Font()
    var recent: [String] = []
    var owner: String?
    var since = Date(timeIntervalSinceReferenceDate: 1)
  }
  /// Its `CodableDataStoreItem`, as it is.
  struct Session: CodableStoreItem {
    var token = ""
    var expires = Date(timeIntervalSinceReferenceDate: 0)
    var scopes: [String] = []
  }

  private static let fixture = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/SimpleStoreData-0.1.1/SimpleStoreData.plist")

  /// A suite of its own with what SimpleStoreData wrote, in the format of Linux or of Apple
  /// platforms.
  private static func place(_ format: PropertyListSerialization.PropertyListFormat) throws
    -> DefaultsPlace
  {
    let place = DefaultsPlace()
    try FileManager.default.createDirectory(
      at: DefaultsPlace.folder, withIntermediateDirectories: true)
    let data = try Data(contentsOf: fixture)
    if format == .xml {
      try data.write(to: place.file)
    } else {
      try PropertyListSerialization.data(
        fromPropertyList: PropertyListSerialization.propertyList(from: data, format: nil),
        format: format, options: 0
      ).write(to: place.file)
    }
    return place
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `the fields of its dictionary are read, and saved beside its other defaults`(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let place = try Self.place(format)
    let store = SimpleStore<Member>(.userDefaults(suite: place.suite, key: "__User__"))
    #expect(store.loadReport.description == "")
    #expect(store.name == "天空 🙂")
    #expect(store.age == 81)
    #expect(store.gender == .female)
    #expect(store.height == 1.75)
    #expect(store.weight == 60.1)
    #expect(store.isMember)
    #expect(store.portrait == Data([0, 1, 254, 255]))
    #expect(store.birthday == Date(timeIntervalSinceReferenceDate: 600_000_000))
    #expect(store.tags == ["a", "b"])
    #expect(store.scores == ["chess": 3, "go": -1])
    let before = try place.stored
    try store.set(\.age, to: 82)
    let after = try place.stored
    #expect((after["__User__"] as? [String: Any])?["age"] as? Int == 82)
    #expect((after["__User__"] as? [String: Any])?["gender"] as? Int == 2)
    for key in ["__Fresh__", "__Theme__", "__Session__"] {
      #expect((after[key] as? NSObject) == (before[key] as? NSObject))
    }
  }

  @Test func `an item of defaults is read as one`() throws {
    let place = try Self.place(.xml)
    let store = SimpleStore<Member>(.userDefaults(suite: place.suite, key: "__Fresh__"))
    #expect(store.loadReport.description == "")
    #expect(store.tags == [])
    #expect(store.birthday == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test func `its Codable dictionary is read by the same struct`() throws {
    let place = try Self.place(.xml)
    let store = SimpleStore<Theme>(.userDefaults(suite: place.suite, key: "__Theme__"))
    #expect(store.loadReport.wrongTypes == [])
    #expect(store.loadReport.unknownKeys == [])
    #expect(store.name == "dark")
    // Stored as the integer 1, and the date as the integer 0.
    #expect(store.contrast == 1)
    #expect(store.since == Date(timeIntervalSinceReferenceDate: 0))
    #expect(store.isDark)
    #expect(store[\.font.size] == 14)
    #expect(store.recent == ["light"])
    #expect(store.owner == nil)
  }

  @Test func `its piece of JSON is read, and a dictionary from the first save on`() throws {
    let place = try Self.place(.xml)
    let store = SimpleStore<Session>(.userDefaults(suite: place.suite, key: "__Session__"))
    #expect(store.loadReport.wrongTypes == [])
    #expect(store.token == "t0k/en")
    #expect(store.expires == Date(timeIntervalSinceReferenceDate: 700_000_000.25))
    #expect(store.scopes == ["read"])
    try store.set(\.token, to: "new")
    let stored = try #require(try place.stored["__Session__"] as? [String: Any])
    #expect(stored["token"] as? String == "new")
    #expect(stored["scopes"] as? [String] == ["read"])
    let fresh = SimpleStore<Session>(.userDefaults(suite: place.suite, key: "__Session__"))
    #expect(fresh.expires == Date(timeIntervalSinceReferenceDate: 700_000_000.25))
  }

  @Test func `everything moves to files, and the suite stays as it was`() throws {
    let place = try Self.place(.xml)
    let before = try Data(contentsOf: place.file)
    let folder = TemporaryFolder()
    let member = SimpleStore<Member>(
      .plist(at: folder.file("member.plist")),
      importing: .userDefaults(suite: place.suite, key: "__User__"))
    let session = SimpleStore<Session>(
      .json(at: folder.file("session.json")),
      importing: .userDefaults(suite: place.suite, key: "__Session__"))
    try member.set(\.age, to: 1)
    try session.set(\.scopes, to: [])
    #expect(SimpleStore<Member>(.plist(at: folder.file("member.plist"))).weight == 60.1)
    #expect(SimpleStore<Session>(.json(at: folder.file("session.json"))).token == "t0k/en")
    #expect(try Data(contentsOf: place.file) == before)
  }

  @Test func `data that is no JSON is damaged, and kept`() throws {
    let place = DefaultsPlace()
    try place.write(
      "<plist><dict><key>user</key><data>AAEC</data></dict></plist>")
    let store = SimpleStore<Session>(.userDefaults(suite: place.suite, key: "user"))
    guard case .damaged = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    try store.set(\.token, to: "a")
    #expect(try place.stored.values.contains { $0 as? Data == Data([0, 1, 2]) })
  }
}
