import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// I101: what is stored in a shape that the program does not know goes when it is told to.
struct WrongShapeTests {
  struct Tokens: StoreItem {
    @StoreParam(key: "token") var token: String?
    @StoreParam(key: "name", default: "") var name
  }
  static let shapes: [StoreValue] = [
    .integer(5), .bool(true), .data(Data([0xFF])), .array([.string("sesame")]),
    .dictionary(["value": .string("sesame")]),
  ]

  enum Removal: CaseIterable, Sendable {
    case set, assignment, batch, resetField, reset, newItem

    func apply(to store: SimpleStore<Tokens>) throws {
      switch self {
      case .set: try store.set(\.token, to: nil)
      case .assignment: store.token = nil
      case .batch: try store.update { $0.token = nil }
      case .resetField: store.reset(\.$token)
      case .reset: store.reset()
      case .newItem: store.item = Tokens()
      }
    }
  }

  @Test(arguments: EveryBackend.allCases, Removal.allCases)
  func `a value of the wrong shape goes when its field is set to nil or reset`(
    _ kind: EveryBackend, _ removal: Removal
  ) throws {
    // Data is text in JSON, and so a token.
    let shapes = Self.shapes.filter { value in
      if case .data = value { kind != .json && kind != .protectedFile } else { true }
    }
    for shape in shapes {
      let backend = try kind.place()
      try backend().save(["token": shape, "name": .string("a"), "other": .integer(1)])
      let store = SimpleStore<Tokens>(backend())
      #expect(store.loadReport.wrongTypes.map(\.key) == ["token"])
      #expect(store.token == nil)
      try removal.apply(to: store)
      #expect(store.saveError == nil)
      #expect(store.loadReport.wrongTypes == [])
      let stored = try #require(try backend().load())
      #expect(stored.keys.filter { $0 != "name" } == ["other"])
      #expect(SimpleStore<Tokens>(backend()).loadReport.wrongTypes == [])
    }
  }

  struct PlainTokens: CodableStoreItem {
    enum Kind: String, Codable { case access, refresh }
    struct Part: Codable { var id = 0 }
    var token: String?
    var kind = Kind.access
    var count = 0
    var parts: [Int] = []
    var limits = Part()
    var name = ""
  }
  static let plain: StoreDocument = [
    "token": .integer(5), "kind": .array([]), "count": .string("sesame"),
    "parts": .dictionary([:]), "limits": .dictionary(["id": .bool(true)]), "name": .string("a"),
    "other": .integer(1),
  ]

