import Foundation
import SimpleStore
import TestSupport
import Testing

/// A newer version of the program reads what an older one wrote, and the other way round.
struct GrowingUpTests {
  struct Renamed: StoreItem {
    @StoreParam(key: "userName", default: "", formerly: ["name", "user_name"]) var userName
    @StoreParam(key: "age", default: 0) var age
  }

  @Test(arguments: BackendKind.allCases)
  func `a key that was renamed twice is read, and moved by the next save`(
    _ kind: BackendKind
  ) throws {
    for former in ["name", "user_name"] {
      let place = kind.place()
      try place.put(["first": .integer(1), former: .string("Ann"), "age": .integer(7)])
      let store = SimpleStore<Renamed>(place.backend)
      #expect(store.userName == "Ann")
      #expect(store.loadReport.unknownKeys == ["first"])
      #expect(store.loadReport.missingKeys == [])
      #expect(try place.stored()?.keys == ["first", former, "age"])
      store.age = 8
      #expect(
        try place.stored() == [
          "first": .integer(1), "userName": .string("Ann"), "age": .integer(8),
        ])
      #expect(SimpleStore<Renamed>(place.backend).userName == "Ann")
    }
  }

  @Test(arguments: BackendKind.allCases)
  func `the latest former key counts, and the key itself before it`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("oldest"), "user_name": .string("old")])
    let store = SimpleStore<Renamed>(place.backend, defaults: .omitted)
    #expect(store.userName == "old")
    store.userName = "new"
    #expect(try place.stored() == ["userName": .string("new")])
    try place.put(["name": .string("oldest"), "userName": .string("newest")])
    #expect(SimpleStore<Renamed>(place.backend).userName == "newest")
  }

  @Test(arguments: BackendKind.allCases)
  func `a former value of another type stays until the field is set`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .integer(5)])
    let store = SimpleStore<Renamed>(place.backend)
    #expect(store.userName == "")
    #expect(store.loadReport.wrongTypes.map(\.key) == ["userName"])
    store.age = 1
    #expect(try place.stored() == ["name": .integer(5), "age": .integer(1)])
    store.userName = ""
    #expect(try place.stored() == ["userName": .string(""), "age": .integer(1)])
  }

  struct Outer: StoreItem {
    @StoreParam(key: "inner", default: Renamed()) var inner
  }

  @Test(arguments: BackendKind.allCases)
  func `a nested item has former keys too`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.put(["inner": .dictionary(["name": .string("Ann"), "x": .integer(1)])])
    let store = SimpleStore<Outer>(place.backend)
    #expect(store[\.inner.userName] == "Ann")
    store[\.inner.age] = 3
    #expect(
      try place.stored()?["inner"]
        == .dictionary(["userName": .string("Ann"), "x": .integer(1), "age": .integer(3)]))
  }

  @Test(arguments: BackendKind.allCases)
  func `another process that still writes the old key is read`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.put(["name": .string("a"), "age": .integer(0)])
    let store = SimpleStore<Renamed>(place.backend)
    try place.put(["name": .string("b"), "age": .integer(0)])
    try store.reload()
    #expect(store.userName == "b")
  }

  struct Old: StoreItem {
    @StoreParam(key: "fontSize", default: 12) var fontSize
    @StoreParam(key: "name", default: "") var name
  }
  struct New: StoreItem {
    @StoreParam(key: "font", default: [:]) var font: [String: Int]
    @StoreParam(key: "name", default: "") var name
    static let migrations = [
      StoreMigration("one font") { document in
        document["font"] = document["fontSize"].map { .dictionary(["size": $0]) }
        document["fontSize"] = nil
      },
      StoreMigration("shout") { document in
        guard case .string(let name)? = document["name"] else { return }
        document["name"] = .string(name + "!")
      },
    ]
  }
  static let done: StoreValue = .array([.string("one font"), .string("shout")])

  @Test(arguments: BackendKind.allCases)
  func `migrations run in order, once, and are stored by the first save`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    do {
      let old = SimpleStore<Old>(place.backend)
      old.fontSize = 14
      old.name = "a"
    }
    let before = try place.stored()
    let version = try place.version
    do {
      let store = SimpleStore<New>(place.backend)
      #expect(store.font == ["size": 14])
      #expect(store.name == "a!")
      #expect(store.loadReport == LoadReportProbe.empty(of: store))
      #expect(try place.stored() == before)
      #expect(try place.version == version)
      // Again from the same document: the same.
      #expect(SimpleStore<New>(place.backend).name == "a!")
      store.font["size"] = 15
      #expect(store.name == "a!")
      #expect(try place.stored()?["name"] == .string("a!"))
      #expect(try place.stored()?["fontSize"] == nil)
      #expect(try place.stored()?["$migrations"] == Self.done)
      store.item = New()
      store.reset()
      #expect(try place.stored()?["$migrations"] == Self.done)
      store.name = "b"
    }
    let fresh = SimpleStore<New>(place.backend)
    #expect(fresh.name == "b")
    #expect(fresh.loadReport.unknownKeys == [])
    #expect(SimpleStore<Old>(place.backend).name == "b")
  }

  @Test(arguments: BackendKind.allCases)
  func `a new document has had all migrations`(_ kind: BackendKind) throws {
    let place = kind.place()
    do { SimpleStore<New>(place.backend).name = "a" }
    #expect(try place.stored()?["$migrations"] == Self.done)
    #expect(SimpleStore<New>(place.backend).name == "a")
  }

  @Test(arguments: BackendKind.allCases)
  func `a document from a newer version is read and keeps its version`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let names: StoreValue = .array([
      .string("one font"), .string("shout"), .string("from the future"),
    ])
    try place.put(["name": .string("a"), "$migrations": names, "future": .integer(1)])
    let store = SimpleStore<New>(place.backend)
    #expect(store.name == "a")
    store.item = New()
    store.name = "b"
    #expect(try place.stored()?["$migrations"] == names)
    #expect(try place.stored()?["future"] == .integer(1))
  }

  @Test(arguments: BackendKind.allCases)
  func `an older process that saves beside a newer one undoes nothing`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("a"), "fontSize": .integer(14)])
    let new = SimpleStore<New>(place.backend)
    let old = SimpleStore<Old>(place.backend)
    old.name = "c"
    #expect(new.name == "c!")
    new.font["size"] = 1
    old.fontSize = 20
    #expect(new.name == "c!")
    #expect(new.font == ["size": 1])
    try new.reload()
    #expect(new.name == "c!")
  }

  struct Failing: StoreItem {
    struct Trouble: Error, CustomStringConvertible { var description: String { "no such font" } }
    @StoreParam(key: "name", default: "d") var name
    static let migrations = [
      StoreMigration("first") { $0["name"] = .string("changed") },
      StoreMigration("second") { if $0["font"] == nil { throw Trouble() } },
    ]
  }

  @Test(arguments: BackendKind.allCases)
  func `a migration that throws changes nothing, and refuses saves until it succeeds`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("a")])
    let version = try place.version
    let store = SimpleStore<Failing>(place.backend)
    guard case .failed(let error) = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.code == .migrationFailed)
    #expect(error.underlying is Failing.Trouble)
    #expect("\(error)".contains("the migration 'second' failed: no such font."))
    #expect(store.name == "d")
    #expect(throws: StoreError.self) { try store.set(\.name, to: "b") }
    #expect(throws: StoreError.self) { try store.save() }
    #expect(throws: StoreError.self) { try store.reload() }
    #expect(try place.version == version)
    #expect(try place.stored() == ["name": .string("a")])
    try place.put(["name": .string("a"), "font": .integer(1)])
    try store.reload()
    #expect(store.name == "changed")
    try store.set(\.name, to: "b")
    #expect(try place.stored()?["$migrations"] == .array([.string("first"), .string("second")]))
  }

  @Test func `a list of migrations that is none is not overwritten`() throws {
    let backend = MemoryBackend(["name": .string("a"), "$migrations": .integer(3)])
    let store = SimpleStore<New>(backend)
    #expect(throws: StoreError.self) { try store.set(\.name, to: "b") }
    #expect(try backend.load() == ["name": .string("a"), "$migrations": .integer(3)])
  }

  struct Killed: StoreItem {
    @StoreParam(key: "name", default: "") var name
    static let migrations = [
      StoreMigration("killed") { document in
        document["name"] = .string("half done")
        if ProcessInfo.processInfo.environment["SIMPLESTORE_SURVIVE"] == nil {
          kill(getpid(), SIGKILL)
        }
      }
    ]
  }

  @Test(arguments: BackendKind.files)
  func `killed in the middle of a migration, nothing is lost`(_ kind: BackendKind) async throws {
    let place = kind.place()
    try place.put(["name": .string("a")])
    let before = try place.file.bytes
    let path: String = place.file.systemPath
    let name: String = kind.rawValue
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, name = name as String] in
      guard let kind = BackendKind(rawValue: name) else { return }
      let store = SimpleStore<Killed>(kind.backend(at: URL(filePath: path)))
      store.name = "b"
    }
    #expect(try place.file.bytes == before)
    #expect(try place.folder.names == [place.file.lastPathComponent])
  }

  @Test func `a save that fails in the middle of a migration leaves the old document`() throws {
    let backend = RecordingBackend(["name": .string("a"), "fontSize": .integer(14)])
    let store = SimpleStore<New>(backend)
    backend.saveError = StoreError(.unwritable, "The disk is full.")
    #expect(throws: StoreError.self) { try store.set(\.name, to: "b") }
    #expect(backend.document == ["name": .string("a"), "fontSize": .integer(14)])
    #expect(store.name == "a!")
    backend.saveError = nil
    try store.set(\.name, to: "b")
    #expect(backend.document?["font"] == .dictionary(["size": .integer(14)]))
    #expect(backend.saves == 1)
  }
}

