import Foundation
import SimpleStore
import TestSupport
import Testing

/// What a store makes of what it finds, on every backend.
struct LoadingTests {
  @Test(arguments: BackendKind.allCases)
  func `nothing there means defaults, and opening makes nothing`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    #expect(store.name == "")
    guard case .absent = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(try place.stored() == nil)
    #expect(try place.folder.allNames == [])
  }

  @Test(arguments: BackendKind.allCases)
  func `a missing key costs that field only`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.put(["name": .string("Ann")])
    let store = SimpleStore<User>(place.backend)
    #expect(store.name == "Ann")
    #expect(store.age == 0)
    #expect(store.loadReport.missingKeys == ["age", "gender", "tags"])
  }

  @Test(arguments: BackendKind.allCases)
  func `a value of another type costs that field only, and stays until it is set`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put([
      "age": .string("twelve"), "name": .string("Ann"), "gender": .integer(9),
      "tags": .array([.string("a"), .integer(1)]),
    ])
    let store = SimpleStore<User>(place.backend)
    #expect(store.name == "Ann")
    #expect(store.age == 0)
    #expect(store.gender == .unknown)
    #expect(store.loadReport.wrongTypes.map(\.key) == ["age", "gender", "tags"])

    store.name = "Bea"
    #expect(try place.stored()?["age"] == .string("twelve"))
    #expect(try place.stored()?["gender"] == .integer(9))

    // Set to the default that it has in memory: that is a value, and what was there is not.
    store.age = 0
    #expect(try place.stored()?["age"] == .integer(0))
    #expect(store.loadReport.wrongTypes.map(\.key) == ["gender", "tags"])
  }

  @Test(arguments: BackendKind.allCases)
  func `a Boolean is never a number, and a number only what it is exactly`(
    _ kind: BackendKind
  ) throws {
    struct Numbers: StoreItem {
      @StoreParam(key: "count", default: 7) var count
      @StoreParam(key: "small", default: Int8(7)) var small
      @StoreParam(key: "on", default: false) var on
      @StoreParam(key: "ratio", default: 0.5) var ratio
      @StoreParam(key: "whole", default: 7) var whole
    }
    let place = kind.place()
    try place.put([
      "count": .bool(true), "small": .integer(300), "on": .integer(1), "ratio": .integer(3),
      "whole": .double(1),
    ])
    let store = SimpleStore<Numbers>(place.backend)
    #expect(store.count == 7)
    #expect(store.small == 7)
    #expect(store.on == false)
    #expect(store.ratio == 3)
    #expect(store.whole == 1)
    #expect(store.loadReport.wrongTypes.map(\.key) == ["count", "small", "on"])
  }

  @Test(arguments: BackendKind.allCases)
  func `unknown keys travel through a save, exact and in their places`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let future: StoreValue = .dictionary([
      "x": .array([.integer(9_007_199_254_740_993), .null, .string("é")]), "on": .bool(true),
    ])
    try place.put(["future": future, "name": .string("Ann"), "zoo": .integer(1)])
    let store = SimpleStore<User>(place.backend)
    #expect(store.loadReport.unknownKeys == ["future", "zoo"])
    store.name = "Bea"
    let stored = try #require(try place.stored())
    #expect(Array(stored.keys.prefix(3)) == ["future", "name", "zoo"])
    #expect(stored["future"] == future)
  }

  @Test(arguments: BackendKind.allCases)
  func `a key that others misspell, or put right, is named as soon as the store has seen it`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("Ann")])
    let store = SimpleStore<User>(place.backend)
    try place.put(["name": .string("Ann"), "aeg": .integer(3)])
    store.name = "Bea"
    #expect(store.loadReport.unknownKeys == ["aeg"])
    #expect("\(store.loadReport)".contains(#"did you mean "age""#))
    try place.put(["name": .string("Bea"), "age": .integer(3)])
    store.name = "Cleo"
    #expect(store.loadReport.unknownKeys == [])
    #expect(store.age == 3)
  }

  @Test(arguments: BackendKind.allCases)
  func `null is nil for an optional and the default for others`(_ kind: BackendKind) throws {
    struct Flags: StoreItem {
      @StoreParam(key: "a", default: "x") var a: String?
      @StoreParam(key: "b", default: "x") var b: String
    }
    let place = kind.place()
    try place.put(["a": .null, "b": .null])
    let store = SimpleStore<Flags>(place.backend)
    #expect(store.a == nil)
    #expect(store.b == "x")
  }

  @Test(arguments: BackendKind.allCases)
  func `nil set over a default comes back nil, and reset brings the default`(
    _ kind: BackendKind
  ) throws {
    struct Flags: StoreItem {
      @StoreParam(key: "a", default: "x") var a: String?
    }
    let place = kind.place()
    do { SimpleStore<Flags>(place.backend).a = nil }
    #expect(try place.stored()?["a"] == .null)
    let fresh = SimpleStore<Flags>(place.backend)
    #expect(fresh.a == nil)
    fresh.reset(\.$a)
    #expect(fresh.a == "x")
  }

  @Test(arguments: BackendKind.allCases)
  func `what others have changed is seen at the next save and at reload`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    store.batchUpdate {
      $0.name = "Ann"
      $0.age = 7
    }
    var document = try #require(try place.stored())
    document["age"] = .integer(8)
    document["extra"] = .bool(true)
    try place.put(document)

    #expect(store.age == 7)
    store.name = "Bea"
    #expect(store.age == 8)
    #expect(try place.stored()?["age"] == .integer(8))
    #expect(try place.stored()?["extra"] == .bool(true))
    #expect(try place.stored()?["name"] == .string("Bea"))

    document["age"] = .integer(9)
    try place.put(document)
    try store.reload()
    #expect(store.age == 9)
    #expect(store.name == "Ann")
  }

  @Test func `an unreadable store serves defaults and refuses every save until reload succeeds`()
    throws
  {
    let backend = RecordingBackend(["name": .string("Ann")])
    backend.loadError = StoreError(.unreadable, "not now")
    let store = SimpleStore<User>(backend)
    guard case .failed(let error) = store.loadState, error.code == .unreadable else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(store.name == "")
    store.name = "Bea"
    #expect(store.saveError?.code == .unreadable)
    // The default is in memory, but nobody knows what is stored.
    #expect(throws: StoreError.self) { try store.set(\.name, to: "") }
    #expect(throws: StoreError.self) { try store.save() }
    #expect(throws: StoreError.self) { try store.reload() }
    backend.loadError = nil
    store.name = "Bea"
    #expect(backend.saves == 0)

    try store.reload()
    #expect(store.name == "Ann")
    store.name = "Bea"
    #expect(backend.document?["name"] == .string("Bea"))
  }

  @Test func `damaged content is moved aside by the first save, or refused`() throws {
    let backend = RecordingBackend()
    backend.loadError = StoreError(.damaged, "rubbish")
    let refusing = SimpleStore<User>(backend, onDamage: .refuse)
    refusing.name = "Ann"
    #expect(refusing.saveError?.code == .damaged)
    #expect(backend.saves == 0)

    let store = SimpleStore<User>(backend)
    guard case .damaged = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(store.loadReport.damagedFile == nil)
    store.name = "Ann"
    #expect(store.loadReport.damagedFile == "elsewhere")
    #expect(backend.document?["name"] == .string("Ann"))
  }

  @Test(arguments: BackendKind.files)
  func `a save inside a batch moves damaged content aside too`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.file.write("rubbish")
    let store = SimpleStore<User>(place.backend)
    let other = SimpleStore<Account>(place.backend, onDamage: .refuse)
    store.batchUpdate { user in
      other.quota = 7
      #expect(other.saveError?.code == .damaged)
      store.age = 1
      user.name = "Ann"
    }
    #expect(store.saveError == nil)
    let kept = try #require(store.loadReport.damagedFile)
    #expect(try URL(filePath: kept).text == "rubbish")
    #expect(try place.stored()?["age"] == .integer(1))
    #expect(try place.stored()?["name"] == .string("Ann"))
    #expect(try place.folder.names.count == 2)
  }

  @Test(arguments: BackendKind.files)
  func `a default that is set over damaged content is saved, and so is a reset`(
    _ kind: BackendKind
  ) throws {
    let edits: [(SimpleStore<User>) throws -> Void] = [
      { try $0.set(\.age, to: 0) }, { $0.reset() }, { $0.item = User() }, { try $0.save() },
      { $0.batchUpdate { $0.name = "" } },
    ]
    for edit in edits {
      let place = kind.place()
      try place.file.write("rubbish")
      let store = SimpleStore<User>(place.backend)
      try edit(store)
      #expect(try place.stored()?["age"] == .integer(0))
      #expect(store.loadReport.damagedFile != nil)
    }
  }

  @Test func `content that cannot be moved aside is not saved over`() {
    final class Stubborn: StoreBackend {
      let identity = StoreIdentity()
      func load() throws(StoreError) -> StoreDocument? { throw StoreError(.damaged, "rubbish") }
      func save(_ document: StoreDocument) throws(StoreError) { Issue.record("saved") }
    }
    let store = SimpleStore<User>(Stubborn())
    store.name = "Ann"
    #expect(store.saveError?.code == .unwritable)
    #expect(store.name == "")
  }
}
