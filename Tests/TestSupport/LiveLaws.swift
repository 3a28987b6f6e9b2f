package import SimpleStore
import Synchronization

/// What users of other libraries met when they observed settings, and what has to happen instead,
/// to be tried on every backend. The numbers are those of the known faults.
///
/// Each law gives a list of what it found wrong, so that a test reads `#expect(laws.… == [])`.
package struct LiveLaws: Sendable {
  package struct Item: StoreItem {
    @StoreParam(key: "name", default: "") package var name
    @StoreParam(key: "age", default: 0) package var age
    @StoreParam(key: "tags", default: []) package var tags: [String]
    @StoreParam(key: "nickname") package var nickname: String?

    package init() {}
  }
  package typealias Store = SimpleStore<Item>

  /// A law, and what it is called in the report of a test.
  package struct Law: Sendable, CustomStringConvertible {
    package let description: String
    package let faults: @Sendable (LiveLaws) async throws -> [String]
  }

  /// Makes a backend on the place under trial; each call a fresh one where the kind has several.
  private let backend: @Sendable () throws -> any StoreBackend

  package init(_ backend: @escaping @Sendable () throws -> any StoreBackend) {
    self.backend = backend
  }

  package static let all: [Law] = [
    Law(description: "I69: an observer may change the store") { try $0.observersMayWrite() },
    Law(description: "I71: an observation may end inside its own call") {
      try await $0.observationsMayEndInside()
    },
    Law(description: "I72: a first call only if it is wanted") { try $0.firstCallIfWanted() },
    Law(description: "I73: a batch is one change") { try $0.batchIsOneChange() },
    Law(description: "I74: what changes no value is not told") { try $0.noValueNoCall() },
    Law(description: "I76: an observer of a field hears of no other key") {
      try $0.otherKeysAreSilent()
    },
    Law(description: "I77: after a write everyone reads the new value") {
      try await $0.newValueIsReadable()
    },
    Law(description: "I79: a hundred tasks lose nothing") { try await $0.tasksLoseNothing() },
    Law(description: "I82: memory and what is stored never differ") { try $0.memoryIsStored() },
  ]

  private func open() throws -> Store {
    func store(_ backend: some StoreBackend) -> Store { Store(backend) }
    return store(try backend())
  }

  /// What someone reads who does not know the stores of this test.
  private func stored() throws -> StoreDocument { try backend().load() ?? StoreDocument() }

  private func observersMayWrite() throws -> [String] {
    let faults = Faults()
    let store = try open()
    let observation = store.observe(\.name) { _, new in
      store.age = new.count
      store.batchUpdate { $0.tags.append(new) }
    }
    store.name = "sky"
    faults.unless(store.age == 3 && store.tags == ["sky"], "memory has not both")
    let stored = try stored()
    faults.unless(
      stored["age"] == .integer(3) && stored["name"] == .string("sky"), "not both are stored")
    observation.cancel()
    return faults.all
  }

  private func observationsMayEndInside() async throws -> [String] {
    let faults = Faults()
    let store = try open()
    let calls = Log<String>()
    let own = Mutex<StoreObservation?>(nil)
    let observation = store.observe(\.name) { _, new in
      calls.add(new)
      own.withLock { $0 }?.cancel()
    }
    own.withLock { $0 = observation }
    store.name = "a"
    store.name = "b"
    faults.unless(calls.all == ["a"], "called with \(calls.all)")
    var seen: [String] = []
    for await name in store.values(\.name).prefix(1) { seen.append(name) }
    store.name = "c"
    faults.unless(seen == ["b"], "the first value alone was \(seen)")
    return faults.all
  }

  private func firstCallIfWanted() throws -> [String] {
    let faults = Faults()
    let store = try open()
    store.name = "sky"
    let calls = Log<[String]>()
    let without = store.observe(\.name) { calls.add([$0, $1]) }
    faults.unless(calls.all == [], "called although nothing has changed")
    without.cancel()
    let with = store.observe(\.name, initial: true) { calls.add([$0, $1]) }
    faults.unless(calls.all == [["sky", "sky"]], "the first call was \(calls.all)")
    store.name = "yks"
    faults.unless(calls.all.count == 2, "\(calls.all.count) calls after a change")
    with.cancel()
    return faults.all
  }

  private func batchIsOneChange() throws -> [String] {
    let faults = Faults()
    let store = try open()
    let changes = Log<[String]>()
    let fields = Log<String>()
    let observations = [
      store.observe { changes.add($0.keys) },
      store.observe(\.name) { _, _ in fields.add("name") },
      store.observe(\.age) { _, _ in fields.add("age") },
      store.observe(\.tags) { _, _ in fields.add("tags") },
      store.observe(\.nickname) { _, _ in fields.add("nickname") },
    ]
    store.batchUpdate {
      $0.name = "sky"
      $0.age = 3
      $0.nickname = "s"
      $0.tags = []
    }
    faults.unless(changes.all == [["name", "age", "nickname"]], "the batch told \(changes.all)")
    faults.unless(fields.all == ["name", "age", "nickname"], "fields told \(fields.all)")
    store.reset()
    faults.unless(changes.all.count == 2, "a reset told \(changes.all.count - 1) changes")
    observations.forEach { $0.cancel() }
    return faults.all
  }

  private func noValueNoCall() throws -> [String] {
    let faults = Faults()
    let store = try open()
    let keys = Log<[String]>()
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
    faults.unless(keys.all == [["name"]], "told \(keys.all)")
    observation.cancel()
    return faults.all
  }

  private func otherKeysAreSilent() throws -> [String] {
    let faults = Faults()
    let store = try open()
    let calls = Log<String>()
    let changes = Log<[String]>()
    let observations = [
      store.observe(\.name) { _, new in calls.add(new) }, store.observe { changes.add($0.keys) },
    ]
    for age in 1...100 { store.age = age }
    var document = try stored()
    document["foreign"] = .string("x")
    let other = try backend()
    try other.lock()
    try other.save(document)
    other.unlock()
    try store.reload()
    faults.unless(calls.all == [], "called with \(calls.all)")
    faults.unless(changes.all.count == 100, "\(changes.all.count) changes of 100")
    observations.forEach { $0.cancel() }
    return faults.all
  }

  private func newValueIsReadable() async throws -> [String] {
    let faults = Faults()
    let store = try open()
    let observation = store.observe(\.name) { [self] _, new in
      faults.unless(store.name == new, "an observer read an old value")
      // Nothing is announced that is not stored.
      faults.unless((try? stored())?["name"] == .string(new), "announced before it was stored")
    }
    for number in 0..<5 {
      store.name = "\(number)"
      faults.unless(store.name == "\(number)", "the writer read an old value")
      let read = await Task.detached { store.name }.value
      faults.unless(read == "\(number)", "another task read an old value")
    }
    observation.cancel()
    return faults.all
  }

  private func tasksLoseNothing() async throws -> [String] {
    let faults = Faults()
    let store = try open()
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { store.batchUpdate { $0.age += 1 } } }
    }
    faults.unless(store.age == 100, "memory counted to \(store.age)")
    faults.unless(try open().age == 100, "stored was \(try open().age)")
    return faults.all
  }

  private func memoryIsStored() throws -> [String] {
    let faults = Faults()
    let store = try open()
    let calls = Log<[String]>()
    func compare(_ step: String) throws {
      var item = Item()
      var mapper = AssignDictMapper(try stored())
      item.mapValue(&mapper)
      faults.unless(item.storeValue == store.item.storeValue, "memory differs after \(step)")
    }
    store.name = "a"
    try compare("a set")
    store.batchUpdate { $0.tags = ["x"] }
    store.nickname = "n"
    try compare("a set of what had no key")
    store.reset(\.$nickname)
    try compare("a reset of a field")
    store.nickname = "o"
    store.nickname = nil
    try compare("a set to nil")
    let before = store.item.storeValue
    let observation = store.observe { calls.add($0.keys) }
    struct Stop: Error {}
    do {
      try store.batchUpdate { item throws(Stop) in
        item.name = "half"
        throw Stop()
      }
      faults.unless(false, "the error was swallowed")
    } catch {}
    faults.unless(store.item.storeValue == before, "a batch that threw changed memory")
    faults.unless(calls.all == [], "a batch that threw was told")
    try compare("a batch that threw")
    store.item = Item()
    try compare("an item set as a whole")
    store.reset()
    try compare("a reset")
    observation.cancel()
    return faults.all
  }
}

/// Keeps what it is told, in order.
private final class Log<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  var all: [Element] { elements.withLock { $0 } }
  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

private final class Faults: Sendable {
  private let log = Log<String>()
  var all: [String] { log.all }
  func unless(_ isRight: Bool, _ fault: String) { if !isRight { log.add(fault) } }
}
