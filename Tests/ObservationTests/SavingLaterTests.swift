import Foundation
import SimpleStore
import TestSupport
import Testing

/// Delayed saving: nothing is lost, and nothing is announced early.
struct SavingLaterTests {
  @Test(arguments: BackendKind.allCases)
  func `changes are readable at once and saved together`(_ kind: BackendKind) async throws {
    let place = kind.place()
    let clock = StandingClock()
    let store = SimpleStore<User>(
      place.backend, saving: .coalesced(.milliseconds(100), clock: clock))
    let keys = Recorder<[String]>()
    let observation = store.observe { keys.add($0.keys) }
    store.name = "a"
    store.age += 1
    store.batchUpdate { $0.tags.append("x") }
    #expect(store.age == 1)
    #expect(store.tags == ["x"])
    #expect(try place.stored() == nil)
    #expect(keys.all == [])
    #expect(await eventually { clock.sleepers == 1 })
    clock.advance(by: .milliseconds(100))
    #expect(try await eventually { try place.stored()?["age"] == .integer(1) })
    #expect(await eventually { keys.all == [["name", "age", "tags"]] })
    observation.cancel()
  }

  @Test func `a burst is one save`() throws {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend, saving: .coalesced(.seconds(3600)))
    for age in 1...100 { store.age = age }
    #expect(backend.saves == 0)
    try store.flush()
    #expect(backend.saves == 1)
    try store.flush()
    #expect(backend.saves == 1)
    // There and back again.
    store.age = 5
    store.age = 100
    try store.flush()
    #expect(backend.saves == 1)
  }

  struct Window: StoreItem {
    @StoreParam(key: "width", default: 800) var width
    @StoreParam(key: "height", default: 600) var height
    @StoreParam(key: "title", default: "") var title
  }
  struct Screen: StoreItem {
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "window", default: Window()) var window
  }

  @Test(arguments: BackendKind.allCases)
  func `a waiting change inside an item and a change of others there are put together`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put([
      "name": .string("a"),
      "window": .dictionary([
        "width": .string("wide"), "height": .integer(1), "title": .string("t"),
      ]),
    ])
    let store = SimpleStore<Screen>(place.backend, saving: .coalesced(.seconds(3600)))
    store.window.title = "u"
    try place.put([
      "name": .string("b"),
      "window": .dictionary([
        "width": .string("wide"), "height": .integer(2), "title": .string("t"),
      ]),
    ])
    try store.flush()
    #expect(store.name == "b")
    #expect(store.window.height == 2)
    #expect(store.window.title == "u")
    // Nobody has set the value of the wrong type.
    let window = StoreValue.dictionary([
      "width": .string("wide"), "height": .integer(2), "title": .string("u"),
    ])
    #expect(try place.stored()?["window"] == window)
  }

  @Test func `a store with nothing to save waits for nobody when it is released`() throws {
    let place = BackendKind.json.place()
    let inBatch = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let holder = SimpleStore<User>(place.backend)
    var released: SimpleStore<User>? = SimpleStore<User>(
      place.backend, saving: .coalesced(.seconds(3600)))
    #expect(released?.age == 0)
    let changing = Thread {
      holder.batchUpdate { user in
        inBatch.signal()
        mayEnd.wait()
        user.age = 1
      }
    }
    changing.start()
    inBatch.wait()
    // If it took the lock, it would wait for the batch, which ends after it.
    released = nil
    mayEnd.signal()
  }

  @Test(arguments: BackendKind.allCases)
  func `releasing the store saves`(_ kind: BackendKind) throws {
    let place = kind.place()
    let announced = Recorder<String>()
    let observation: StoreObservation
    do {
      let store = SimpleStore<User>(place.backend, saving: .coalesced(.seconds(3600)))
      observation = store.observe(\.name) { _, new in announced.add(new) }
      store.name = "kept"
    }
    #expect(try place.stored()?["name"] == .string("kept"))
    #expect(announced.all == ["kept"])
    observation.cancel()
  }

  @Test func `changes that could not be saved wait for the next try`() throws {
    let backend = RecordingBackend()
    let failures = Recorder<StoreError.Code>()
    let store = SimpleStore<User>(
      backend, saving: .coalesced(.seconds(3600)), onSaveError: { failures.add($0.code) })
    backend.saveError = .sample
    store.name = "kept"
    #expect(throws: StoreError.self) { try store.flush() }
    #expect(store.name == "kept")
    #expect(store.saveError != nil)
    #expect(failures.all.count == 1)
    backend.saveError = nil
    try store.flush()
    #expect(backend.document?["name"] == .string("kept"))
    #expect(store.saveError == nil)
  }

  @Test(arguments: BackendKind.files)
  func `what others save meanwhile stays, and what waits wins its own keys`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend, saving: .coalesced(.seconds(3600)))
    store.name = "mine"
    try place.put(["name": .string("theirs"), "age": .integer(7), "more": .integer(1)])
    try store.reload()
    #expect(store.name == "mine")
    #expect(store.age == 7)
    try place.put(["name": .string("theirs"), "age": .integer(8), "more": .integer(1)])
    try store.flush()
    #expect(store.age == 8)
    #expect(try place.stored()?["name"] == .string("mine"))
    #expect(try place.stored()?["age"] == .integer(8))
    #expect(try place.stored()?["more"] == .integer(1))
  }

  @Test func `nothing is lost when changes come during a flush`() async throws {
    let place = BackendKind.json.place()
    let store = SimpleStore<User>(place.backend, saving: .coalesced(.milliseconds(1)))
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for _ in 0..<250 { store.age += 1 }
          if task == 0 { for _ in 0..<50 { store.saveNow() } }
        }
      }
    }
    try store.flush()
    #expect(store.age == 2000)
    #expect(try place.stored()?["age"] == .integer(2000))
  }

  @Test func `a reset saves what waits first`() throws {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(
      backend, defaults: .omitted, saving: .coalesced(.seconds(3600)))
    store.name = "a"
    store.age = 1
    store.reset(\.$age)
    #expect(backend.document?["name"] == .string("a"))
    #expect(backend.document?["age"] == nil)
  }

  /// When a change is saved; the one that is saved later waits for `flush()`.
  enum Mode: CaseIterable {
    case immediate, later

    var policy: SavingPolicy { self == .later ? .coalesced(.seconds(3600)) : .immediate }
  }

  /// Edits that set a value which the item has already.
  private static let sameValues: [@Sendable (SimpleStore<User>) throws -> Void] = [
    { try $0.set(\.age, to: 0) }, { $0.age = 0 }, { $0.age += 0 }, { $0.item = User() },
    { $0.batchUpdate { $0.name = "" } }, { try $0.update { $0.name = "" } }, { $0.tags = [] },
  ]

  @Test(arguments: BackendKind.files, Mode.allCases)
  func `a default that is set over damaged content is saved, now or later`(
    _ kind: BackendKind, _ mode: Mode
  ) throws {
    for edit in Self.sameValues {
      let place = kind.place()
      try place.file.write("rubbish")
      let store = SimpleStore<User>(place.backend, saving: mode.policy)
      try edit(store)
      try store.flush()
      #expect(try place.stored()?["age"] == .integer(0))
      let kept = try #require(store.loadReport.damagedFile)
      #expect(try URL(filePath: kept).text == "rubbish")
      // It is whole now, so that the same value is no news any more.
      let version = try place.version
      let names = try place.folder.allNames
      try edit(store)
      try store.flush()
      #expect(try place.version == version)
      #expect(try place.folder.allNames == names)
    }
  }

  @Test(arguments: BackendKind.files, Mode.allCases)
  func `what is damaged, deleted or changed while the program runs is set right by the same value`(
    _ kind: BackendKind, _ mode: Mode
  ) throws {
    for edit in Self.sameValues {
      let place = kind.place()
      let store = SimpleStore<User>(place.backend, saving: mode.policy)
      try store.save()
      let whole = try place.stored()
      try place.file.write("rubbish")
      try edit(store)
      try store.flush()
      #expect(try place.stored() == whole)
      try FileManager.default.removeItem(at: place.file)
      try edit(store)
      try store.flush()
      #expect(try place.stored() == whole)
      try place.put(["age": .integer(3), "name": .string("x"), "tags": .array([.string("t")])])
      try edit(store)
      try store.flush()
      #expect(store.item.storeValue == SimpleStore<User>(place.backend).item.storeValue)
    }
  }

  @Test(arguments: BackendKind.files, Mode.allCases)
  func `damaged content that is to be refused refuses a default, now or later`(
    _ kind: BackendKind, _ mode: Mode
  ) throws {
    for edit in Self.sameValues {
      let place = kind.place()
      try place.file.write("rubbish")
      let store = SimpleStore<User>(place.backend, onDamage: .refuse, saving: mode.policy)
      do { try edit(store) } catch {}
      #expect(store.saveError?.code == .damaged)
      #expect(try place.file.text == "rubbish")
    }
  }

  struct Remembering: StoreItem {
    @StoreParam(key: "name", default: "") var name
    /// Not stored.
    var draft = ""
  }

  @Test(arguments: Mode.allCases)
  func `a property that is not stored stays in memory, whatever a batch saves`(_ mode: Mode) throws
  {
    let store = SimpleStore<Remembering>(.memory, saving: mode.policy)
    store.batchUpdate { $0.draft = "a" }
    #expect(store.draft == "a")
    store.batchUpdate {
      $0.name = ""
      $0.draft = "b"
    }
    #expect(store.draft == "b")
    store.batchUpdate {
      $0.name = "x"
      $0.draft = "c"
    }
    try store.flush()
    #expect(store.draft == "c")
    store.batchUpdate {
      $0.name = "x"
      $0.draft = "d"
    }
    try store.flush()
    #expect(store.draft == "d")
    #expect(store.name == "x")
  }

  @Test func `the end of the program saves`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    let result = try run(productNamed: "SettingsEditor", [file.systemPath, "later"])
    #expect(result.status == 0)
    #expect(try file.text.contains("7"))
  }
}

extension SimpleStore {
  fileprivate func saveNow() {
    do { try flush() } catch { Issue.record(error) }
  }
}
