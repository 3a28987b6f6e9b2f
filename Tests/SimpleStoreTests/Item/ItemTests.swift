import Foundation
import SimpleStore
import TestSupport
import Testing

/// Declaring items: how fields are found, and what a declaration may look like.
struct ItemTests {
  /// A value that is a class behind a protocol, a private field, a plain property, a large value.
  struct Mixed: StoreItem {
    protocol Shape: Sendable {}
    final class Circle: Shape {}

    var shape: any Shape = Circle()
    @StoreParam(key: "first", default: "f") var first
    private let padding: (UInt8, Bool) = (0, true)
    @StoreParam(key: "hidden", default: 1) private var hidden
    var plain = [1, 2, 3]
    @StoreParam(key: "last", default: Array(repeating: 1.5, count: 100)) var last

    mutating func hide(_ value: Int) { hidden = value }
    var shown: Int { hidden }
  }

  @Test func `fields are found among existential, private and plain properties`() {
    let store = SimpleStore<Mixed>(.memory)
    store.batchUpdate {
      $0.first = "g"
      $0.hide(2)
      $0.last.append(2.5)
      $0.plain = []
    }
    var mapper = EvalDictMapper()
    var item = store.item
    item.mapValue(&mapper)
    #expect(mapper.document.keys == ["first", "hidden", "last"])
    #expect(mapper.document["hidden"] == .integer(2))
    #expect(store.shown == 2)
    #expect(store.last.count == 101)
  }

  @Test func `a property that is not stored lives in memory, whichever way it is set`() {
    let backend = RecordingBackend()
    let store = SimpleStore<Mixed>(backend)
    store.plain = [4]
    #expect(store.plain == [4])
    store.plain.append(5)
    store.first = "g"
    #expect(store.plain == [4, 5])
    store.batchUpdate { $0.plain = [] }
    #expect(store.plain == [])
    #expect(backend.saves == 1)
  }

  struct Generic<Value: StoreConvertible>: StoreItem where Value: ExpressibleByIntegerLiteral {
    @StoreParam(key: "value", default: 0) var value: Value
  }

  @Test func `a generic item has a layout for each of its types`() {
    let ints = SimpleStore<Generic<Int8>>(.memory)
    let doubles = SimpleStore<Generic<Double>>(.memory)
    ints.value = 3
    doubles.value = 4.5
    #expect(ints.value == 3)
    #expect(doubles.value == 4.5)
  }

  @Test func `the projected value shows key, default and whether it is the default`() {
    var user = User()
    #expect(user.$name.key == "name")
    #expect(user.$age.defaultValue == 0)
    #expect(user.$age.isDefault)
    user.age = 3
    #expect(!user.$age.isDefault)
    user.$age = User().$age
    #expect(user.age == 0)
  }

  struct Window: StoreItem {
    @StoreParam(key: "title", default: "untitled") var title
    var width = 800

    mutating func mapValue(_ mapper: inout some DictMapper) {
      mapper <- _title
      mapper.map(&width, key: "width", default: 800)
    }
  }

  @Test(arguments: BackendKind.allCases)
  func `an item that lists its fields itself is stored as it lists them`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    do {
      let store = SimpleStore<Window>(place.backend)
      store.width = 1024
      #expect(try place.stored() == ["title": .string("untitled"), "width": .integer(1024)])
      store.width = 1024
      store.title = "t"
    }
    let fresh = SimpleStore<Window>(place.backend)
    #expect(fresh.width == 1024)
    #expect(fresh.title == "t")
    fresh.reset()
    #expect(fresh.width == 800)
  }

  @Test func `a mapper of the user's own sees every field`() {
    struct KeyLister: DictMapper {
      var keys: [String] = []
      mutating func map<Value: StoreConvertible>(
        _ field: inout Value, key: String, default defaultValue: Value
      ) {
        keys.append(key)
        if let text = "changed" as? Value { field = text }
      }
    }
    var user = User()
    var lister = KeyLister()
    user.mapValue(&lister)
    #expect(lister.keys == ["name", "age", "gender", "nickname", "tags"])
    #expect(user.name == "changed")
    let store = SimpleStore<User>(.memory)
    store.batchUpdate { $0.mapValue(&lister) }
    #expect(store.name == "changed")
  }

  @Test func `undo by assigning an old item saves what differs`() {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    store.name = "a"
    let old = store.item
    store.name = "b"
    store.item = old
    #expect(store.name == "a")
    #expect(backend.document?["name"] == .string("a"))
    store.item = old
    #expect(backend.saves == 3)
  }
}

/// Items inside items.
struct NestedItemTests {
  struct Position: StoreItem {
    @StoreParam(key: "x", default: 0) var x
    @StoreParam(key: "y", default: 0) var y
  }
  struct Desktop: StoreItem {
    @StoreParam(key: "main", default: Position()) var main
    @StoreParam(key: "others", default: []) var others: [Position]
    @StoreParam(key: "named", default: [:]) var named: [String: Position]
  }

  static let stored: StoreDocument = [
    "main": .dictionary(["future": .integer(1), "x": .integer(2), "y": .string("high")]),
    "others": .array([
      .dictionary(["x": .integer(1), "tag": .string("a")]),
      .dictionary(["x": .integer(2), "tag": .string("b")]),
    ]),
    "named": .dictionary([
      "z": .dictionary(["x": .integer(1), "tag": .string("z")]),
      "a": .dictionary(["x": .integer(2), "tag": .string("a")]),
    ]),
  ]

  @Test(arguments: BackendKind.allCases)
  func `a nested field is changed by key path, and nothing beside it is lost`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(Self.stored)
    let store = SimpleStore<Desktop>(place.backend)
    #expect(store[\.main.x] == 2)
    #expect(store[\.main.y] == 0)
    store[\.main.x] = 300
    #expect(
      try place.stored()?["main"]
        == .dictionary(["future": .integer(1), "x": .integer(300), "y": .string("high")]))
    store[\.main.y] = 7
    #expect(
      try place.stored()?["main"]
        == .dictionary(["future": .integer(1), "x": .integer(300), "y": .integer(7)]))
  }

  @Test(arguments: BackendKind.allCases)
  func `items in lists and dictionaries keep the keys that they do not know`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(Self.stored)
    let store = SimpleStore<Desktop>(place.backend)
    store[\.others][0].x = 5
    #expect(
      try place.stored()?["others"]
        == .array([
          .dictionary(["x": .integer(5), "tag": .string("a"), "y": .integer(0)]),
          .dictionary(["x": .integer(2), "tag": .string("b"), "y": .integer(0)]),
        ]))
    store[\.others].removeFirst()
    #expect(
      try place.stored()?["others"]
        == .array([.dictionary(["x": .integer(2), "tag": .string("b"), "y": .integer(0)])]))
    store[\.named]["b"] = Position()
    let named = try #require(try place.stored()?["named"])
    guard case .dictionary(let entries) = named else {
      Issue.record("\(named)")
      return
    }
    #expect(entries.keys == ["z", "a", "b"])
    #expect(
      entries["z"]
        == .dictionary(["x": .integer(1), "tag": .string("z"), "y": .integer(0)]))
  }
}
