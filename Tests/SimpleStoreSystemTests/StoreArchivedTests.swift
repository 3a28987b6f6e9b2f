import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// Objects of keyed archives as fields.
struct StoreArchivedTests {
  struct Window: StoreItem {
    @StoreParam(key: "home") var home: StoreArchived<NSURL>?
    @StoreParam(key: "selection") var selection: StoreArchived<NSIndexSet>?
    @StoreParam(key: "list") var list: StoreArchived<NSArray>?
  }

  private static func filled() throws -> Window {
    var window = Window()
    window.home = try StoreArchived(#require(NSURL(string: "https://example.test/a")))
    window.selection = try StoreArchived(NSIndexSet(indexesIn: NSRange(location: 3, length: 4)))
    window.list = try StoreArchived(
      ["a", NSNumber(value: 3), ["k": "v"] as NSDictionary] as NSArray)
    return window
  }

  @Test func `objects come back equal from every backend`() throws {
    let window = try Self.filled()
    for kind in BackendKind.allCases {
      let place = kind.place()
      do { try SimpleStore<Window>(place.backend).set(\.self, to: window) }
      let fresh = SimpleStore<Window>(place.backend)
      #expect(fresh.loadReport.wrongTypes == [])
      #expect(try fresh.home?.object == NSURL(string: "https://example.test/a"))
      #expect(try fresh.selection?.object == NSIndexSet(indexesIn: NSRange(location: 3, length: 4)))
      #expect(try fresh.list?.object.count == 3)
      #expect(fresh.item.storeValue == window.storeValue)
    }
  }

  @Test func `each reading makes an object of its own`() throws {
    let value = try #require(try Self.filled().list)
    #expect(try value.object !== value.object)
  }

  @Test func `no damage traps, and none is taken for an object`() throws {
    for value in [try Self.filled().list?.storeValue, try Self.filled().home?.storeValue] {
      guard case .data(let sealed)? = value else {
        Issue.record("not data")
        return
      }
      for position in sealed.indices {
        for change: UInt8 in [1, 16, 128, 255] {
          var damaged = sealed
          damaged[position] ^= change
          #expect(StoreArchived<NSArray>(storeValue: .data(damaged)) == nil)
          #expect(StoreArchived<NSURL>(storeValue: .data(damaged)) == nil)
        }
        #expect(StoreArchived<NSArray>(storeValue: .data(sealed.prefix(position))) == nil)
      }
    }
  }

  @Test func `an archive of another class is of the wrong type`() throws {
    let value = try #require(try Self.filled().selection).storeValue
    #expect(StoreArchived<NSIndexSet>(storeValue: value) != nil)
    #expect(StoreArchived<NSURL>(storeValue: value) == nil)
    let list = try #require(try Self.filled().list).storeValue
    #expect(StoreArchived<NSURL>(storeValue: list) == nil)
  }

  @Test func `an object with another class inside is refused when it is archived`() throws {
    let list = [try #require(NSURL(string: "https://example.test"))] as NSArray
    let error = #expect(throws: StoreError.self) { try StoreArchived(list) }
    #expect(error?.code == .invalidValue)
  }

  @Test func `simple objects, nested lists and subclasses come back equal`() throws {
    func same<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Bool {
      let value = try StoreArchived(object).storeValue
      return try StoreArchived<Object>(storeValue: value)?.object == object
    }
    #expect(try same(NSUUID()))
    #expect(try same(NSDate(timeIntervalSinceReferenceDate: 0.1)))
    #expect(try same(NSString(string: "a\u{1}\u{e9}")))
    #expect(try same(NSNumber(value: 1.5)))
    #expect(try same(NSData(data: Data([0, 1]))))
    #expect(try same([["a": [1, 2]], "b"] as NSArray))
    #expect(try same(NSMutableArray(array: ["a"]) as NSArray))
    #expect(try same(NSIndexPath(index: 2)))
  }

  @Test func `what is no sealed archive is of the wrong type`() throws {
    let plain = try NSKeyedArchiver.archivedData(
      withRootObject: NSUUID(), requiringSecureCoding: true)
    for value: StoreValue in [
      .data(plain), .data(Data()), .data(Data("SSArchv1".utf8)), .string("x"), .null, .bool(true),
    ] {
      #expect(StoreArchived<NSUUID>(storeValue: value) == nil)
    }
  }

  @Test func `a damaged archive in a file costs its field only, and stays`() throws {
    let place = BackendKind.json.place()
    var document = StoreDocument()
    let window = try Self.filled()
    guard case .data(var damaged)? = window.home?.storeValue else { return }
    damaged[damaged.count / 2] ^= 1
    document["home"] = .data(damaged)
    document["selection"] = window.selection?.storeValue
    try place.put(document)
    let store = SimpleStore<Window>(place.backend)
    #expect(store.home == nil)
    #expect(store.selection != nil)
    #expect(store.loadReport.wrongTypes.map(\.key) == ["home"])
    store.selection = nil
    #expect(try place.stored()?["home"] == .string(damaged.base64EncodedString()))
  }
}
