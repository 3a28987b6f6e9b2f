import Foundation
import SimpleStore
import TestSupport
import Testing

/// Following what others write.
struct WatchTests {
  /// A store that watches, and what it announces.
  private struct Watched {
    let store: SimpleStore<User>
    let changes = Recorder<(keys: [String], origin: StoreChange<User>.Origin, age: Int)>()
    let observation: StoreObservation

    init(_ place: BackendPlace) {
      store = SimpleStore<User>(place.backend, watching: true)
      observation = store.observe { [changes] in
        changes.add(($0.keys, $0.origin, $0.new.age))
      }
    }
  }

  private func document(age: Int) -> StoreDocument {
    ["name": .string("sky"), "age": .integer(Int64(age))]
  }

  /// Writes the document to another file and renames it over the first one.
  private func replace(_ place: BackendPlace, age: Int) throws {
    let temporary = place.folder.file("other-program")
    try Data(place.kind.format.encode(document(age: age))).write(to: temporary)
    #expect(rename(temporary.systemPath, place.file.systemPath) == 0)
  }

  @Test(arguments: BackendKind.files)
  func `a program that saves by rename is seen every time`(_ kind: BackendKind) async throws {
    let place = kind.place()
    try place.put(document(age: 0))
    let watched = Watched(place)
    for age in 1...20 {
      try replace(place, age: age)
      #expect(await eventually { watched.store.age == age })
    }
    #expect(await eventually { watched.changes.all.map(\.age) == Array(1...20) })
  }

  /// Tells whether its watch has ended.
  private final class WatchedBackend: StoreBackend {
    let identity = StoreIdentity()
    let isWatched = Recorder<Bool>()
    func load() throws(StoreError) -> StoreDocument? { nil }
    func save(_ document: StoreDocument) throws(StoreError) {}
    func watch(_ onChange: @escaping @Sendable () -> Void) -> StoreObservation? {
      isWatched.add(true)
      return StoreObservation { [isWatched] in isWatched.add(false) }
    }
  }

  @Test func `a watch that is kept ends when the store goes away`() {
    let backend = WatchedBackend()
    do {
      let store = SimpleStore<User>(backend)
      store.watch().keep()
      store.watch().cancel()
      #expect(backend.isWatched.all == [true, true, false])
    }
    #expect(backend.isWatched.all == [true, true, false, false])
  }

  @Test(arguments: BackendKind.files)
  func `a program that empties the file and writes it is seen once, whole`(
    _ kind: BackendKind
  ) async throws {
    let place = kind.place()
    try place.put(document(age: 0))
    let watched = Watched(place)
    for age in 1...20 {
      let bytes = try kind.format.encode(document(age: age))
      let handle = try FileHandle(forWritingTo: place.file)
      try handle.truncate(atOffset: 0)
      // Byte by byte, as badly as it can be done.
      for byte in bytes { try handle.write(contentsOf: [byte]) }
      try handle.close()
      #expect(await eventually { watched.store.age == age })
    }
    #expect(await eventually { watched.changes.all.map(\.age) == Array(1...20) })
  }

  @Test(arguments: BackendKind.files)
  func `the store's own saves are not reported`(_ kind: BackendKind) async throws {
    let place = kind.place()
    let watched = Watched(place)
    for age in 1...20 { watched.store.age = age }
    try replace(place, age: 99)
    #expect(await eventually { watched.store.age == 99 })
    let origins = Array(repeating: StoreChange<User>.Origin.store, count: 20) + [.outside]
    #expect(await eventually { watched.changes.all.map(\.origin) == origins })
  }

  @Test(arguments: BackendKind.files)
  func `a damaged file is passed over, the next whole one is announced`(
    _ kind: BackendKind
  ) async throws {
    let place = kind.place()
    try place.put(document(age: 0))
    let watched = Watched(place)
    try place.file.write("{ damaged")
    try replace(place, age: 5)
    #expect(await eventually { watched.store.age == 5 })
    #expect(await eventually { watched.changes.all.map(\.age) == [5] })
  }

