import Foundation
import SimpleStore
import TestSupport
import Testing

/// A plain `Codable` struct as the item.
struct CodableItemTests {
  struct Settings: CodableStoreItem, Equatable {
    struct Window: Codable, Equatable, Sendable {
      var width = 800
      var title = "t"
    }
    var name = "n"
    var age = 7
    var nickname: String?
    var home: URL? = URL(string: "https://example.test/")
    var seen = Date(timeIntervalSinceReferenceDate: 0)
    var window = Window()
    var tags: Set<String> = ["x"]
  }

  @Test(arguments: BackendKind.allCases)
  func `fields are saved and read one by one`(_ kind: BackendKind) throws {
    let place = kind.place()
    var expected = Settings()
    do {
      let store = SimpleStore<Settings>(place.backend)
      #expect(store.item == expected)
      store.age += 1
      store[\.window.width] = 300
      store.nickname = "k"
      store.home = nil
      store.tags = ["b", "a"]
      expected = store.item
      #expect(expected.age == 8)
      #expect(try place.stored()?["home"] == .null)
    }
    let fresh = SimpleStore<Settings>(place.backend)
    #expect(fresh.item == expected)
    let version = try place.version
    fresh.tags = ["a", "b"]
    fresh.item = expected
    #expect(try place.version == version)
    fresh.reset()
    #expect(SimpleStore<Settings>(place.backend).item == Settings())
  }

  @Test(arguments: BackendKind.allCases)
  func `a missing or bad key costs that key, and unknown ones stay`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.put([
      "future": .integer(1), "age": .string("twelve"), "name": .string("Ann"),
      "window": .dictionary(["width": .string("wide")]), "nickname": .string("k"),
    ])
    let store = SimpleStore<Settings>(place.backend)
    #expect(store.name == "Ann")
    #expect(store.age == 7)
    #expect(store.nickname == "k")
    #expect(store.window == Settings.Window())
    #expect(store.home == Settings().home)
    #expect(store.loadReport.unknownKeys == ["future"])
    #expect(store.loadReport.wrongTypes.map(\.key) == ["age", "window"])
    #expect(store.loadReport.missingKeys == ["home", "seen", "tags"])
    store.name = "Bea"
    let stored = try #require(try place.stored())
    #expect(stored["future"] == .integer(1))
    #expect(stored["age"] == .string("twelve"))
    store.age = 8
    #expect(try place.stored()?["age"] == .integer(8))
  }

  struct Fragile: CodableStoreItem {
    struct Part: Codable, Sendable {
      var value = 0
      init() {}
      init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int.self)
      }
      func encode(to encoder: any Encoder) throws {
        if value < 0 { throw CancellationError() }
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    var part = Part()
    var name = ""
  }

  @Test(arguments: BackendKind.allCases)
  func `an encoding that throws fails its own key`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<Fragile>(place.backend)
    store.name = "a"
    let before = try place.stored()
    var bad = Fragile.Part()
    bad.value = -1
    let error = #expect(throws: StoreError.self) { try store.set(\.part, to: bad) }
    #expect(error?.key == "part")
    #expect(try place.stored() == before)
    #expect(store.part.value == 0)
    try store.set(\.name, to: "b")
    #expect(try place.stored()?["name"] == .string("b"))
  }

  @Test func `what another process changes is merged per key`() throws {
    let place = BackendKind.json.place()
    let store = SimpleStore<Settings>(place.backend)
    store.name = "a"
    var document = try #require(try place.stored())
    document["age"] = .integer(99)
    try place.put(document)
    store.nickname = "k"
    #expect(store.age == 99)
    #expect(try place.stored()?["age"] == .integer(99))
    #expect(try place.stored()?["nickname"] == .string("k"))
  }
}
