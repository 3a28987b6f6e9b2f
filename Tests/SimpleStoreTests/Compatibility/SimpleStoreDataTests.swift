import Foundation
import SimpleStore
import TestSupport
import Testing

/// Files with what SimpleStoreData wrote: one dictionary, the keys of its `UDMapperParam`s, enums as
/// raw values, dates and data natively, nested items as dictionaries.
struct SimpleStoreDataTests {
  struct Position: StoreItem {
    @StoreParam(key: "x", default: 0) var x: Double
  }
  struct Member: StoreItem {
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "age", default: 0) var age
    @StoreParam(key: "gender", default: Gender.unknown) var gender
    @StoreParam(key: "birthday", default: .distantPast) var birthday: Date
    @StoreParam(key: "portrait", default: Data()) var portrait
    @StoreParam(key: "isMember", default: false) var isMember
    @StoreParam(key: "scores", default: []) var scores: [Double]
    @StoreParam(key: "position", default: Position()) var position
  }

  static func stored() -> [String: Any] {
    [
      "name": "sky", "age": 81, "gender": 2, "isMember": true, "scores": [1, 2.5] as [Double],
      "birthday": Date(timeIntervalSinceReferenceDate: 60), "portrait": Data([1, 2]),
      "position": ["x": 1.5], "old": "kept",
    ]
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `its dictionary is read, and what is not a field stays`(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("member.plist")
    try PropertyListSerialization.data(fromPropertyList: Self.stored(), format: format, options: 0)
      .write(to: file)
    let store = SimpleStore<Member>(.plist(at: file))
    #expect(store.loadReport.wrongTypes == [])
    #expect(store.name == "sky")
    #expect(store.age == 81)
    #expect(store.gender == .female)
    #expect(store.isMember)
    #expect(store.scores == [1, 2.5])
    #expect(store.birthday == Date(timeIntervalSinceReferenceDate: 60))
    #expect(store.portrait == Data([1, 2]))
    #expect(store[\.position.x] == 1.5)
    #expect(store.loadReport.unknownKeys == ["old"])
    store.age += 1
    let root = try #require(
      PropertyListSerialization.propertyList(from: Data(file.bytes), format: nil)
        as? [String: Any])
    #expect(root["old"] as? String == "kept")
    #expect(root["age"] as? Int == 82)
    #expect(root["gender"] as? Int == 2)
  }
}