private enum LoadReportProbe {
  /// The report of a store that found nothing to report.
  static func empty(of store: SimpleStore<GrowingUpTests.New>) -> LoadReport {
    SimpleStore<GrowingUpTests.New>(
      MemoryBackend([
        "font": .dictionary([:]), "name": .string(""), "$migrations": GrowingUpTests.done,
      ])
    ).loadReport
  }
}

/// Moving in from another place.
struct ImportingTests {
  static let old: StoreDocument = [
    "foreign": .integer(1), "age": .integer(7), "name": .string("Ann"), "gender": .string("?"),
  ]

  @Test(arguments: BackendKind.allCases, BackendKind.allCases)
  func `the first save stores what was imported, and the source stays`(
    _ from: BackendKind, _ to: BackendKind
  ) throws {
    let source = from.place()
    let target = to.place()
    try source.put(Self.old)
    let version = try source.version
    do {
      let store = SimpleStore<User>(target.backend, importing: source.backend)
      #expect(store.name == "Ann")
      #expect(store.age == 7)
      #expect(try target.stored() == nil)
      // A value that was set is stored, also when it is the one that was imported.
      store.name = "Ann"
      #expect(try target.stored()?["name"] == .string("Ann"))
      #expect(try target.stored()?["age"] == .integer(7))
      store.age = 8
      #expect(try target.stored()?["gender"] == .string("?"))
      #expect(try target.stored()?["foreign"] == nil)
      store.reset()
    }
    #expect(SimpleStore<User>(target.backend, importing: source.backend).name == "")
    #expect(try source.stored() == Self.old)
    #expect(try source.version == version)
  }

