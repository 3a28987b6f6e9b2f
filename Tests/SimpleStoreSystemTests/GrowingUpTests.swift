import Foundation
import SimpleStore
import SimpleStoreSystem
import Synchronization
import TestSupport
import Testing

/// What one version of a program stored, read and saved by another one, on every backend.
struct GrowingUpTests {
  /// The item as it was at first.
  struct First: StoreItem {
    @StoreParam(key: "user", default: "") var user
    @StoreParam(key: "age", default: "0") var age
    @StoreParam(key: "size", default: 12) var size
  }
  /// As it is now: `user` was renamed twice, `age` became a number, `size` moved into a font.
  struct Now: StoreItem {
    @StoreParam(key: "userName", default: "", formerly: ["user", "user_name"]) var userName
    @StoreParam(key: "age", default: 0, in: 0...120) var age
    @StoreParam(key: "font", default: [:]) var font: [String: Int]
    @StoreParam(key: "added", default: [1]) var added
    static let migrations = [
      StoreMigration("age is a number") { document in
        guard case .string(let text)? = document["age"], let age = Int64(text) else { return }
        document["age"] = .integer(age)
      },
      StoreMigration("one font") { document in
        guard let size = document["size"] else { return }
        document["font"] = .dictionary(["size": size])
        document["size"] = nil
      },
    ]
  }

  static let first: StoreDocument = [
    "foreign": .array([.bool(true), .unsigned(.max)]), "user": .string("Ann"),
    "age": .string("41"), "size": .integer(14),
  ]

  @Test(arguments: EveryBackend.allCases)
  func `an old document is read by a new item, saved, and then by an old one`(
    _ kind: EveryBackend
  ) throws {
    let backend = try kind.place()
    try backend().save(Self.first)
    do {
      let now = SimpleStore<Now>(backend())
      #expect(now.userName == "Ann")
      #expect(now.age == 41)
      #expect(now.font == ["size": 14])
      #expect(now.added == [1])
      #expect(now.loadReport.unknownKeys == ["foreign"])
      #expect(now.loadReport.wrongTypes == [])
      #expect(try backend().load() == Self.first)
      try now.set(\.age, to: 42)
    }
    let saved = try #require(try backend().load())
    #expect(
      saved == [
        "foreign": .array([.bool(true), .unsigned(.max)]), "userName": .string("Ann"),
        "age": .integer(42), "font": .dictionary(["size": .integer(14)]),
        "$migrations": .array([.string("age is a number"), .string("one font")]),
        "added": .array([.integer(1)]),
      ])
    do {
      // The older version has its defaults for what it does not find, and takes nothing away.
      let first = SimpleStore<First>(backend())
      #expect(first.user == "")
      #expect(first.loadReport.wrongTypes.map(\.key) == ["age"])
      try first.set(\.size, to: 20)
    }
    let now = SimpleStore<Now>(backend())
    #expect(now.userName == "Ann")
    #expect(now.age == 42)
    #expect(now.font == ["size": 14])
    #expect(try backend().load()?["foreign"] == saved["foreign"])
  }

  @Test(arguments: EveryBackend.allCases, ["user", "user_name"])
  func `each former name of a key that was renamed twice is read`(
    _ kind: EveryBackend, _ former: String
  ) throws {
    let backend = try kind.place()
    try backend().save([former: .string("Ann")])
    let store = SimpleStore<Now>(backend())
    #expect(store.userName == "Ann")
    try store.set(\.added, to: [])
    #expect(try backend().load()?["userName"] == .string("Ann"))
    #expect(try backend().load()?[former] == nil)
  }

  struct Failing: StoreItem {
    struct Trouble: Error {}
    @StoreParam(key: "user", default: "") var user
    static let migrations = [
      StoreMigration("half") { $0["user"] = .string("half") },
      StoreMigration("fails") { if $0["repaired"] == nil { throw Trouble() } },
    ]
  }

  @Test(arguments: EveryBackend.allCases)
  func `a step that throws leaves what is stored as it was, and can be tried again`(
    _ kind: EveryBackend
  ) throws {
    let backend = try kind.place()
    try backend().save(Self.first)
    let store = SimpleStore<Failing>(backend())
    guard case .failed(let error) = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.code == .migrationFailed)
    #expect(throws: StoreError.self) { try store.set(\.user, to: "b") }
    store.reset()
    #expect(store.saveError?.code == .migrationFailed)
    #expect(try backend().load() == Self.first)
    var repaired = Self.first
    repaired["repaired"] = .bool(true)
    try backend().save(repaired)
    try store.reload()
    #expect(store.user == "half")
    try store.set(\.user, to: "b")
    #expect(try backend().load()?["size"] == .integer(14))
  }

  struct Killed: StoreItem {
    @StoreParam(key: "user", default: "") var user
    static let runs = Atomic(0)
    /// Which run of the step ends the process; none while it is 0.
    static let fatalRun = Atomic(0)
    static let migrations = [
      StoreMigration("killed") { document in
        document["user"] = .string("half done")
        let run = runs.add(1, ordering: .relaxed).newValue
        if run == fatalRun.load(ordering: .relaxed) { kill(getpid(), SIGKILL) }
      }
    ]
  }

  /// A place that a child finds by its name.
  enum LastingPlace: String, CaseIterable, Sendable {
    case json, xmlPropertyList, binaryPropertyList, protectedFile, oneDictionary, oneDefaultPerKey

    func backend(_ path: String, _ suite: String) -> any StoreBackend {
      if let kind = BackendKind(rawValue: rawValue) { return kind.backend(at: URL(filePath: path)) }
      return switch self {
      case .oneDictionary: .userDefaults(suite: suite, key: "user")
      case .oneDefaultPerKey: .userDefaults(suite: suite)
      default: .protectedFile(at: URL(filePath: path))
      }
    }
  }

  @Test(arguments: LastingPlace.allCases, [1, 2])
  func `killed in the middle of a migration, at opening or in a save, nothing is lost`(
    _ place: LastingPlace, _ run: Int
  ) async throws {
    let folder = TemporaryFolder()
    let suite = DefaultsPlace()
    let path = folder.file("private/settings").systemPath
    let backend = place.backend(path, suite.suite)
    try backend.save(Self.first)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        name = place.rawValue as String, path = path as String, suite = suite.suite as String,
        run = run as Int
      ] in
      guard let place = LastingPlace(rawValue: name) else { return }
      Killed.fatalRun.store(run, ordering: .relaxed)
      let store = SimpleStore<Killed>(place.backend(path, suite))
      if run == 1 { return }
      store.user = "b"
    }
    #expect(try place.backend(path, suite.suite).load() == Self.first)
    let store = SimpleStore<Killed>(place.backend(path, suite.suite))
    #expect(store.user == "half done")
    try store.set(\.user, to: "b")
    let saved = try #require(try place.backend(path, suite.suite).load())
    #expect(saved.keys == Self.first.keys + ["$migrations"])
    #expect(saved["user"] == .string("b"))
    #expect(saved["size"] == .integer(14))
  }
}
