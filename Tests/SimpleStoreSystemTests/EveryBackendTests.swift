import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// Whatever was stored reads back equal, on every backend, from a store that knows nothing yet.
struct EveryBackendTests {
  @Test(arguments: EveryBackend.allCases, EveryType.cases.map(\.name))
  func `every value of every type reads back equal`(
    _ kind: EveryBackend, _ name: String
  ) throws {
    let edit = try #require(EveryType.cases.first { $0.name == name }).edit
    let backend = kind.place()
    var expected = EveryType()
    do {
      let store = SimpleStore<EveryType>(backend())
      try store.update { edit(&$0) }
      expected = store.item
      #expect(store.loadReport.wrongTypes == [])
    }
    let fresh = SimpleStore<EveryType>(backend())
    #expect(fresh.loadReport.wrongTypes == [])
    #expect(fresh.loadReport.nestedWrongTypes == [])
    #expect(fresh.loadReport.unknownKeys == [])
    // The stored form compares doubles by their bits and text by its bytes.
    #expect(fresh.item.storeValue == expected.storeValue)
    #expect(fresh.decimal == expected.decimal || expected.decimal.isNaN)
    #expect(fresh.duration == expected.duration)
    #expect(fresh.byVersion == expected.byVersion)
    #expect(fresh.optionalCodable == expected.optionalCodable)
  }
}
