import SimpleStore
import Synchronization
import TestSupport
import Testing

/// Observers: once, in order, after the save, outside locks.
struct ObserverTests {
  @Test(arguments: BackendKind.allCases)
  func `an observer may change the store`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    let observation = store.observe(\.name) { _, new in
      store.age = new.count
      store.batchUpdate { $0.tags.append(new) }
    }
    store.name = "sky"
    #expect(store.age == 3)
    #expect(store.tags == ["sky"])
    #expect(try place.stored()?["age"] == .integer(3))
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `an observer that cancels itself is not called again`(_ kind: BackendKind) {
    let store = SimpleStore<User>(kind.place().backend)
    let calls = Recorder<String>()
    let own = Mutex<StoreObservation?>(nil)
    let observation = store.observe(\.name) { _, new in
      calls.add(new)
      own.withLock { $0 }?.cancel()
    }
    own.withLock { $0 = observation }
    store.name = "a"
    store.name = "b"
    #expect(calls.all == ["a"])
  }

  @Test(arguments: BackendKind.allCases)
  func `an observer that is cancelled by another one is not called`(_ kind: BackendKind) {
    let store = SimpleStore<User>(kind.place().backend)
    let calls = Recorder<String>()
    let other = Mutex<StoreObservation?>(nil)
    let first = store.observe { _ in other.withLock { $0 }?.cancel() }
    other.withLock { $0 = store.observe(\.name) { _, new in calls.add(new) } }
    store.name = "a"
    #expect(calls.all == [])
    first.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `an observer that is added by another one sees the next change`(_ kind: BackendKind) {
    let store = SimpleStore<User>(kind.place().backend)
    let calls = Recorder<String>()
    let added = Mutex<StoreObservation?>(nil)
    let first = store.observe { _ in
      added.withLock { added in
        if added == nil { added = store.observe(\.name) { _, new in calls.add(new) } }
      }
    }
    store.name = "a"
    store.name = "b"
    #expect(calls.all == ["b"])
    first.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `there is one first call if it is wanted, and none if not`(_ kind: BackendKind) {
    let store = SimpleStore<User>(kind.place().backend)
    store.name = "sky"
    let calls = Recorder<[String]>()
    let without = store.observe(\.name) { calls.add([$0, $1]) }
    #expect(calls.all == [])
    without.cancel()
    let with = store.observe(\.name, initial: true) { calls.add([$0, $1]) }
    #expect(calls.all == [["sky", "sky"]])
    store.name = "yks"
    #expect(calls.all == [["sky", "sky"], ["sky", "yks"]])
    with.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `a batch is one change and one call for each changed key`(_ kind: BackendKind) {
    let store = SimpleStore<User>(kind.place().backend)
    let changes = Recorder<[String]>()
    let fields = Recorder<String>()
    let observations = [
      store.observe { changes.add($0.keys) },
      store.observe(\.name) { _, new in fields.add("name \(new)") },
      store.observe(\.age) { old, new in fields.add("age \(old) \(new)") },
      store.observe(\.nickname) { _, new in fields.add("nickname \(new ?? "nil")") },
      store.observe(\.tags) { _, _ in fields.add("tags") },
    ]
    store.batchUpdate {
      $0.name = "sky"
      $0.age = 3
      $0.nickname = "s"
      $0.tags = []
    }
    #expect(changes.all == [["name", "age", "nickname"]])
    #expect(fields.all == ["name sky", "age 0 3", "nickname s"])
    store.reset()
    #expect(changes.all.count == 2)
    #expect(fields.all.count == 6)
    observations.forEach { $0.cancel() }
  }

  @Test(arguments: BackendKind.allCases)
  func `what changes no value is not announced`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    let keys = Recorder<[String]>()
    let observation = store.observe { keys.add($0.keys) }
    // The default, on a key that is not stored.
    store.age = 0
    store.name = "sky"
    store.name = "sky"
    store.batchUpdate {
      $0.name = "yks"
      $0.name = "sky"
    }
    store.item = store.item
    try store.save()
    try store.reload()
    #expect(keys.all == [["name"]])
    // Written again by somebody else, with the same values.
    try place.put(try #require(try place.stored()))
    try store.reload()
    #expect(keys.all == [["name"]])
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `an observer of a field hears of no other key`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    let calls = Recorder<String>()
    let observation = store.observe(\.name) { _, new in calls.add(new) }
    for age in 1...100 { store.age = age }
    var document = try #require(try place.stored())
    document["foreign"] = .string("x")
    try place.put(document)
    try store.reload()
    #expect(calls.all == [])
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `the store has the new value when an observer is called`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    let seen = Recorder<Bool>()
    let observation = store.observe(\.name) { _, new in
      seen.add(store.name == new)
      // Nothing is announced that is not on disk.
      seen.add((try? place.stored()?["name"]) == .string(new))
    }
    for number in 0..<10 { store.name = "\(number)" }
    #expect(seen.all == Array(repeating: true, count: 20))
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `every observer sees every change in the order of the saves`(_ kind: BackendKind) async {
    let store = SimpleStore<User>(kind.place().backend)
    let recorders = [Recorder<(Int, Int)>(), Recorder<(Int, Int)>()]
    let observations = recorders.map { recorder in
      store.observe { recorder.add(($0.old.age, $0.new.age)) }
    }
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<25 { store.age += 1 } }
      }
    }
    for recorder in recorders {
      #expect(await eventually { recorder.all.count == 200 })
      #expect(recorder.all.map(\.0) == Array(0..<200))
      #expect(recorder.all.map(\.1) == Array(1...200))
    }
    observations.forEach { $0.cancel() }
  }

  @Test func `observers that change the store again and again do not nest`() {
    let store = SimpleStore<User>(.memory)
    let depth = Mutex(0)
    let deepest = Mutex(0)
    let observation = store.observe(\.age) { _, new in
      let now = depth.withLock { depth in
        depth += 1
        return depth
      }
      deepest.withLock { $0 = max($0, now) }
      if new < 20_000 { store.age = new + 1 }
      depth.withLock { $0 -= 1 }
    }
    store.age = 1
    #expect(store.age == 20_000)
    #expect(deepest.withLock { $0 } == 1)
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `a change says who made it`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    let other = SimpleStore<User>(place.backend)
    let origins = Recorder<StoreChange<User>.Origin>()
    let observation = store.observe { origins.add($0.origin) }
    store.name = "a"
    other.name = "b"
    var document = try #require(try place.stored())
    document["name"] = .string("c")
    try place.put(document)
    try store.reload()
    #expect(origins.all == [.store, .process, .outside])
    #expect(store.name == "c")
    observation.cancel()
  }

  @Test func `what is not saved is not announced`() throws {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    let calls = Recorder<[String]>()
    let observation = store.observe { calls.add($0.keys) }
    backend.saveError = StoreError.sample
    store.name = "sky"
    #expect(store.saveError != nil)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.batchUpdate { user throws(Stop) in
        user.name = "x"
        throw Stop()
      }
    }
    #expect(calls.all == [])
    backend.saveError = nil
    store.name = "yks"
    #expect(calls.all == [["name"]])
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `keys with dots and signs are announced`(_ kind: BackendKind) {
    struct Odd: StoreItem {
      @StoreParam(key: "a.b", default: 0) var dotted
      @StoreParam(key: "@x", default: 0) var sign
      @StoreParam(key: "naïve🙂", default: 0) var unicode
    }
    let store = SimpleStore<Odd>(kind.place().backend)
    let keys = Recorder<[String]>()
    let observation = store.observe { keys.add($0.keys) }
    store.dotted = 1
    store.sign = 1
    store.unicode = 1
    #expect(keys.all == [["a.b"], ["@x"], ["naïve🙂"]])
    observation.cancel()
  }