  @Test(arguments: BackendKind.allCases, [DefaultsPolicy.written, .omitted])
  func `reset as the first save does not bring it back`(
    _ kind: BackendKind, _ defaults: DefaultsPolicy
  ) throws {
    let target = kind.place()
    let source = MemoryBackend(["name": .string("Ann")])
    do {
      let store = SimpleStore<User>(target.backend, importing: source, defaults: defaults)
      store.reset()
      #expect(store.name == "")
    }
    let fresh = SimpleStore<User>(target.backend, importing: source, defaults: defaults)
    #expect(fresh.name == "")
  }

  @Test(arguments: BackendKind.allCases)
  func `stores of two item types on one place import each its own`(_ kind: BackendKind) throws {
    let target = kind.place()
    let source = MemoryBackend(["name": .string("Ann"), "age": .integer(7), "quota": .integer(5)])
    do {
      let user = SimpleStore<User>(target.backend, importing: source)
      let account = SimpleStore<Account>(target.backend, importing: source)
      #expect(user.age == 7)
      #expect(account.quota == 5)
      user.name = "Bea"
      #expect(account.name == "Bea")
    }
    #expect(SimpleStore<User>(target.backend, importing: source).age == 7)
    #expect(SimpleStore<Account>(target.backend, importing: source).quota == 5)
    #expect(SimpleStore<Account>(target.backend).name == "Bea")
  }

  @Test func `a store that has something imports nothing`() throws {
    let store = SimpleStore<User>(
      MemoryBackend(["age": .integer(1)]), importing: MemoryBackend(Self.old))
    #expect(store.name == "")
    #expect(store.age == 1)
  }

  @Test func `a source that cannot be read is not passed over`() throws {
    let source = RecordingBackend(Self.old)
    source.loadError = StoreError(.damaged, "Not a document.")
    let target = MemoryBackend()
    let store = SimpleStore<User>(target, importing: source)
    #expect(throws: StoreError.self) { try store.set(\.name, to: "b") }
    #expect(try target.load() == nil)
    source.loadError = nil
    try store.reload()
    #expect(store.name == "Ann")
    try store.set(\.age, to: 9)
    #expect(try target.load()?["name"] == .string("Ann"))
  }

  struct Dated: StoreItem {
    @StoreParam(key: "seen", default: .distantPast, formerly: "last") var seen: Date
    static let migrations = [
      StoreMigration("earlier") { document in
        guard let value = document["when"] else { return }
        document["last"] = value
        document["when"] = nil
      }
    ]
  }

  @Test func `what is imported is migrated, renamed and stored natively`() throws {
    let target = BackendKind.binaryPropertyList.place()
    let source = MemoryBackend(["when": .string("2001-01-01T00:00:00.5Z")])
    let store = SimpleStore<Dated>(target.backend, importing: source)
    try store.save()
    #expect(
      try target.stored() == [
        "seen": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
        "$migrations": .array([.string("earlier")]),
      ])
  }

  @Test(arguments: BackendKind.allCases, BackendKind.allCases)
  func `a copy is exact, and never overwrites`(_ from: BackendKind, _ to: BackendKind) throws {
    let document: StoreDocument = [
      "z": .integer(9_007_199_254_740_993), "": .null, "on": .bool(true), "x": .double(0.1),
      "deep": .dictionary(["$null": .array([.string("\u{0}"), .number("1e400")])]),
    ]
    let source = from.place()
    let target = to.place()
    #expect(try !StoreDocument.copy(from: source.backend, to: target.backend))
    try source.put(document)
    #expect(try StoreDocument.copy(from: source.backend, to: target.backend))
    #expect(try target.stored() == document)
    let error = #expect(throws: StoreError.self) {
      try StoreDocument.copy(from: source.backend, to: target.backend)
    }
    #expect(error?.code == .targetInUse)
  }
}
