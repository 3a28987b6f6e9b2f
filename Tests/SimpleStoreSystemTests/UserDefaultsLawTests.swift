import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// `UserDefaults` keeps the laws of a backend, and every value.
struct UserDefaultsLawTests {
  private func laws(_ kind: DefaultsKind) -> BackendLaws {
    let place = DefaultsPlace()
    return BackendLaws { kind.backend(place) }
  }

  @Test(arguments: DefaultsKind.allCases)
  func `nothing saved loads as nil, and loading changes nothing`(_ kind: DefaultsKind) {
    let laws = laws(kind)
    #expect(laws.nothingLoadsAsNil() == [])
    #expect(laws.loadingChangesNothing() == [])
    #expect(laws.nothingLoadsAsNil() == [])
  }

  @Test(arguments: DefaultsKind.allCases)
  func `what was saved loads equal`(_ kind: DefaultsKind) {
    #expect(laws(kind).savedLoadsEqual() == [])
  }

  @Test(arguments: DefaultsKind.allCases)
  func `a save that throws leaves the last document`(_ kind: DefaultsKind) {
    #expect(laws(kind).failedSaveKeepsTheLast() == [])
  }

  @Test(arguments: DefaultsKind.allCases)
  func `readers see whole documents while another thread saves`(_ kind: DefaultsKind) async {
    #expect(await laws(kind).readersSeeWholeDocuments() == [])
  }

  @Test(arguments: DefaultsKind.allCases, Everything.edits.map(\.name))
  func `every value reads back equal`(_ kind: DefaultsKind, _ name: String) throws {
    let edit = try #require(Everything.edits.first { $0.name == name }).edit
    let place = DefaultsPlace()
    var expected = Everything()
    do {
      let store = SimpleStore<Everything>(kind.backend(place))
      try store.update { edit(&$0) }
      expected = store.item
    }
    let fresh = SimpleStore<Everything>(kind.backend(place))
    #expect(fresh.loadReport.wrongTypes == [])
    #expect(fresh.loadReport.unknownKeys == [])
    #expect(fresh.item.storeValue == expected.storeValue)
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `random documents read back equal in the suite's dictionary`(_ seed: UInt64) throws {
    let place = DefaultsPlace()
    // Dates with a fraction come back as the number that a field of type Date takes for one.
    var random = RandomDocument(
      seed: seed, kinds: RandomDocument.Kind.allCases.filter { $0 != .date })
    for _ in 0..<40 {
      let document = random.next()
      try DefaultsKind.oneDictionary.backend(place).save(document)
      #expect(try DefaultsKind.oneDictionary.backend(place).load() == document)
    }
  }

  @Test(arguments: DefaultsKind.allCases)
  func `true, 1 and 1.0 stay three things, for the store and for plain code`(
    _ kind: DefaultsKind
  ) throws {
    struct Three: StoreItem {
      @StoreParam(key: "bool", default: false) var bool
      @StoreParam(key: "int", default: 0) var int
      @StoreParam(key: "double", default: 0) var double: Double
    }
    let place = DefaultsPlace()
    let document: StoreDocument = ["bool": .bool(true), "int": .integer(1), "double": .double(1)]
    try SimpleStore<Three>(kind.backend(place)).update {
      $0.bool = true
      $0.int = 1
      $0.double = 1
    }
    #expect(try kind.backend(place).load() == document)
    let plain = kind.defaults(place)
    #expect(plain["bool"] as? Bool == true)
    #expect(plain["int"] as? Int == 1)
    #expect(plain["double"] as? Double == 1)
    if kind == .oneDefaultPerKey {
      #expect(place.plain.bool(forKey: "bool"))
      #expect(place.plain.integer(forKey: "int") == 1)
      #expect(place.plain.double(forKey: "double") == 1)
    }
  }

  @Test(arguments: DefaultsKind.allCases)
  func `a nil is no null in the suite, and comes back nil`(_ kind: DefaultsKind) throws {
    let place = DefaultsPlace()
    let store = SimpleStore<User>(kind.backend(place), defaults: .omitted)
    store.nickname = "a"
    store.nickname = nil
    #expect(store.saveError == nil)
    #expect(kind.defaults(place)["nickname"] == nil)
    #expect(SimpleStore<User>(kind.backend(place)).nickname == nil)
  }
}
