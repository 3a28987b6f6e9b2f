import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// A store in `UserDefaults`, beside plain code on the same suite.
struct UserDefaultsTests {
  struct Settings: StoreItem {
    @StoreParam(key: "on", default: false) var on
    @StoreParam(key: "count", default: 0) var count
    @StoreParam(key: "ratio", default: 0) var ratio: Double
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "bytes", default: Data()) var bytes
    @StoreParam(key: "born", default: .distantPast) var born: Date
    @StoreParam(key: "tags", default: []) var tags: [String]
    @StoreParam(key: "sizes", default: [:]) var sizes: [String: Int]
  }

  private static let born = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private static func fill(_ settings: inout Settings) {
    settings.on = true
    settings.count = 7
    settings.ratio = 0.5
    settings.name = "sky"
    settings.bytes = Data([1, 2])
    settings.born = born
    settings.tags = ["a", "b"]
    settings.sizes = ["x": 1]
  }

  private static var values: [String: Any] {
    [
      "on": true, "count": 7, "ratio": 0.5, "name": "sky", "bytes": Data([1, 2]), "born": born,
      "tags": ["a", "b"], "sizes": ["x": 1],
    ]
  }

  @Test(arguments: DefaultsKind.allCases, [true, false])
  func `what plain code has set is understood, synchronized or not`(
    _ kind: DefaultsKind, _ isSynchronized: Bool
  ) {
    let place = DefaultsPlace()
    let plain = place.plain
    switch kind {
    case .oneDictionary: plain.set(Self.values, forKey: "user")
    case .oneDefaultPerKey: for (key, value) in Self.values { plain.set(value, forKey: key) }
    }
    if isSynchronized { plain.synchronize() }
    let store = SimpleStore<Settings>(kind.backend(place))
    #expect(store.loadReport.description == "")
    var expected = Settings()
    Self.fill(&expected)
    #expect(store.item.storeValue == expected.storeValue)
  }

  @Test(arguments: DefaultsKind.allCases)
  func `plain code reads what a store saved, in native types`(_ kind: DefaultsKind) throws {
    let place = DefaultsPlace()
    // Plain code has read the suite before, and must not go on with what it knew.
    #expect(place.plain.object(forKey: "user") == nil)
    try SimpleStore<Settings>(kind.backend(place)).update { Self.fill(&$0) }
    for found in [kind.defaults(place), try stored(place, kind)] {
      #expect(found["on"] as? Bool == true)
      #expect(found["count"] as? Int == 7)
      #expect(found["ratio"] as? Double == 0.5)
      #expect(found["name"] as? String == "sky")
      #expect(found["bytes"] as? Data == Data([1, 2]))
      #expect(found["born"] as? Date == Self.born)
      #expect(found["tags"] as? [String] == ["a", "b"])
      #expect((found["sizes"] as? [String: Any])?["x"] as? Int == 1)
    }
  }

  private func stored(_ place: DefaultsPlace, _ kind: DefaultsKind) throws -> [String: Any] {
    let all = try place.stored
    return kind == .oneDictionary ? all["user"] as? [String: Any] ?? [:] : all
  }

  @Test(arguments: DefaultsKind.allCases)
  func `other defaults of the suite stay, and those of other domains play no part`(
    _ kind: DefaultsKind
  ) throws {
    let place = DefaultsPlace()
    let key = "simplestore-test-\(UUID().uuidString)"
    struct Foreign: StoreItem { @StoreParam(key: "mine", default: 0) var mine }
    place.plain.set([true, 1, UInt64.max] as [Any], forKey: "foreign")
    place.plain.synchronize()
    UserDefaults.standard.register(defaults: [key: 5])
    let store = SimpleStore<Foreign>(kind.backend(place))
    store.mine = 3
    store.reset()
    #expect(store.saveError == nil)
    #expect(
      try UserDefaultsBackend.userDefaults(suite: place.suite).load()?["foreign"]
        == .array([.bool(true), .integer(1), .unsigned(.max)]))
    #expect(try UserDefaultsBackend.userDefaults(suite: place.suite).load()?[key] == nil)
    #expect(UserDefaults.standard.integer(forKey: key) == 5)
  }

  @Test(arguments: DefaultsKind.allCases)
  func `an unsaved change of plain code survives a save of the store, and the reverse`(
    _ kind: DefaultsKind
  ) throws {
    let place = DefaultsPlace()
    let store = SimpleStore<User>(kind.backend(place))
    store.age = 1
    let plain = place.plain
    #expect(plain.object(forKey: "foreign") == nil)
    plain.set("kept", forKey: "foreign")
    store.age = 2
    plain.set("too", forKey: "other")
    plain.synchronize()
    #expect(try place.stored["foreign"] as? String == "kept")
    #expect(try place.stored["other"] as? String == "too")
    #expect(SimpleStore<User>(kind.backend(place)).age == 2)
  }

  @Test func `stores on two keys, one inside the other, lose nothing and do not wait`() throws {
    let place = DefaultsPlace()
    let outer = SimpleStore<User>(.userDefaults(suite: place.suite, key: "outer"))
    let inner = SimpleStore<User>(.userDefaults(suite: place.suite, key: "inner"))
    outer.batchUpdate {
      $0.age = 1
      inner.age = 2
    }
    #expect(SimpleStore<User>(.userDefaults(suite: place.suite, key: "outer")).age == 1)
    #expect(SimpleStore<User>(.userDefaults(suite: place.suite, key: "inner")).age == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `two threads with stores on two keys, one inside the other, do not wait for ever`() async {
    let place = DefaultsPlace()
    let outer = SimpleStore<User>(.userDefaults(suite: place.suite, key: "outer"))
    let inner = SimpleStore<User>(.userDefaults(suite: place.suite, key: "inner"))
    let whole = SimpleStore<User>(.userDefaults(suite: place.suite))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<50 {
          outer.batchUpdate {
            $0.age += 1
            inner.age += 1
          }
        }
      }
      group.addTask { for _ in 0..<50 { inner.age += 1 } }
      group.addTask { for _ in 0..<50 { whole.age += 1 } }
    }
    let ages = [outer, inner, whole].map(\.age)
    #expect(ages == [50, 100, 50])
  }

  @Test func `a store on a key inside an edit of the whole suite loses nothing`() throws {
    let place = DefaultsPlace()
    let whole = SimpleStore<User>(.userDefaults(suite: place.suite))
    let part = SimpleStore<User>(.userDefaults(suite: place.suite, key: "part"))
    whole.age = 1
    whole.batchUpdate {
      $0.age = 2
      part.age = 3
    }
    // Past the stores, which go on with what they know.
    let saved = try UserDefaultsBackend.userDefaults(suite: place.suite, key: "part").load()
    #expect(saved?["age"] == .integer(3))
    whole.name = "sky"
    let all = try UserDefaultsBackend.userDefaults(suite: place.suite).load()
    #expect(all?["age"] == .integer(2))
    #expect(all?["name"] == .string("sky"))
    #expect(all?.keys.contains("part") == true)
  }

  @Test(arguments: DefaultsKind.allCases)
  func `stores on one place share what they know`(_ kind: DefaultsKind) {
    let place = DefaultsPlace()
    let first = SimpleStore<User>(kind.backend(place))
    let second = SimpleStore<User>(kind.backend(place))
    first.age = 5
    #expect(second.age == 5)
  }

  @Test(arguments: ["", ".", "..", "../x", "a/b", "/etc/x", "a\0b", "NSGlobalDomain"])
  func `a name that is no suite's is refused`(_ name: String) {
    for backend in [
      UserDefaultsBackend.userDefaults(suite: name), .userDefaults(suite: name, key: "user"),
    ] {
      let store = SimpleStore<User>(backend)
      guard case .failed(let error) = store.loadState, error.code == .invalidLocation else {
        Issue.record("\(store.loadState)")
        return
      }
      store.age = 1
      #expect(store.saveError?.code == .invalidLocation)
    }
  }

  @Test func `a key that no property list can hold is refused, and only it`() throws {
    struct Odd: StoreItem {
      @StoreParam(key: "a\u{1}", default: 0) var odd
    }
    let place = DefaultsPlace()
    let one = SimpleStore<User>(.userDefaults(suite: place.suite, key: "a\u{0}"))
    #expect(throws: StoreError.self) { try one.set(\.age, to: 1) }
    let store = SimpleStore<Odd>(.userDefaults(suite: place.suite))
    let error = #expect(throws: StoreError.self) { try store.set(\.odd, to: 1) }
    #expect(error?.code == .invalidValue)
    #expect(error?.key == "a\u{1}")
    #expect(place.names == [])
  }

  @Test func `a default that is no dictionary is damaged, and set aside under another key`() throws
  {
    let place = DefaultsPlace()
    place.plain.set("text", forKey: "user")
    place.plain.synchronize()
    let store = SimpleStore<User>(.userDefaults(suite: place.suite, key: "user"))
    guard case .damaged(let error) = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.key == "user")
    #expect(try place.stored["user"] as? String == "text")
    store.age = 1
    #expect(store.saveError == nil)
    let aside = try #require(try place.stored.keys.first { $0.hasPrefix("user.damaged-") })
    #expect(try place.stored[aside] as? String == "text")
    #expect(store.loadReport.damagedFile?.hasSuffix(aside) == true)
    #expect(SimpleStore<User>(.userDefaults(suite: place.suite, key: "user")).age == 1)
  }
}