  struct Migrating: StoreItem {
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "age", default: 0) var age
    static let migrations = [
      StoreMigration("checked") { document in
        struct Unready: Error {}
        if document["ready"] != .bool(true) { throw Unready() }
      }
    ]
  }

  @Test(arguments: BackendKind.files)
  func `a file that was repaired is taken over whole, also what was right before`(
    _ kind: BackendKind
  ) async throws {
    let place = kind.place()
    try place.put(["name": .string("sky"), "age": .integer(1), "ready": .bool(false)])
    let store = SimpleStore<Migrating>(place.backend, watching: true)
    #expect(store.name == "")
    #expect(throws: StoreError.self) { try store.set(\.age, to: 5) }
    try place.put(["name": .string("sky"), "age": .integer(2), "ready": .bool(true)])
    #expect(await eventually { store.age == 2 })
    #expect(store.name == "sky")
    try store.set(\.age, to: 3)
    #expect(try place.stored()?["name"] == .string("sky"))
  }

  @Test(arguments: BackendKind.files)
  func `a file that is removed and made again is seen`(_ kind: BackendKind) async throws {
    let place = kind.place()
    try place.put(document(age: 1))
    let watched = Watched(place)
    try FileManager.default.removeItem(at: place.file)
    try replace(place, age: 2)
    #expect(await eventually { watched.store.age == 2 })
    #expect(await eventually { watched.changes.all.map(\.age) == [2] })
  }

  @Test(arguments: BackendKind.files)
  func `a file and a directory that are not there yet are seen`(_ kind: BackendKind) async throws {
    let folder = TemporaryFolder()
    let directory = folder.file("a/b")
    let file = directory.appending(path: "settings.x")
    let store = SimpleStore<User>(kind.backend(at: file), watching: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data(kind.format.encode(document(age: 3))).write(to: file)
    #expect(await eventually { store.age == 3 })
    #expect(
      await eventually {
        if case .loaded = store.loadState { true } else { false }
      })
  }

  @Test(arguments: BackendKind.files)
  func `a directory that is moved away and back is followed`(_ kind: BackendKind) async throws {
    let folder = TemporaryFolder()
    let directory = folder.file("a")
    let file = directory.appending(path: "b/settings.x")
    try FileManager.default.createDirectory(
      at: directory.appending(path: "b"), withIntermediateDirectories: true)
    try Data(kind.format.encode(document(age: 1))).write(to: file)
    let store = SimpleStore<User>(kind.backend(at: file), watching: true)
    for age in 2...6 {
      let away = folder.file("away")
      try FileManager.default.moveItem(at: directory, to: away)
      try Data(kind.format.encode(document(age: age)))
        .write(to: away.appending(path: "b/settings.x"))
      try FileManager.default.moveItem(at: away, to: directory)
      #expect(await eventually { store.age == age })
      try Data(kind.format.encode(document(age: age * 10))).write(to: file)
      #expect(await eventually { store.age == age * 10 })
    }
  }

  @Test(arguments: BackendKind.files)
  func `a link that is turned and its target are followed`(_ kind: BackendKind) async throws {
    let folder = TemporaryFolder()
    for (name, age) in [("one", 1), ("two", 2)] {
      let directory = folder.file(name)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(kind.format.encode(document(age: age))).write(to: directory.appending(path: "s"))
    }
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(
      atPath: link.systemPath, withDestinationPath: "one/s")
    let store = SimpleStore<User>(kind.backend(at: link), watching: true)
    #expect(store.age == 1)
    try Data(kind.format.encode(document(age: 11))).write(to: folder.file("one/s"))
    #expect(await eventually { store.age == 11 })
    let turned = folder.file("turned")
    try FileManager.default.createSymbolicLink(
      atPath: turned.systemPath, withDestinationPath: "two/s")
    #expect(rename(turned.systemPath, link.systemPath) == 0)
    #expect(await eventually { store.age == 2 })
    try Data(kind.format.encode(document(age: 22))).write(to: folder.file("two/s"))
    #expect(await eventually { store.age == 22 })
  }

  @Test func `stores in one directory each see their own file`() async throws {
    let folder = TemporaryFolder()
    let stores = (0..<10).map {
      SimpleStore<User>(.json(at: folder.file("\($0).json")), watching: true)
    }
    for (number, _) in stores.enumerated() {
      try folder.file("\(number).json").write(#"{"age": \#(number + 1)}"#)
    }
    for (number, store) in stores.enumerated() {
      #expect(await eventually { store.age == number + 1 })
    }
  }

  @Test func `watching writes nothing`() async throws {
    let place = BackendKind.json.place()
    try place.put(document(age: 1))
    let store = SimpleStore<User>(place.backend, watching: true)
    let names = try place.folder.allNames
    try place.file.write(#"{"age": 2}"#)
    #expect(await eventually { store.age == 2 })
    #expect(try place.folder.allNames == names)
    #expect(try place.file.text == #"{"age": 2}"#)
  }

  @Test func `a cancelled watch says nothing more`() async throws {
    let place = BackendKind.json.place()
    try place.put(document(age: 1))
    let store = SimpleStore<User>(place.backend)
    let witness = SimpleStore<User>(.json(at: place.folder.file("witness.json")), watching: true)
    let watch = store.watch()
    watch.cancel()
    try place.file.write(#"{"age": 2}"#)
    try place.folder.file("witness.json").write(#"{"age": 1}"#)
    #expect(await eventually { witness.age == 1 })
    #expect(store.age == 1)
  }

  @Test(arguments: [BackendKind.memory, .userWritten])
  func `a backend that cannot tell is looked at by the clock`(_ kind: BackendKind) async throws {
    let place = kind.place()
    let clock = StandingClock()
    let store = SimpleStore<User>(place.backend)
    let watch = store.watch(pollingEvery: .seconds(1), clock: clock)
    try place.put(document(age: 4))
    #expect(await eventually { clock.sleepers == 1 })
    #expect(store.age == 0)
    clock.advance(by: .seconds(1))
    #expect(await eventually { store.age == 4 })
    watch.cancel()
  }
}
