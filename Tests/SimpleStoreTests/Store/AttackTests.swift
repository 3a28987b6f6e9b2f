import Foundation
import SimpleStore
import Synchronization
import TestSupport
import Testing

/// What someone found who tried to make the store lose something.
struct AttackTests {
  @Test(arguments: BackendKind.allCases)
  func `changes that wait survive a reload that fails and one that succeeds`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("old"), "age": .integer(1)])
    let store = SimpleStore<User>(
      place.backend, onDamage: .refuse, saving: .coalesced(.seconds(1000)))
    store.name = "new"
    if BackendKind.files.contains(kind) {
      let good = try place.file.bytes
      try place.file.write("rubbish")
      #expect(throws: StoreError.self) { try store.reload() }
      try Data(good).write(to: place.file)
    }
    try store.reload()
    #expect(store.name == "new")
    try store.flush()
    #expect(try place.stored()?["name"] == .string("new"))
    #expect(try place.stored()?["age"] == .integer(1))
  }

  struct Limited: StoreItem {
    @StoreParam(key: "age", default: 0, in: 0...10) var age
    @StoreParam(key: "name", default: "") var name
  }

  @Test func `a value that is refused keeps no other from being saved later`() throws {
    let backend = RecordingBackend()
    let store = SimpleStore<Limited>(backend, saving: .coalesced(.seconds(1000)))
    store.age = 99
    #expect(store.age == 0)
    #expect(store.saveError?.code == .invalidValue)
    store.name = "second"
    try store.flush()
    #expect(backend.document?["name"] == .string("second"))
  }

  struct Greeter: StoreItem {
    static let shared = SimpleStore<Greeter>(.memory)
    @StoreParam(key: "name", default: "sky") var name
    var greeting: String { "hello " + Greeter.shared.name }
  }

  @Test func `a computed property may read its own store`() {
    #expect(Greeter.shared.greeting == "hello sky")
    #expect(Greeter.shared[\.greeting] == "hello sky")
  }

  @Test func `an error handler that is let go may read the store as it goes`() {
    final class Reader: Sendable {
      let store: SimpleStore<User>
      init(_ store: SimpleStore<User>) { self.store = store }
      deinit { _ = store.saveError }
    }
    let store = SimpleStore<User>(.memory)
    do {
      let reader = Reader(store)
      store.onSaveError = { _ in _ = reader.store }
    }
    store.onSaveError = nil
    #expect(store.onSaveError == nil)
  }

  @Test(arguments: BackendKind.files)
  func `an edit by another program during a batch is kept`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    store.age = 1
    try store.update { user in
      user.name = "mine"
      var document = try #require(try place.stored())
      document["age"] = .integer(77)
      document["hand"] = .string("edit")
      try place.put(document)
    }
    #expect(store.age == 77)
    #expect(store.name == "mine")
    #expect(try place.stored()?["age"] == .integer(77))
    #expect(try place.stored()?["hand"] == .string("edit"))
    #expect(try place.stored()?["name"] == .string("mine"))
  }

  @Test(arguments: BackendKind.files)
  func `a deleted file is written again, also by setting what it held`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    store.name = "sky"
    let edits: [(SimpleStore<User>) throws -> Void] = [
      { try $0.set(\.name, to: "sky") }, { try $0.update { $0.name = "sky" } },
      { $0.name = "sky" },
    ]
    for edit in edits {
      try FileManager.default.removeItem(at: place.file)
      try edit(store)
      #expect(try place.stored()?["name"] == .string("sky"))
    }
  }

  struct Kid: StoreItem {
    @StoreParam(key: "x", default: 0) var x
  }
  struct Family: StoreItem {
    @StoreParam(key: "kids", default: []) var kids: [Kid]
  }

  @Test(arguments: BackendKind.allCases)
  func `items that are reordered take their unknown keys with them`(_ kind: BackendKind) throws {
    let place = kind.place()
    let kid = { (x: Int64, id: String) in
      StoreValue.dictionary(["x": .integer(x), "id": .string(id)])
    }
    try place.put(["kids": .array([kid(1, "one"), kid(2, "two"), kid(3, "three")])])
    let store = SimpleStore<Family>(place.backend)
    store.kids.reverse()
    #expect(
      try place.stored()?["kids"] == .array([kid(3, "three"), kid(2, "two"), kid(1, "one")]))
    store[\.kids][1].x = 9
    #expect(
      try place.stored()?["kids"] == .array([kid(3, "three"), kid(9, "two"), kid(1, "one")]))
  }

  struct Sometimes: CodableStoreItem {
    var kind = 0
    var extra = ""

    enum CodingKeys: CodingKey { case kind, extra }
    init() {}
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decode(Int.self, forKey: .kind)
      if kind == 1 { extra = try container.decode(String.self, forKey: .extra) }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(kind, forKey: .kind)
      if kind == 1 { try container.encode(extra, forKey: .extra) }
    }
  }

  @Test func `a Codable key that is encoded only sometimes is refused, not lost`() {
    let store = SimpleStore<Sometimes>(.memory)
    #expect(throws: StoreError.self) {
      try store.update {
        $0.kind = 1
        $0.extra = "precious"
      }
    }
    #expect(store.kind == 0)
  }

  @Test(arguments: BackendKind.files)
  func `damaged content stays in its place when the save over it fails`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.file.write("rubbish")
    let store = SimpleStore<RawItem>(place.backend)
    // What cannot be encoded fails before any file is touched.
    #expect(throws: StoreError.self) { try store.set(\.value, to: Raw(Raw.nested(200))) }
    #expect(try place.file.text == "rubbish")
    #expect(try place.folder.names.filter { !$0.hasPrefix(".") } == [place.file.lastPathComponent])
    #expect(store.loadReport.damagedFile == nil)
    try store.set(\.value, to: Raw(.integer(1)))
    #expect(try URL(filePath: #require(store.loadReport.damagedFile)).text == "rubbish")
    #expect(try place.stored()?["value"] == .integer(1))
  }

  @Test func `a reload that brings back what could not be read is told`() throws {
    let backend = RecordingBackend(["age": .integer(7)])
    backend.loadError = StoreError(.unreadable, "not now")
    let store = SimpleStore<User>(backend)
    let seen = Mutex<[Int]>([])
    let token = store.observe(\.age) { _, new in seen.withLock { $0.append(new) } }
    backend.loadError = nil
    try store.reload()
    #expect(seen.withLock { $0 } == [7])
    token.cancel()
  }
}
