import Observation
import SimpleStore
import TestSupport
import Testing

/// What a store has imported and not saved yet is its own affair: nobody else on the place sees it.
struct ImportingTests {
  private static let old: StoreDocument = ["name": .string("Ann"), "age": .integer(7)]

  /// A store on a place, what it announces, and whether that was stored at that moment.
  private struct Witness {
    let store: SimpleStore<User>
    let changes = Recorder<(keys: [String], origin: StoreChange<User>.Origin)>()
    let isStored = Recorder<Bool>()
    let wakes = Recorder<String>()
    let observation: StoreObservation

    init(_ place: BackendPlace, importing source: (any StoreBackend)? = nil) {
      func open(_ source: some StoreBackend) -> SimpleStore<User> {
        SimpleStore(place.backend, importing: source)
      }
      store = source.map { open($0) } ?? SimpleStore(place.backend)
      observation = store.observe { [changes, isStored] change in
        changes.add((change.keys, change.origin))
        let stored = try? place.stored()
        isStored.add(
          change.keys.allSatisfy { stored?[$0] == change.new.storeValue.dictionary?[$0] })
      }
      withObservationTracking { [store] in
        _ = store.name
      } onChange: { [wakes] in
        wakes.add("woken")
      }
    }
  }

  @Test(arguments: BackendKind.allCases)
  func `what a store imports is seen by others when it is stored`(_ kind: BackendKind) throws {
    let place = kind.place()
    let before = Witness(place)
    let importer = SimpleStore<User>(place.backend, importing: MemoryBackend(Self.old))
    let after = Witness(place)
    #expect(importer.age == 7)
    for witness in [before, after] {
      #expect(witness.store.item.storeValue == User().storeValue)
      #expect(witness.changes.all.isEmpty)
      #expect(witness.wakes.all == [])
    }
    #expect(try place.stored() == nil)
    // A store of another process would see the same as one that is opened now.
    importer.tags = ["x"]
    for witness in [before, after] {
      #expect(witness.changes.all.map(\.keys) == [["name", "age", "tags"]])
      #expect(witness.changes.all.map(\.origin) == [.process])
      #expect(witness.isStored.all == [true])
      #expect(witness.wakes.all == ["woken"])
      #expect(witness.store.age == 7)
      #expect(witness.store.item.storeValue == importer.item.storeValue)
    }
  }

  @Test(arguments: BackendKind.allCases)
  func `a save that fails shows nobody what was imported`(_ kind: BackendKind) throws {
    let backend = RecordingBackend()
    let plain = SimpleStore<User>(backend)
    let importer = SimpleStore<User>(backend, importing: MemoryBackend(Self.old))
    let keys = Recorder<[String]>()
    let observation = plain.observe { keys.add($0.keys) }
    backend.saveError = .sample
    importer.tags = ["x"]
    plain.tags = ["y"]
    #expect(keys.all == [])
    #expect(plain.age == 0)
    #expect(importer.age == 7)
    #expect(importer.tags == [])
    backend.saveError = nil
    importer.tags = ["x"]
    #expect(keys.all == [["name", "age", "tags"]])
    #expect(backend.document?["age"] == .integer(7))
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `the save of another store stores what waits, and then it has it too`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let plain = Witness(place)
    let importer = Witness(place, importing: MemoryBackend(Self.old))
    plain.store.name = "Bea"
    #expect(try place.stored()?["name"] == .string("Bea"))
    #expect(try place.stored()?["age"] == .integer(7))
    #expect(plain.changes.all.map(\.keys) == [["age"], ["name"]])
    #expect(plain.changes.all.map(\.origin) == [.process, .store])
    #expect(plain.isStored.all == [true, true])
    #expect(plain.store.age == 7)
    #expect(importer.changes.all.map(\.keys) == [["name"]])
    #expect(importer.store.name == "Bea")
    #expect(importer.store.age == 7)
    // The source is not asked again, whatever becomes of the values.
    importer.store.reset()
    #expect(importer.store.age == 0)
    try importer.store.reload()
    #expect(importer.store.age == 0)
    #expect(plain.store.age == 0)
  }

  @Test(arguments: BackendKind.allCases)
  func `setting what was imported stores it`(_ kind: BackendKind) throws {
    let place = kind.place()
    let importer = SimpleStore<User>(place.backend, importing: MemoryBackend(Self.old))
    importer.age = 7
    #expect(try place.stored()?["age"] == .integer(7))
    #expect(try place.stored()?["name"] == .string("Ann"))
  }

  @Test(arguments: BackendKind.allCases)
  func `what another program stores takes the place of what was imported`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let plain = Witness(place)
    let importer = Witness(place, importing: MemoryBackend(Self.old))
    try place.put(["name": .string("Cleo")])
    try plain.store.reload()
    #expect(importer.store.name == "Cleo")
    #expect(importer.store.age == 0)
    #expect(importer.changes.all.map(\.keys) == [["name", "age"]])
    #expect(plain.changes.all.map(\.keys) == [["name"]])
    plain.store.tags = ["x"]
    #expect(try place.stored()?["age"] ?? .integer(0) == .integer(0))
    #expect(importer.store.age == 0)
  }

  @Test(arguments: BackendKind.allCases)
  func `a source that becomes readable is told by reload, to its own store only`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let source = RecordingBackend(Self.old)
    source.loadError = .sample
    let plain = Witness(place)
    let importer = Witness(place, importing: source)
    source.loadError = nil
    try importer.store.reload()
    #expect(importer.store.age == 7)
    #expect(importer.changes.all.map(\.keys) == [["name", "age"]])
    #expect(plain.changes.all.isEmpty)
    #expect(plain.store.age == 0)
    try importer.store.save()
    #expect(plain.changes.all.map(\.keys) == [["name", "age"]])
    #expect(plain.isStored.all == [true])
    #expect(importer.changes.all.count == 1)
  }

  @Test func `reload imports what the source has now`() throws {
    let source = MemoryBackend(Self.old)
    let store = SimpleStore<User>(.memory, importing: source)
    try source.save(["age": .integer(8)])
    try store.reload()
    #expect(store.name == "")
    #expect(store.age == 8)
  }

  @Test(arguments: BackendKind.allCases)
  func `imported values and changes that wait are stored and told together`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let plain = Witness(place)
    let importer = SimpleStore<User>(
      place.backend, importing: MemoryBackend(Self.old), saving: .coalesced(.seconds(3600)))
    importer.name = "Bea"
    #expect(plain.changes.all.isEmpty)
    try importer.flush()
    #expect(plain.changes.all.map(\.keys) == [["name", "age"]])
    #expect(plain.store.name == "Bea")
    #expect(plain.store.age == 7)
  }

  @Test(arguments: BackendKind.files)
  func `a file that appears does not make a store forget the source it could not read`(
    _ kind: BackendKind
  ) async throws {
    let place = kind.place()
    let source = RecordingBackend(Self.old)
    source.loadError = .sample
    let store = SimpleStore<User>(place.backend, importing: source, watching: true)
    try place.put(["age": .integer(3)])
    #expect(await eventually { store.age == 3 })
    guard case .failed = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(throws: StoreError.self) { try store.set(\.name, to: "b") }
    #expect(try place.stored() == ["age": .integer(3)])
    try store.reload()
    try store.set(\.name, to: "b")
    #expect(try place.stored()?["age"] == .integer(3))
  }
}

extension StoreValue {
  fileprivate var dictionary: StoreDocument? {
    if case .dictionary(let document) = self { document } else { nil }
  }
}