  @Test(arguments: EveryBackend.allCases)
  func `a field of a Codable item that is set to what it has removes a wrong shape, too`(
    _ kind: EveryBackend
  ) throws {
    let backend = try kind.place()
    try backend().save(Self.plain)
    let store = SimpleStore<PlainTokens>(backend())
    var wrong = ["token", "kind", "count", "parts", "limits"]
    #expect(store.loadReport.wrongTypes.map(\.key) == wrong)
    // What is set to what it has, and fits, says nothing about the others.
    try store.set(\.name, to: "a")
    #expect(try backend().load() == Self.plain)

    func check(_ key: String, _ value: StoreValue?) throws {
      #expect(store.saveError == nil)
      #expect(try backend().load()?[key] == value)
      wrong.removeAll { $0 == key }
      #expect(store.loadReport.wrongTypes.map(\.key) == wrong)
      for key in wrong { #expect(try backend().load()?[key] == Self.plain[key]) }
    }
    try store.set(\.token, to: nil)
    try check("token", nil)
    store.count = 0
    try check("count", .integer(0))
    store[\.limits.id] = 0
    try check("limits", .dictionary(["id": .integer(0)]))
    store.reset(\.parts)
    try check("parts", .array([]))
    // A type of which no other value can be found goes with the whole item.
    store.item = store.item
    try check("kind", .string("access"))
    #expect(try backend().load()?["other"] == .integer(1))
  }

  @Test(arguments: EveryBackend.allCases, [true, false])
  func `a Codable item that is reset, or set as a whole, removes all wrong shapes`(
    _ kind: EveryBackend, _ isReset: Bool
  ) throws {
    let backend = try kind.place()
    try backend().save(Self.plain)
    let store = SimpleStore<PlainTokens>(backend())
    if isReset { store.reset() } else { try store.set(\.self, to: PlainTokens()) }
    #expect(store.saveError == nil)
    let fresh = SimpleStore<PlainTokens>(backend())
    #expect(fresh.loadReport.wrongTypes == [])
    #expect(fresh.loadReport.unknownKeys == ["other"])
    #expect(try backend().load()?["token"] == nil)
  }

  struct Vault: StoreItem {
    @StoreParam(key: "first", default: Tokens()) var first
    @StoreParam(key: "more", default: []) var more: [Tokens]
    @StoreParam(key: "maybe") var maybe: Tokens?
    @StoreParam(key: "named", default: [:]) var named: [String: Tokens]
    @StoreParam(key: "count", default: 0) var count
  }
  static let part: StoreValue = .dictionary([
    "token": .integer(5), "name": .string("a"), "other": .integer(1),
  ])
  static let vault: StoreDocument = [
    "first": part, "more": .array([part, part]), "maybe": part,
    "named": .dictionary(["x": part, "y": part]), "count": .integer(1),
  ]
  /// Ways to set a token inside, and where the old one is gone then.
  static let nested:
    [(name: String, isGone: [String], edit: @Sendable (SimpleStore<Vault>) -> Void)] = [
      ("something else", [], { $0[\.first.name] = "b" }),
      ("something beside", [], { $0[\.count] = 2 }),
      ("the same item", [], { $0[\.first] = $0[\.first] }),
      ("in an item", ["first.token"], { $0[\.first.token] = nil }),
      ("in a batch", ["first.token"], { $0.batchUpdate { $0.first.token = nil } }),
      ("by a reset", ["first.token"], { $0.reset(\.first.token) }),
      ("a new item", ["first.token"], { $0.first = Tokens() }),
      ("in a list", ["more[1].token"], { $0[\.more][1].token = nil }),
      ("moved in the list", [], { $0[\.more].swapAt(0, 1) }),
      ("in an optional", ["maybe.token"], { $0[\.maybe]?.token = nil }),
      ("in a dictionary", ["named.y.token"], { $0[\.named]["y"]?.token = nil }),
      (
        "everywhere",
        ["first.token", "more[0].token", "more[1].token", "maybe.token", "named.x.token"],
        { store in
          store.batchUpdate {
            $0.first.token = nil
            for position in $0.more.indices { $0.more[position].token = nil }
            $0.maybe?.token = nil
            $0.named["x"]?.token = nil
          }
        }
      ),
    ]

  @Test(arguments: EveryBackend.allCases)
  func `a wrong shape in an item inside goes when its field is set, and only then`(
    _ kind: EveryBackend
  ) throws {
    for (name, isGone, edit) in Self.nested {
      let backend = try kind.place()
      try backend().save(Self.vault)
      let store = SimpleStore<Vault>(backend())
      let paths = store.loadReport.nestedWrongTypes.map(\.path)
      #expect(paths.count == 6)
      edit(store)
      #expect(store.saveError == nil, "\(name)")
      let left = paths.filter { !isGone.contains($0) }
      #expect(Set(store.loadReport.nestedWrongTypes.map(\.path)) == Set(left), "\(name)")
      let fresh = SimpleStore<Vault>(backend())
      #expect(fresh.loadReport.nestedWrongTypes.map(\.path) == left, "\(name)")
      // What the items do not know is there as before.
      guard case .dictionary(let first)? = try backend().load()?["first"] else {
        Issue.record("\(name)")
        return
      }
      #expect(first["other"] == .integer(1), "\(name)")
      // Once more, with the same: nothing to save.
      let before = try backend().load()
      if name != "moved in the list" { edit(store) }
      #expect(try backend().load() == before, "\(name)")
    }
  }
}
