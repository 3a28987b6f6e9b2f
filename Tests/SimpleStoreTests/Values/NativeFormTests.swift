import Foundation
import SimpleStore
import TestSupport
import Testing

/// Values are stored as what the format has for them, so that other tools can read them.
struct NativeFormTests {
  struct Part: StoreCodable {
    var tags = ["a"]
    var at = Date(timeIntervalSinceReferenceDate: 60)
  }
  struct Values: StoreItem {
    @StoreParam(key: "on", default: true) var on
    @StoreParam(key: "count", default: 3) var count
    @StoreParam(key: "ratio", default: 0.5) var ratio
    @StoreParam(key: "text", default: "t") var text
    @StoreParam(key: "texts", default: ["a", "b"]) var texts
    @StoreParam(key: "set", default: [2, 1]) var set: Set<Int>
    @StoreParam(key: "data", default: Data([1, 2])) var data
    @StoreParam(key: "date", default: Date(timeIntervalSinceReferenceDate: 60)) var date
    @StoreParam(key: "by number", default: [1: "x"]) var byNumber
    @StoreParam(key: "decimal", default: 1.5) var decimal: Decimal
    @StoreParam(key: "duration", default: .seconds(90)) var duration: Duration
    @StoreParam(key: "range", default: 0..<5) var range
    @StoreParam(key: "gender", default: Gender.male) var gender
    @StoreParam(key: "part", default: Part()) var part
  }

  @Test(arguments: [BackendKind.xmlPropertyList, .binaryPropertyList])
  func `a property list has them as Foundation's types`(_ kind: BackendKind) throws {
    let place = kind.place()
    try SimpleStore<Values>(place.backend).save()
    let root = try #require(
      PropertyListSerialization.propertyList(from: Data(place.file.bytes), format: nil)
        as? [String: Any])
    let date = Date(timeIntervalSinceReferenceDate: 60)
    #expect(root["on"] as? Bool == true)
    #expect(root["count"] as? Int == 3)
    #expect(root["ratio"] as? Double == 0.5)
    #expect(root["text"] as? String == "t")
    #expect(root["texts"] as? [String] == ["a", "b"])
    #expect(root["set"] as? [Int] == [1, 2])
    #expect(root["data"] as? Data == Data([1, 2]))
    #expect(root["date"] as? Date == date)
    #expect(root["by number"] as? [String: String] == ["1": "x"])
    #expect(root["decimal"] as? Double == 1.5)
    #expect(root["duration"] as? Int == 90)
    #expect(root["range"] as? [String: Int] == ["from": 0, "upTo": 5])
    #expect(root["gender"] as? Int == 1)
    let part = try #require(root["part"] as? [String: Any])
    #expect(part["tags"] as? [String] == ["a"])
    #expect(part["at"] as? Date == date)
  }

  @Test func `JSON has them as numbers, texts, lists and objects`() throws {
    let place = BackendKind.json.place()
    try SimpleStore<Values>(place.backend).save()
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(place.file.bytes)) as? [String: Any])
    #expect(root["on"] as? Bool == true)
    #expect(root["count"] as? Int == 3)
    #expect(root["ratio"] as? Double == 0.5)
    #expect(root["texts"] as? [String] == ["a", "b"])
    #expect(root["set"] as? [Int] == [1, 2])
    #expect(root["data"] as? String == "AQI=")
    #expect(root["date"] as? String == "2001-01-01T00:01:00Z")
    #expect(root["by number"] as? [String: String] == ["1": "x"])
    #expect(root["decimal"] as? Double == 1.5)
    #expect(root["duration"] as? Int == 90)
    #expect(root["range"] as? [String: Int] == ["from": 0, "upTo": 5])
    #expect((root["part"] as? [String: Any])?["at"] as? String == "2001-01-01T00:01:00Z")
  }
}
