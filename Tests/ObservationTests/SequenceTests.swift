import SimpleStore
import TestSupport
import Testing

/// Changes and values as async sequences.
struct SequenceTests {
  @Test(arguments: BackendKind.allCases)
  func `values begin with the one of now and come when they differ`(_ kind: BackendKind) async {
    let store = SimpleStore<User>(kind.place().backend)
    store.name = "a"
    var names = store.values(\.name).makeAsyncIterator()
    #expect(await names.next() == "a")
    store.age = 5
    store.name = "b"
    #expect(await names.next() == "b")
    store.name = "c"
    #expect(await names.next() == "c")
  }

  @Test(arguments: BackendKind.allCases)
  func `without the first value the next one is the first to differ`(_ kind: BackendKind) async {
    let store = SimpleStore<User>(kind.place().backend)
    store.name = "a"
    var names = store.values(\.name, initial: false).makeAsyncIterator()
    store.name = "b"
    store.name = "a"
    store.name = "c"
    #expect(await names.next() == "c")
  }

  @Test func `a sequence sees what happens from the moment it is made`() async {
    let store = SimpleStore<User>(.memory)
    let changes = store.changes
    store.name = "a"
    var reader = changes.makeAsyncIterator()
    #expect(await reader.next()?.new.name == "a")
  }

  struct Labelled: StoreItem {
    static let store = SimpleStore<Labelled>(.memory)
    @StoreParam(key: "name", default: "") var name
    var label: String { Self.store.name + "!" }
  }

  @Test func `a computed property may read the store that it is observed on`() async {
    let store = Labelled.store
    let values = store.values(\.label)
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == "!")
  }

  @Test func `a slow reader gets the newest value`() async {
    let store = SimpleStore<User>(.memory)
    var ages = store.values(\.age).makeAsyncIterator()
    for age in 1...1000 { store.age = age }
    #expect(await ages.next() == 1000)
  }

  @Test func `changes that a slow reader misses are joined as if they were a batch`() async {
    let store = SimpleStore<User>(.memory)
    var changes = store.changes.makeAsyncIterator()
    store.name = "a"
    store.age = 1
    store.age = 2
    store.tags = ["x"]
    store.tags = []
    let change = await changes.next()
    #expect(change?.keys == ["name", "age"])
    #expect(change?.old.name == "")
    #expect(change?.new.age == 2)
    // What cancels itself out is not told.
    store.age = 3
    store.age = 2
    store.name = "b"
    #expect(await changes.next()?.keys == ["name"])
  }

  @Test func `taking the first value only ends it`() async {
    let store = SimpleStore<User>(.memory)
    store.name = "a"
    var seen: [String] = []
    for await name in store.values(\.name).prefix(1) { seen.append(name) }
    store.name = "b"
    #expect(seen == ["a"])
  }

  @Test func `a sequence ends when the store goes away, after its last change`() async {
    var store: SimpleStore<User>? = SimpleStore<User>(.memory)
    let names = store?.values(\.name, initial: false)
    let changes = store?.changes
    store?.name = "last"
    store = nil
    var seen: [String] = []
    if let names { for await name in names { seen.append(name) } }
    #expect(seen == ["last"])
    var reader = changes?.makeAsyncIterator()
    #expect(await reader?.next()?.keys == ["name"])
    #expect(await reader?.next() == nil)
    // A second reader, after the end.
    var late = changes?.makeAsyncIterator()
    #expect(await late?.next() == nil)
  }

  @Test func `a waiting reader ends when the store goes away`() async {
    var store: SimpleStore<User>? = SimpleStore<User>(.memory)
    guard let changes = store?.changes else { return }
    let reader = Task {
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    store?.name = "a"
    store = nil
    #expect(await reader.value <= 1)
  }

  @Test func `a cancelled task ends`() async {
    let store = SimpleStore<User>(.memory)
    let changes = store.changes
    let reader = Task { for await _ in changes {} }
    reader.cancel()
    await reader.value
    store.name = "a"
  }

  @Test func `two readers each get everything`() async {
    let store = SimpleStore<User>(.memory)
    let values = store.values(\.age)
    var first = values.makeAsyncIterator()
    var second = values.makeAsyncIterator()
    #expect(await first.next() == 0)
    #expect(await second.next() == 0)
    store.age = 1
    #expect(await first.next() == 1)
    #expect(await second.next() == 1)
  }

  @Test func `the last value arrives however fast the writers are`() async {
    for _ in 0..<50 {
      let store = SimpleStore<User>(.memory)
      let values = store.values(\.age)
      async let last: Int = {
        for await age in values where age == 400 { return age }
        return -1
      }()
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { for _ in 0..<100 { store.age += 1 } } }
      }
      #expect(await last == 400)
    }
  }
}
