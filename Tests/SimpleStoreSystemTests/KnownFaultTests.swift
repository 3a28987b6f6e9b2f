import Foundation
import SimpleStore
import SimpleStoreSystem
import Synchronization
import TestSupport
import Testing

/// What users of other libraries of this kind have met, on every backend of both libraries.
///
/// Which fault is tried where is in `ContractTable.valueFaults`.
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
    let backend = try kind.place()
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

  struct Three: StoreItem {
    @StoreParam(key: "bool", default: false) var bool
    @StoreParam(key: "int", default: 0) var int
    @StoreParam(key: "double", default: 0) var double: Double
  }

  @Test(arguments: EveryBackend.allCases)
  func `true, 1 and 1.0 come back as three things`(_ kind: EveryBackend) throws {
    let backend = try kind.place()
    do {
      try SimpleStore<Three>(backend()).update {
        $0.bool = true
        $0.int = 1
        $0.double = 1
      }
    }
    #expect(
      try backend().load() == ["bool": .bool(true), "int": .integer(1), "double": .double(1)])
    let fresh = SimpleStore<Three>(backend())
    #expect(fresh.bool)
    #expect(fresh.int == 1)
    #expect(fresh.double == 1)
  }

  @Test(arguments: EveryBackend.allCases, [DefaultsPolicy.written, .omitted])
  func `nil and falsy defaults come back, and a made default stays`(
    _ kind: EveryBackend, _ defaults: DefaultsPolicy
  ) throws {
    let backend = try kind.place()
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
      try store.set(\.maybe, to: "z")
      store.reset()
      #expect(store.saveError == nil)
    }
    let fresh = SimpleStore<Falsy>(backend(), defaults: defaults)
    #expect(fresh.flag == false)
    #expect(fresh.number == 0)
    #expect(fresh.text == "")
    #expect(fresh.maybe == nil)
    #expect(fresh[\.set] == [])
    #expect(try backend().load()?["d"] == nil)
  }

  struct Identified: CodableStoreItem {
    var id = UUID()
    var name = ""
  }

  @Test(arguments: EveryBackend.allCases)
  func `a made default of a Codable item stays once anything is saved`(
    _ kind: EveryBackend
  ) throws {
    let backend = try kind.place()
    let store = SimpleStore<Identified>(backend())
    let id = store.id
    #expect(store.id == id)
    try store.set(\.name, to: "a")
    #expect(store.id == id)
    #expect(SimpleStore<Identified>(backend()).id == id)
  }

  struct Keys: StoreItem {
    @StoreParam(key: "a.b", default: 0) var dotted
    @StoreParam(key: "a", default: [:]) var plain: [String: Int]
    @StoreParam(key: "@x/$y", default: 0) var signs
    @StoreParam(key: "naïve🙂", default: 0) var letters
    @StoreParam(key: "e\u{301}", default: 0) var decomposed
    @StoreParam(key: "\u{e9}", default: 0) var composed
    @StoreParam(key: "$null", default: 0) var wrapper
  }

  @Test(arguments: EveryBackend.allCases)
  func `every text is a key, none is a path, and each change is told once`(
    _ kind: EveryBackend
  ) throws {
    let backend = try kind.place()
    let told = Mutex<[String]>([])
    let fields = Mutex<[Int]>([])
    do {
      let store = SimpleStore<Keys>(backend())
      let observations = [
        store.observe { change in told.withLock { $0 += change.keys } },
        store.observe(\.dotted) { _, new in fields.withLock { $0.append(new) } },
        store.observe(\.signs) { _, new in fields.withLock { $0.append(new) } },
        store.observe(\.letters) { _, new in fields.withLock { $0.append(new) } },
      ]
      try store.set(\.dotted, to: 1)
      try store.set(\.plain, to: ["b": 2])
      try store.set(\.signs, to: 3)
      try store.set(\.letters, to: 4)
      try store.set(\.decomposed, to: 5)
      try store.set(\.composed, to: 6)
      try store.set(\.wrapper, to: 8)
      observations.forEach { $0.cancel() }
    }
    #expect(
      told.withLock { $0 }.map { Array($0.utf8) }
        == ["a.b", "a", "@x/$y", "naïve🙂", "e\u{301}", "\u{e9}", "$null"].map { Array($0.utf8) })
    #expect(fields.withLock { $0 } == [1, 3, 4])
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
    #expect(try backend().load()?["a.b"] == .integer(1))
    #expect(try backend().load()?["a"] == .dictionary(["b": .integer(2)]))
  }

  struct LongKey: StoreItem {
    @StoreParam(key: String(repeating: "k", count: 70_000), default: 0) var long
    @StoreParam(key: "short", default: 0) var short
  }

  @Test(arguments: EveryBackend.allCases)
  func `a key may be long, or is refused with a sentence`(_ kind: EveryBackend) throws {
    let backend = try kind.place()
    let store = SimpleStore<LongKey>(backend())
    if kind.isSmall {
      let error = #expect(throws: StoreError.self) { try store.set(\.long, to: 9) }
      #expect(error?.code == .invalidValue)
      #expect("\(try #require(error))".contains("Nothing was changed. Keep less in it."))
      #expect(try backend().load() == nil)
    } else {
      try store.set(\.long, to: 9)
      #expect(SimpleStore<LongKey>(backend()).long == 9)
    }
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
    let backend = try kind.place()
    try backend().save(["age": .string("12"), "other": .integer(1)])
    let store = SimpleStore<Aged>(backend())
    #expect(store.age == 12)
    #expect(store.loadReport.wrongTypes == [])
    try store.set(\.age, to: 13)
    #expect(SimpleStore<Aged>(backend()).age == 13)
    #expect(try backend().load()?["other"] == .integer(1))
  }
}
