import Foundation
import SimpleStore
import TestSupport
import Testing

/// Keys that were renamed: a newer version reads what an older one wrote, and the other way round.
struct FormerKeyTests {
  struct Renamed: StoreItem {
    @StoreParam(key: "userName", default: "", formerly: ["name", "user_name"]) var userName
    @StoreParam(key: "age", default: 0) var age
  }

  @Test(arguments: BackendKind.allCases)
  func `a key that was renamed twice is read, and moved by the next save`(
    _ kind: BackendKind
  ) throws {
    for former in ["name", "user_name"] {
      let place = kind.place()
      try place.put(["first": .integer(1), former: .string("Ann"), "age": .integer(7)])
      let store = SimpleStore<Renamed>(place.backend)
      #expect(store.userName == "Ann")
      #expect(store.loadReport.unknownKeys == ["first"])
      #expect(store.loadReport.missingKeys == [])
      #expect(try place.stored()?.keys == ["first", former, "age"])
      store.age = 8
      #expect(
        try place.stored() == [
          "first": .integer(1), "userName": .string("Ann"), "age": .integer(8),
        ])
      #expect(SimpleStore<Renamed>(place.backend).userName == "Ann")
    }
  }

  @Test(arguments: BackendKind.allCases)
  func `the latest former key counts, and the key itself before it`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("oldest"), "user_name": .string("old")])
    let store = SimpleStore<Renamed>(place.backend, defaults: .omitted)
    #expect(store.userName == "old")
    store.userName = "new"
    #expect(try place.stored() == ["userName": .string("new")])
    try place.put(["name": .string("oldest"), "userName": .string("newest")])
    #expect(SimpleStore<Renamed>(place.backend).userName == "newest")
  }

  @Test(arguments: BackendKind.allCases)
  func `a former value of another type stays until the field is set`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .integer(5)])
    let store = SimpleStore<Renamed>(place.backend)
    #expect(store.userName == "")
    #expect(store.loadReport.wrongTypes.map(\.key) == ["userName"])
    store.age = 1
    #expect(try place.stored() == ["name": .integer(5), "age": .integer(1)])
    store.userName = ""
    #expect(try place.stored() == ["userName": .string(""), "age": .integer(1)])
  }

  struct Outer: StoreItem {
    @StoreParam(key: "inner", default: Renamed()) var inner
  }

  @Test(arguments: BackendKind.allCases)
  func `a nested item has former keys too`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.put(["inner": .dictionary(["name": .string("Ann"), "x": .integer(1)])])
    let store = SimpleStore<Outer>(place.backend)
    #expect(store[\.inner.userName] == "Ann")
    store[\.inner.age] = 3
    #expect(
      try place.stored()?["inner"]
        == .dictionary(["userName": .string("Ann"), "x": .integer(1), "age": .integer(3)]))
  }

  @Test(arguments: BackendKind.allCases)
  func `another process that still writes the old key is read`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.put(["name": .string("a"), "age": .integer(0)])
    let store = SimpleStore<Renamed>(place.backend)
    try place.put(["name": .string("b"), "age": .integer(0)])
    try store.reload()
    #expect(store.userName == "b")
  }

  struct BeforeRenaming: StoreItem {
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "age", default: 0) var age
  }

  @Test(arguments: BackendKind.allCases)
  func `an older version that runs beside a newer one takes nothing of it away`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("a"), "age": .integer(0)])
    let old = SimpleStore<BeforeRenaming>(AnotherProcess(place.backend))
    let new = SimpleStore<Renamed>(AnotherProcess(place.backend))
    try new.set(\.age, to: 1)
    #expect(try place.stored() == ["userName": .string("a"), "age": .integer(1)])
    // The older one finds its key gone, and writes it again with every other field.
    try old.set(\.age, to: 2)
    #expect(old.name == "")
    try new.set(\.age, to: 3)
    #expect(new.userName == "a")
    // What it sets stays where it was set, until the newer one sets the field.
    try old.set(\.name, to: "b")
    try new.set(\.age, to: 4)
    #expect(new.userName == "a")
    #expect(SimpleStore<Renamed>(AnotherProcess(place.backend)).userName == "a")
    #expect(
      try place.stored() == [
        "userName": .string("a"), "age": .integer(4), "name": .string("b"),
      ])
    try new.set(\.userName, to: "c")
    #expect(try place.stored() == ["userName": .string("c"), "age": .integer(4)])
  }
}
