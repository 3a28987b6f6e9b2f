import SimpleStore
import TestSupport
import Testing

/// A declaration that would lose settings ends the program, with all that is wrong with it.
struct DeclarationTests {
  struct NoFields: StoreItem { var plain = 1 }

  struct Faulty: StoreItem {
    @StoreParam(key: "same", default: 1) var one
    @StoreParam(key: "same", default: 2) var two
    @StoreParam(key: "", default: 3) var three
  }

  final class Reference: StoreItem, @unchecked Sendable {
    @StoreParam(key: "name", default: "") var name
    init() {}
    convenience init?(storeValue: StoreValue) { return nil }
    var storeValue: StoreValue { .null }
    func mapValue(_ mapper: inout some DictMapper) {}
  }

  struct Outer: StoreItem {
    @StoreParam(key: "inner", default: Faulty()) var inner
  }

  struct OptionalDeclaration: StoreItem {
    @StoreParam(key: "name", default: "") var name
    /// Not a field: it may be nil, and then there is nothing at its place.
    var extra: StoreParam<Int>? = StoreParam(key: "extra", default: 7)
  }

  @Test(arguments: BackendKind.allCases)
  func `a declaration in an optional is a plain property`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<OptionalDeclaration>(place.backend)
    store.extra = nil
    store.name = "a"
    store.item = OptionalDeclaration()
    store.extra = nil
    store.name = "b"
    #expect(try place.stored()?.keys == ["name"])
    #expect(store.extra?.key == nil)
  }

  @Test func `two keys that are equal, and an empty one, are all reported`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimpleStore<Faulty>(.memory)
      })
    let output = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("The key \"same\" is used by more than one field (one, two)."))
    #expect(output.contains("The key of 'three' is empty."))
  }

  @Test func `a class and an item without fields are refused`() async throws {
    let noFields = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimpleStore<NoFields>(.memory)
      })
    #expect(
      String(decoding: noFields.standardErrorContent, as: UTF8.self)
        .contains("It has no stored field."))
    let reference = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimpleStore<Reference>(.memory)
      })
    #expect(
      String(decoding: reference.standardErrorContent, as: UTF8.self).contains("It is a class."))
  }

  @Test func `the declaration of a nested item is looked at too`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimpleStore<Outer>(.memory)
      })
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("In 'inner': The key \"same\""))
  }
}
