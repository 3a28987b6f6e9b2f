import Foundation
import SimpleStore
import TestSupport
import Testing

/// What the load report says of values that people have typed into a file.
struct WrongValueTests {
  enum Theme: String, StoreConvertible, CaseIterable { case light, dark }
  enum Level: Int, StoreConvertible { case low, high }

  struct Settings: StoreItem {
    @StoreParam(key: "theme", default: .light) var theme: Theme
    @StoreParam(key: "level", default: .low) var level: Level
    @StoreParam(key: "since", default: .distantPast) var since: Date
    @StoreParam(key: "small", default: 0) var small: UInt8
    @StoreParam(key: "whole", default: 0) var whole: Int
    @StoreParam(key: "ratio", default: 0) var ratio: Double
    @StoreParam(key: "link") var link: URL?
    @StoreParam(key: "id", default: UUID()) var id: UUID
    @StoreParam(key: "data", default: Data()) var data: Data
    @StoreParam(key: "sign", default: "a") var sign: Character
    @StoreParam(key: "themes", default: []) var themes: [Theme]
    @StoreParam(key: "sizes", default: []) var sizes: Set<Int>
    @StoreParam(key: "marks", default: [:]) var marks: [String: UInt8]
    @StoreParam(key: "numbered", default: [:]) var numbered: [Int: String]
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let json: String
    let problem: String
    var testDescription: String { json }
  }

  static let rows = [
    Row(json: #""theme": "Dark""#, problem: #""Dark" is none of light, dark"#),
    Row(json: #""theme": 3"#, problem: "should be Theme and is integer"),
    Row(json: #""level": 7"#, problem: "7 is none of the values of Level"),
    Row(
      json: #""since": "2026-01-02""#,
      problem: #""2026-01-02" is no date: one is written 2026-11-30T04:40:49Z"#),
    Row(json: #""since": true"#, problem: "should be Date and is bool"),
    Row(json: #""small": 300"#, problem: "300 is not in 0...255"),
    Row(json: #""whole": 1.5"#, problem: "1.5 is not a whole number"),
    Row(
      json: #""whole": 99999999999999999999"#,
      problem: "99999999999999999999 is not in -9223372036854775808...9223372036854775807"),
    Row(json: #""whole": "12""#, problem: "should be Int and is string"),
    Row(json: #""ratio": 1e999"#, problem: "1e999 is not exactly a Double"),
    Row(json: #""ratio": "much""#, problem: #""much" is no number"#),
    Row(json: #""link": """#, problem: #""" is no URL"#),
    Row(
      json: #""id": "abc""#,
      problem: #""abc" is no UUID: one is written 6F9619FF-8B86-4011-B42D-00CF4FC964FF"#),
    Row(json: #""data": "~""#, problem: #""~" is no Base64"#),
    Row(json: #""sign": "ab""#, problem: #""ab" is not one character"#),
    Row(
      json: #""themes": ["light", "drak"]"#, problem: #"at [1], "drak" is none of light, dark"#),
    Row(json: #""themes": "light""#, problem: "should be Array<Theme> and is string"),
    Row(json: #""sizes": [1, "2"]"#, problem: "at [1], what should be Int is string"),
    Row(json: #""marks": {"a": 1, "b": 256}"#, problem: "at .b, 256 is not in 0...255"),
    Row(json: #""numbered": {"x": "a"}"#, problem: "one of its keys is not one of this type"),
  ]

  @Test(arguments: rows)
  func `the load report says what is wrong with a value, and what would be right`(
    _ row: Row
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    try file.write("{\(row.json)}")
    let store = SimpleStore<Settings>(.json(at: file))
    let wrong = try #require(store.loadReport.wrongTypes.first)
    #expect("\(wrong)".contains(row.problem), "\(wrong)")
  }

  @Test func `a long text is not repeated whole`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    try file.write(#"{"theme": "\#(String(repeating: "x", count: 1000))"}"#)
    let store = SimpleStore<Settings>(.json(at: file))
    #expect(try #require(store.loadReport.wrongTypes.first).description.count < 200)
  }
}
