import Foundation
import SimpleStore
import Synchronization
import TestSupport
import Testing

/// A newer version of the program changes what an older one wrote to what it reads itself.
struct MigrationTests {
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

  /// Two items of one file, whose migrations are those of the file.
  struct Page: StoreItem {
    @StoreParam(key: "count", default: 0) var count
    static let migrations = [doubled]
    static let doubled = StoreMigration("doubled") { document in
      guard case .integer(let count)? = document["count"] else { return }
      document["count"] = .integer(count * 2)
    }
  }
  struct Margin: StoreItem {
    @StoreParam(key: "width", default: 0) var width
    @StoreParam(key: "count", default: 0) var count
    static let migrations = [
      Page.doubled,
      StoreMigration("wider") { document in
        guard case .integer(let width)? = document["width"] else { return }
        document["width"] = .integer(width + 1)
      },
    ]
  }

  @Test(arguments: BackendKind.allCases, [true, false])
  func `a migration belongs to the document: two items that name it run it once`(
    _ kind: BackendKind, _ isTogether: Bool
  ) throws {
    let place = kind.place()
    try place.put(["count": .integer(3), "width": .integer(1)])
    let backend = { isTogether ? place.backend : AnotherProcess(place.backend) }
    let page = SimpleStore<Page>(backend())
    let margin = SimpleStore<Margin>(backend())
    #expect(page.count == 6)
    #expect(margin.count == 6)
    try page.save()
    #expect(
      try place.stored() == [
        "count": .integer(6), "width": .integer(1), "$migrations": .array([.string("doubled")]),
      ])
    try margin.set(\.width, to: margin.width + 1)
    #expect(
      try place.stored() == [
        "count": .integer(6), "width": .integer(3),
        "$migrations": .array([.string("doubled"), .string("wider")]),
      ])
    try page.set(\.count, to: page.count + 1)
    #expect(SimpleStore<Margin>(backend()).count == 7)
    #expect(SimpleStore<Margin>(backend()).width == 3)
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

  /// Steps that open a store on the very document that they are given.
  struct Recursive: StoreItem {
    @StoreParam(key: "name", default: "d") var name
    static let inside = Mutex<(@Sendable () -> Void)?>(nil)
    static let migrations = [
      StoreMigration("recursive") { document in
        inside.withLock { $0 }?()
        document["name"] = .string("migrated")
      }
    ]
  }

  @Test(arguments: BackendKind.files)
  func `a step that opens a store on its own document is told so, and nothing is saved`(
    _ kind: BackendKind
  ) async throws {
    let place = kind.place()
    try place.put(["name": .string("a"), "other": .integer(1)])
    // In a process of its own, since a step has nothing but what is shared by all.
    let path: String = place.file.systemPath
    let name: String = kind.rawValue
    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
      let kind = try #require(BackendKind(rawValue: name))
      let backend = kind.backend(at: URL(filePath: path))
      let errors = Mutex<[StoreError]>([])
      Recursive.inside.withLock { inside in
        inside = {
          let same = SimpleStore<Recursive>(backend)
          if case .failed(let error) = same.loadState { errors.withLock { $0.append(error) } }
          let old = SimpleStore<Old>(backend)
          old.name = "b"
          if let error = old.saveError { errors.withLock { $0.append(error) } }
        }
      }
      let store = SimpleStore<Recursive>(backend)
      #expect(store.name == "migrated")
      #expect(errors.withLock { $0.map(\.code) } == [.migrationFailed, .unwritable])
      #expect(
        errors.withLock { $0.map(\.description) }.allSatisfy { $0.contains("'recursive'") })
      #expect(try backend.load() == ["name": .string("a"), "other": .integer(1)])
      try store.set(\.name, to: "c")
    }
    #expect(
      try place.stored() == [
        "name": .string("c"), "other": .integer(1),
        "$migrations": .array([.string("recursive")]),
      ])
  }

  struct Emptied: StoreItem {
    @StoreParam(key: "name", default: "d") var name
    static let migrations = [
      StoreMigration("") { document in for key in document.keys { document[key] = nil } },
      StoreMigration("own") { $0["$migrations"] = .array([.string("forged")]) },
    ]
  }

  @Test(arguments: BackendKind.allCases)
  func `steps that remove everything, or write the list themselves, run once all the same`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("a"), "other": .integer(1)])
    let store = SimpleStore<Emptied>(place.backend)
    #expect(store.name == "d")
    try store.set(\.name, to: "b")
    #expect(
      try place.stored() == [
        "$migrations": .array([.string(""), .string("own")]), "name": .string("b"),
      ])
    #expect(SimpleStore<Emptied>(place.backend).name == "b")
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
  static func empty(of store: SimpleStore<MigrationTests.New>) -> LoadReport {
    SimpleStore<MigrationTests.New>(
      MemoryBackend([
        "font": .dictionary([:]), "name": .string(""), "$migrations": MigrationTests.done,
      ])
    ).loadReport
  }
}
