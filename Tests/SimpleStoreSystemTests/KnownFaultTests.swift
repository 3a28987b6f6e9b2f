import Foundation
import SimpleStore
import SimpleStoreSystem
import Synchronization
import TestSupport
import Testing

/// What users of other libraries of this kind have met, on every backend of both libraries.
///
/// Known faults: I41, I42 (true and 1), I59, I60 (nil), I63, I64 (defaults), I65, I66 (keys), I95
/// (a type that a migration changes). The others about values (I44, I45, I47, I51, I52, I53, I102)
/// are cases of `EveryBackendTests`; how values are stored (I55) is in `StoredFormTests`, what plain
/// code has stored (I57) in `UserDefaultsTests`, and what earlier versions have (I56) in
/// `FixtureTests`.
struct KnownFaultTests {
  struct Falsy: StoreItem {
    @StoreParam(key: "a", default: false) var flag
    @StoreParam(key: "b", default: 0) var number
    @StoreParam(key: "c", default: "") var text
    @StoreParam(key: "d") var maybe: String?
    @StoreParam(key: "e", default: []) var set: Set<Int>
    @StoreParam(key: "f", default: UUID()) var id
  }

  @Test(arguments: EveryBackend.allCases)
  func `a Boolean is no number, and a number no Boolean`(_ kind: EveryBackend) throws {
    let backend = kind.place()
    try backend().save(["a": .integer(1), "b": .bool(true), "c": .string("t")])
    let store = SimpleStore<Falsy>(backend())
    #expect(store.loadReport.wrongTypes.map(\.key) == ["a", "b"])
    #expect(store.flag == false)
    #expect(store.number == 0)
    #expect(store.text == "t")
    try store.set(\.text, to: "u")
    #expect(try backend().load()?["a"] == .integer(1))
    #expect(try backend().load()?["b"] == .bool(true))
  }

  @Test(arguments: EveryBackend.allCases, [DefaultsPolicy.written, .omitted])
  func `nil and falsy defaults come back, and a made default stays`(
    _ kind: EveryBackend, _ defaults: DefaultsPolicy
  ) throws {
    let backend = kind.place()
    let id: UUID
    do {
      let store = SimpleStore<Falsy>(backend(), defaults: defaults)
      id = store.id
      try store.update {
        $0.flag = true
        $0.number = 1
        $0.text = "x"
        $0.maybe = "y"
        $0.set = [1]
      }
      #expect(store.id == id)
      try store.set(\.maybe, to: nil)
      #expect(try backend().load()?["d"] == nil)
    }
    do {
      let store = SimpleStore<Falsy>(backend(), defaults: defaults)
      #expect(store.maybe == nil)
      #expect(store.number == 1)
      if defaults == .written { #expect(store.id == id) }
      store.reset()
      #expect(store.saveError == nil)
    }
    let fresh = SimpleStore<Falsy>(backend(), defaults: defaults)
    #expect(fresh.flag == false)
    #expect(fresh.number == 0)
    #expect(fresh.text == "")
    #expect(fresh.maybe == nil)
    #expect(fresh[\.set] == [])
  }

  struct Keys: StoreItem {
    @StoreParam(key: "a.b", default: 0) var dotted
    @StoreParam(key: "a", default: [:]) var plain: [String: Int]
    @StoreParam(key: "@x/$y", default: 0) var signs
    @StoreParam(key: "naïve🙂", default: 0) var letters
    @StoreParam(key: "e\u{301}", default: 0) var decomposed
    @StoreParam(key: "\u{e9}", default: 0) var composed
    @StoreParam(key: "$null", default: 0) var wrapper
    @StoreParam(key: String(repeating: "k", count: 70_000), default: 0) var long
  }

  @Test(arguments: EveryBackend.allCases)
  func `every text is a key, none is a path, and each change is told once`(
    _ kind: EveryBackend
  ) throws {
    let backend = kind.place()
    let told = Mutex<[String]>([])
    do {
      let store = SimpleStore<Keys>(backend())
      let observation = store.observe { change in
        told.withLock { $0 += change.keys }
      }
      try store.set(\.dotted, to: 1)
      try store.set(\.plain, to: ["b": 2])
      try store.set(\.signs, to: 3)
      try store.set(\.letters, to: 4)
      try store.set(\.decomposed, to: 5)
      try store.set(\.composed, to: 6)
      try store.set(\.wrapper, to: 8)
      try store.set(\.long, to: 9)
      observation.cancel()
    }
    #expect(told.withLock { $0.count } == 8)
    #expect(told.withLock { $0.prefix(4) } == ["a.b", "a", "@x/$y", "naïve🙂"])
    let fresh = SimpleStore<Keys>(backend())
    #expect(fresh.loadReport.unknownKeys == [])
    #expect(fresh.loadReport.missingKeys == [])
    #expect(fresh.dotted == 1)
    #expect(fresh.plain == ["b": 2])
    #expect(fresh.signs == 3)
    #expect(fresh.letters == 4)
    #expect(fresh.decomposed == 5)
    #expect(fresh.composed == 6)
    #expect(fresh.wrapper == 8)
    #expect(fresh.long == 9)
    #expect(try backend().load()?["a.b"] == .integer(1))
  }

  struct Aged: StoreItem {
    @StoreParam(key: "age", default: 0, in: 0...120) var age
    static let migrations = [
      StoreMigration("age is a number") { document in
        guard case .string(let text)? = document["age"], let age = Int64(text) else { return }
        document["age"] = .integer(age)
      }
    ]
  }

  @Test(arguments: EveryBackend.allCases)
  func `a migration changes a type before the field is read`(_ kind: EveryBackend) throws {
    let backend = kind.place()
    try backend().save(["age": .string("12"), "other": .integer(1)])
    let store = SimpleStore<Aged>(backend())
    #expect(store.age == 12)
    #expect(store.loadReport.wrongTypes == [])
    try store.set(\.age, to: 13)
    #expect(SimpleStore<Aged>(backend()).age == 13)
    #expect(try backend().load()?["other"] == .integer(1))
  }
}
