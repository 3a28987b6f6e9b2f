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
    let backend = try kind.place()
    var expected = EveryType()
    do {
      let store = SimpleStore<EveryType>(backend())
      try store.save()
      do {
        try store.update { edit(&$0) }
      } catch {
        // A secret holds little. What does not fit is refused, and what was there stays.
        var refused = EveryType()
        edit(&refused)
        try #require(try kind.isSmall && refused.document.isLarge, "\(error)")
        #expect(error.code == .invalidValue)
        #expect(try backend().load()?["string"] == .string("x"))
        return
      }
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

  @Test func `of what is tried, only the long text and the long key are refused as secrets`() throws
  {
    let refused = try EveryType.cases.filter { _, edit in
      var item = EveryType()
      edit(&item)
      return try item.document.isLarge
    }
    #expect(refused.map(\.name) == ["a long text", "a long key"])
  }
}

extension StoreItem {
  fileprivate var document: StoreDocument {
    if case .dictionary(let document) = storeValue { document } else { StoreDocument() }
  }
}
