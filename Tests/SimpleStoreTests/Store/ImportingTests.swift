import Foundation
import SimpleStore
import TestSupport
import Testing

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

  @Test(arguments: BackendKind.files)
  func `a file that is deleted after the move does not make it move in again`(
    _ kind: BackendKind
  ) throws {
    let target = kind.place()
    let source = MemoryBackend(["name": .string("Ann"), "age": .integer(7)])
    let store = SimpleStore<User>(target.backend, importing: source)
    try store.set(\.age, to: 8)
    try FileManager.default.removeItem(at: target.file)
    try store.reload()
    #expect(store.name == "")
    #expect(store.age == 0)
    try store.set(\.age, to: 9)
    #expect(try target.stored()?["name"] == .string(""))
  }

  @Test func `a file that was there first and is deleted does not make it move in`() throws {
    let target = RecordingBackend(["age": .integer(1)])
    let store = SimpleStore<User>(target, importing: MemoryBackend(Self.old))
    target.document = nil
    try store.reload()
    #expect(store.name == "")
    #expect(store.age == 0)
  }

  @Test(arguments: BackendKind.files)
  func `only the file says that it has moved in: without it the next start does`(
    _ kind: BackendKind
  ) throws {
    let target = kind.place()
    let source = MemoryBackend(["name": .string("Ann")])
    do { try SimpleStore<User>(target.backend, importing: source).set(\.name, to: "Bea") }
    try FileManager.default.removeItem(at: target.file)
    #expect(SimpleStore<User>(target.backend, importing: source).name == "Ann")
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
