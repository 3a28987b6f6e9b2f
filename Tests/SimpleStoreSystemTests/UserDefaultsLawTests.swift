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

  struct Wide: StoreItem {
    @StoreParam(key: "wide", default: 0) var wide: Int128
    @StoreParam(key: "long", default: 0) var long: Decimal
    @StoreParam(key: "name", default: "") var name
  }

  @Test(arguments: DefaultsKind.allCases)
  func `a number beyond 64 bits does not take the suite away from plain code`(
    _ kind: DefaultsKind
  ) throws {
    let place = DefaultsPlace()
    let long = try #require(Decimal(string: "12345678901234567890.123456789"))
    for wide in [Int128.max, .min, Int128(Int64.min) - 1, Int128(UInt64.max) + 1] {
      try SimpleStore<Wide>(kind.backend(place)).update {
        $0.wide = wide
        $0.long = long
        $0.name = "a"
      }
      #expect(kind.defaults(place)["name"] as? String == "a")
      // Plain code writes the whole file anew, and keeps what it cannot use.
      let plain = place.plain
      plain.set("\(wide)", forKey: "other")
      #expect(plain.synchronize())
      let fresh = SimpleStore<Wide>(kind.backend(place))
      #expect(fresh.wide == wide)
      #expect(fresh.long == long)
      #expect(place.plain.string(forKey: "other") == "\(wide)")
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