  @Test(arguments: BackendKind.allCases)
  func `a hundred tasks lose nothing, and after each chain a new store reads the same`(
    _ kind: BackendKind
  ) async throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { store.batchUpdate { $0.age += 1 } } }
    }
    #expect(store.age == 100)
    #expect(SimpleStore<User>(place.backend).age == 100)
    store.name = "a"
    store.reset(\.$age)
    store.batchUpdate { $0.tags = ["x"] }
    store.nickname = "n"
    store.reset(\.$nickname)
    let reopened = SimpleStore<User>(place.backend)
    #expect(reopened.item.storeValue == store.item.storeValue)
  }
}

/// How long observations and stores live.
struct LifetimeTests {
  @Test func `an observation ends when it is released`() {
    let store = SimpleStore<User>(.memory)
    let calls = Recorder<String>()
    var observation: StoreObservation? = store.observe(\.name) { _, new in calls.add(new) }
    store.name = "a"
    #expect(observation != nil)
    observation = nil
    store.name = "b"
    #expect(calls.all == ["a"])
  }

  @Test func `an observation that is kept goes on until the store goes away`() {
    final class Canary: Sendable {}
    let calls = Recorder<String>()
    weak var canary: Canary?
    do {
      let store = SimpleStore<User>(.memory)
      let held = Canary()
      canary = held
      store.observe(\.name) { [held] _, new in
        calls.add(new)
        _ = held
      }.keep()
      store.name = "a"
      store.name = "b"
    }
    #expect(calls.all == ["a", "b"])
    #expect(canary == nil)
  }

  @Test func `an observer that holds the store does not keep it for ever`() {
    weak var weakStore: SimpleStore<User>?
    do {
      let store = SimpleStore<User>(.memory)
      weakStore = store
      let observation = store.observe(\.name) { _, _ in store.age += 1 }
      store.name = "a"
      #expect(store.age == 1)
      withExtendedLifetime(observation) {}
    }
    #expect(weakStore == nil)
  }
}

extension StoreError {
  /// An error as a full disk makes it.
  static var sample: StoreError {
    let backend = FileBackend.json(at: TemporaryFolder().file("a/\0/b"))
    do throws(StoreError) {
      _ = try backend.load()
    } catch {
      return error
    }
    fatalError("a path with NUL was opened")
  }
}
