import Foundation
import SimpleStore
import TestSupport
import Testing

/// What users of other libraries of this kind have met, on every backend.
struct KnownFaultTests {
  struct Falsy: StoreItem {
    @StoreParam(key: "a", default: false) var flag
    @StoreParam(key: "b", default: 0) var number
    @StoreParam(key: "c", default: "") var text
    @StoreParam(key: "d") var maybe: String?
    @StoreParam(key: "e", default: []) var set: Set<Int>
  }

  @Test(arguments: BackendKind.allCases, [DefaultsPolicy.written, .omitted])
  func `reset brings back defaults that are false, zero, empty or nil`(
    _ kind: BackendKind, _ defaults: DefaultsPolicy
  ) throws {
    let place = kind.place()
    do {
      let store = SimpleStore<Falsy>(place.backend, defaults: defaults)
      store.batchUpdate {
        $0.flag = true
        $0.number = 1
        $0.text = "x"
        $0.maybe = "y"
        $0.set = [1]
      }
      store.reset()
    }
    let fresh = SimpleStore<Falsy>(place.backend, defaults: defaults)
    #expect(fresh.item.storeValue == Falsy().storeValue)
    #expect(fresh.maybe == nil)
  }

  @Test(arguments: BackendKind.allCases)
  func `nil set over a value comes back nil, not empty`(_ kind: BackendKind) throws {
    let place = kind.place()
    do {
      let store = SimpleStore<Falsy>(place.backend)
      store.maybe = "a"
      store.maybe = nil
    }
    #expect(SimpleStore<Falsy>(place.backend).maybe == nil)
    #expect(try place.stored()?["d"] == nil)
  }

  struct Identified: StoreItem {
    @StoreParam(key: "id", default: UUID()) var id
    @StoreParam(key: "name", default: "") var name
  }
  struct PlainIdentified: CodableStoreItem {
    var id = UUID()
    var name = ""
  }

  @Test(arguments: BackendKind.allCases)
  func `a default that is made is made once, and stays once anything is saved`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<Identified>(place.backend)
    let id = store.id
    #expect(store.id == id)
    store.name = "a"
    #expect(store.id == id)
    #expect(SimpleStore<Identified>(place.backend).id == id)

    let plainPlace = kind.place()
    let plain = SimpleStore<PlainIdentified>(plainPlace.backend)
    let plainID = plain.id
    plain.name = "a"
    #expect(plain.id == plainID)
    #expect(SimpleStore<PlainIdentified>(plainPlace.backend).id == plainID)
  }

  struct Keys: StoreItem {
    @StoreParam(key: "a.b", default: 0) var dotted
    @StoreParam(key: "a", default: [:]) var plain: [String: Int]
    @StoreParam(key: "@x/$y", default: 0) var signs
    @StoreParam(key: "naïve🙂", default: 0) var letters
    @StoreParam(key: "e\u{301}", default: 0) var decomposed
    @StoreParam(key: "\u{e9}", default: 0) var composed
    @StoreParam(key: "\u{0}\n", default: 0) var controls
    @StoreParam(key: "$null", default: 0) var wrapper
    @StoreParam(key: String(repeating: "k", count: 70_000), default: 0) var long
  }

  @Test(arguments: BackendKind.allCases)
  func `every text is a key, and none is a path`(_ kind: BackendKind) throws {
    let place = kind.place()
    do {
      let store = SimpleStore<Keys>(place.backend)
      store.dotted = 1
      store.plain = ["b": 2]
      store.signs = 3
      store.letters = 4
      store.decomposed = 5
      store.composed = 6
      store.controls = 7
      store.wrapper = 8
      store.long = 9
    }
    let fresh = SimpleStore<Keys>(place.backend)
    #expect(fresh.loadReport.unknownKeys == [])
    #expect(fresh.loadReport.missingKeys == [])
    #expect(fresh.dotted == 1)
    #expect(fresh.plain == ["b": 2])
    #expect(fresh.signs == 3)
    #expect(fresh.letters == 4)
    #expect(fresh.decomposed == 5)
    #expect(fresh.composed == 6)
    #expect(fresh.controls == 7)
    #expect(fresh.wrapper == 8)
    #expect(fresh.long == 9)
    #expect(try place.stored()?["a.b"] == .integer(1))
  }

  @Test(arguments: BackendKind.files)
  func `values that other programs wrote are understood`(_ kind: BackendKind) throws {
    let place = kind.place()
    let values: [String: Any] = ["c": "t", "a": true, "b": 1, "e": [2, 1]]
    let data =
      kind == .json
      ? try JSONSerialization.data(withJSONObject: values)
      : try PropertyListSerialization.data(
        fromPropertyList: values, format: kind == .xmlPropertyList ? .xml : .binary, options: 0)
    try data.write(to: place.file)
    let store = SimpleStore<Falsy>(place.backend)
    #expect(store.text == "t")
    #expect(store.flag)
    #expect(store.number == 1)
    #expect(store[\.set] == [1, 2])
  }
}
