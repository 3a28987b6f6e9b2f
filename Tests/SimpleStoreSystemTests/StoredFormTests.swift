import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// The table of StoredTypes.md, row by row: what each type is in a file, as the text of the file and
/// as other readers see it.
struct StoredFormTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let value: any StoreConvertible
    /// The text in a JSON file and in an XML property list.
    let json: String
    let xml: String
    /// What `repr` of Python says of the value in a binary property list.
    let binary: String
    /// What Foundation spells as XML of the value that plain `UserDefaults` code reads.
    let defaults: String
    var testDescription: String { name }

    /// - Parameter defaults: nil when it is as in an XML property list.
    init(
      _ name: String, _ value: any StoreConvertible, json: String, xml: String, binary: String,
      defaults: String? = nil
    ) {
      self.name = name
      self.value = value
      self.json = json
      self.xml = xml
      self.binary = binary
      self.defaults = defaults ?? xml
    }
  }

  enum Mood: String, StoreConvertible, StoreKey { case calm, wild }
  struct Item: StoreItem { @StoreParam(key: "x", default: 1) var x }
  struct Plain: CodableStoreItem { var x = 1 }
  enum Shape: StoreCodable { case circle(radius: Double) }

  static let day = Date(timeIntervalSinceReferenceDate: 60)
  static let rows: [Row] = [
    Row(
      "Bool", true, json: "true",
      xml: "<true/>",
      binary: "True"),
    Row(
      "Int", 3, json: "3",
      xml: "<integer>3</integer>",
      binary: "3"),
    Row(
      "UInt64", UInt64.max, json: "18446744073709551615",
      xml: "<integer>18446744073709551615</integer>",
      binary: "18446744073709551615"),
    Row(
      "Int128", Int128.max, json: "170141183460469231731687303715884105727",
      xml: "<integer>170141183460469231731687303715884105727</integer>",
      binary: "170141183460469231731687303715884105727",
      defaults:
        "<dict><key>$number</key><string>170141183460469231731687303715884105727</string></dict>"),
    Row(
      "Double", 0.5, json: "0.5",
      xml: "<real>0.5</real>",
      binary: "0.5"),
    Row(
      "whole Double", 3.0, json: "3.0",
      xml: "<real>3.0</real>",
      binary: "3.0",
      defaults: "<real>3</real>"),
    Row(
      "NaN", Double.nan, json: #""NaN""#,
      xml: "<real>nan</real>",
      binary: "nan"),
    Row(
      "infinity", Double.infinity, json: #""Infinity""#,
      xml: "<real>+infinity</real>",
      binary: "inf"),
    Row(
      "Float", Float(0.5), json: "0.5",
      xml: "<real>0.5</real>",
      binary: "0.5"),
    Row(
      "whole Decimal", Decimal(7), json: "7",
      xml: "<integer>7</integer>",
      binary: "7"),
    Row(
      "Decimal", Decimal(string: "1.5") ?? 0, json: "1.5",
      xml: "<real>1.5</real>",
      binary: "1.5"),
    Row(
      "Decimal of one tenth", Decimal(string: "0.1") ?? 0, json: "0.1",
      xml: "<real>0.1</real>",
      binary: "0.1",
      defaults: "<real>0.10000000000000001</real>"),
    Row(
      "long Decimal", Decimal(string: "12345678901234567890.123456789") ?? 0,
      json: "12345678901234567890.123456789",
      xml: "<real>12345678901234567890.123456789</real>",
      binary: "{'$number': '12345678901234567890.123456789'}",
      defaults: "<dict><key>$number</key><string>12345678901234567890.123456789</string></dict>"),
    Row(
      "whole Duration", Duration.seconds(90), json: "90",
      xml: "<integer>90</integer>",
      binary: "90"),
    Row(
      "Duration", Duration.milliseconds(1500), json: "1.5",
      xml: "<real>1.5</real>",
      binary: "1.5"),
    Row(
      "long Duration", Duration(secondsComponent: 1, attosecondsComponent: 1),
      json: "1.000000000000000001",
      xml: "<real>1.000000000000000001</real>",
      binary: "{'$number': '1.000000000000000001'}",
      defaults: "<dict><key>$number</key><string>1.000000000000000001</string></dict>"),
    Row(
      "String", "a<é", json: #""a<é""#,
      xml: "<string>a&lt;é</string>",
      binary: #"'a<\xe9'"#),
    Row(
      "String with controls", "\u{1}", json: #""\u0001""#,
      xml: "<dict><key>$string</key><data>AQ==</data></dict>",
      binary: #"'\x01'"#),
    Row(
      "Character", Character("é"), json: #""é""#,
      xml: "<string>é</string>",
      binary: #"'\xe9'"#),
    Row(
      "Data", Data([1, 2]), json: #""AQI=""#,
      xml: "<data>AQI=</data>",
      binary: #"b'\x01\x02'"#),
    Row(
      "Date", day, json: #""2001-01-01T00:01:00Z""#,
      xml: "<date>2001-01-01T00:01:00Z</date>",
      binary: "datetime.datetime(2001, 1, 1, 0, 1)"),
    Row(
      "Date with a fraction", day + 0.5, json: #""2001-01-01T00:01:00.5Z""#,
      xml: "<real>60.5</real>",
      binary: "datetime.datetime(2001, 1, 1, 0, 1, 0, 500000)"),
    Row(
      "URL", URL(string: "https://example.test/a%20b")!, json: #""https://example.test/a%20b""#,
      xml: "<string>https://example.test/a%20b</string>",
      binary: "'https://example.test/a%20b'"),
    Row(
      "UUID", UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!,
      json: #""00000000-0000-0000-0000-00000000000A""#,
      xml: "<string>00000000-0000-0000-0000-00000000000A</string>",
      binary: "'00000000-0000-0000-0000-00000000000A'"),
    Row(
      "raw value", Mood.calm, json: #""calm""#,
      xml: "<string>calm</string>",
      binary: "'calm'"),
    Row(
      "nil", String?.none, json: "null",
      xml: "<dict><key>$null</key><true/></dict>",
      binary: "{'$null': True}"),
    Row(
      "optional", String?.some("a"), json: #""a""#,
      xml: "<string>a</string>",
      binary: "'a'"),
    Row(
      "array", ["a", "b"], json: #"["a","b"]"#,
      xml: "<array><string>a</string><string>b</string></array>",
      binary: "['a', 'b']"),
    Row(
      "array of optionals", ["a", nil] as [String?], json: #"["a",null]"#,
      xml: "<array><string>a</string><dict><key>$null</key><true/></dict></array>",
      binary: "['a', {'$null': True}]"),
    Row(
      "set", [2, 1] as Set<Int>, json: "[1,2]",
      xml: "<array><integer>1</integer><integer>2</integer></array>",
      binary: "[1, 2]"),
    Row(
      "dictionary", ["a.b": 1], json: #"{"a.b": 1}"#,
      xml: "<dict><key>a.b</key><integer>1</integer></dict>",
      binary: "{'a.b': 1}"),
    Row(
      "dictionary by integer", [1: true], json: #"{"1": true}"#,
      xml: "<dict><key>1</key><true/></dict>",
      binary: "{'1': True}"),
    Row(
      "dictionary by case", [Mood.wild: 1], json: #"{"wild": 1}"#,
      xml: "<dict><key>wild</key><integer>1</integer></dict>",
      binary: "{'wild': 1}"),
    Row(
      "range", 0..<5, json: #"{"from": 0,"upTo": 5}"#,
      xml: "<dict><key>from</key><integer>0</integer><key>upTo</key><integer>5</integer></dict>",
      binary: "{'from': 0, 'upTo': 5}"),
    Row(
      "closed range", 0...5, json: #"{"from": 0,"through": 5}"#,
      xml: "<dict><key>from</key><integer>0</integer><key>through</key><integer>5</integer></dict>",
      binary: "{'from': 0, 'through': 5}"),
    Row(
      "range from", 5..., json: #"{"from": 5}"#,
      xml: "<dict><key>from</key><integer>5</integer></dict>",
      binary: "{'from': 5}"),
    Row(
      "range up to", ..<5, json: #"{"upTo": 5}"#,
      xml: "<dict><key>upTo</key><integer>5</integer></dict>",
      binary: "{'upTo': 5}"),
    Row(
      "range through", ...5, json: #"{"through": 5}"#,
      xml: "<dict><key>through</key><integer>5</integer></dict>",
      binary: "{'through': 5}"),
    Row(
      "item", Item(), json: #"{"x": 1}"#,
      xml: "<dict><key>x</key><integer>1</integer></dict>",
      binary: "{'x': 1}"),
    Row(
      "Codable item", Plain(), json: #"{"x": 1}"#,
      xml: "<dict><key>x</key><integer>1</integer></dict>",
      binary: "{'x': 1}"),
    Row(
      "Codable", Shape.circle(radius: 1), json: #"{"circle": {"radius": 1.0}}"#,
      xml: "<dict><key>circle</key><dict><key>radius</key><real>1.0</real></dict></dict>",
      binary: "{'circle': {'radius': 1.0}}",
      defaults: "<dict><key>circle</key><dict><key>radius</key><real>1</real></dict></dict>"),
  ]

  @Test(arguments: rows)
  func `a value is stored as the table says, and read back from there`(_ row: Row) throws {
    let json = try Self.text(of: row.value, in: .json)
    #expect(json == row.json)
    let xml = try Self.text(of: row.value, in: .xmlPropertyList)
    #expect(xml == row.xml)
    for kind in DefaultsKind.allCases {
      let place = DefaultsPlace()
      try kind.backend(place).save(["v": row.value.storeValue])
      // What plain code is given, and what is in the file.
      #expect(try Self.spelling(of: kind.defaults(place)["v"]) == row.defaults)
      let all = try place.stored
      let stored = kind == .oneDictionary ? all["user"] as? [String: Any] : all
      #expect(try Self.spelling(of: stored?["v"]) == row.defaults)
    }
    for kind in EveryBackend.allCases {
      let backend = try kind.place()
      try backend().save(["v": row.value.storeValue])
      let loaded = try backend().load()
      #expect(Self.read(loaded?["v"], as: row.value) == row.value.storeValue, "\(kind)")
    }
  }

  @Test(arguments: rows.filter { !$0.defaults.contains("$number") })
  func `Foundation finds the same in a property list as in a suite`(_ row: Row) throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(XMLPropertyListFormat().encode(["v": row.value.storeValue])), format: nil)
    #expect(try Self.spelling(of: (list as? [String: Any])?["v"]) == row.defaults)
  }

  @Test func `a file for secrets is a JSON file, and a secret a binary property list`() throws {
    let folder = TemporaryFolder()
    let plain = folder.file("plain.json")
    let secret = folder.file("private/secret.json")
    var document = StoreDocument()
    for row in Self.rows { document[row.name] = row.value.storeValue }
    try FileBackend.json(at: plain).save(document)
    try ProtectedFileBackend.protectedFile(at: secret).save(document)
    #expect(try plain.bytes == secret.bytes)

    #if !canImport(Darwin)
      let client = try StandInClient()
      try client.backend(account: "sky").save(document)
      let text = try client.file(of: "sky").text
      try #require(text.hasPrefix("simplestore:1:"))
      let list = try #require(Data(base64Encoded: String(text.dropFirst(14))))
      #expect(try Array(list) == BinaryPropertyListFormat().encode(document))
    #endif
  }

  /// What Python's readers say of a value, where a format has no type for it that they know.
  private static let inXML = [
    "String with controls": #"{'$string': b'\x01'}"#, "Date with a fraction": "60.5",
    "long Decimal": "1.2345678901234567e+19", "long Duration": "1.0",
  ]
  private static let inJSON = [
    "NaN": "'NaN'", "infinity": "'Infinity'", "Data": "'AQI='", "nil": "None",
    "Date": "'2001-01-01T00:01:00Z'", "Date with a fraction": "'2001-01-01T00:01:00.5Z'",
    "array of optionals": "['a', None]",
    "long Decimal": "1.2345678901234567e+19", "long Duration": "1.0",
  ]

  @Test(.enabled(if: Python.path != nil, "needs python3 on the PATH"))
  func `Python's readers find the same in files of all formats`() throws {
    var document = StoreDocument()
    for row in Self.rows { document[row.name] = row.value.storeValue }
    func lines(_ kind: BackendKind, _ load: String) throws -> [String] {
      let output = try Python.run(
        """
        import sys, json, plistlib
        for value in \(load).values(): print(ascii(value))
        """, input: kind.format.encode(document))
      return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    for (found, others) in [
      (try lines(.binaryPropertyList, "plistlib.loads(sys.stdin.buffer.read())"), [:]),
      (try lines(.xmlPropertyList, "plistlib.loads(sys.stdin.buffer.read())"), Self.inXML),
      (try lines(.json, "json.loads(sys.stdin.buffer.read())"), Self.inJSON),
    ] {
      #expect(found == Self.rows.map { others[$0.name] ?? $0.binary })
    }
  }

  // MARK: Reading

  /// The text of a value in a file that holds nothing else, without white space between elements.
  private static func text(of value: any StoreConvertible, in kind: BackendKind) throws -> String {
    let place = kind.place()
    try place.backend.save(["v": value.storeValue])
    let text = try place.file.text
    let parts =
      kind == .json
      ? text.firstMatch(of: /(?s)^\{\s*"v"\s*:\s*(.*?)\s*\}\s*$/)?.output.1
      : text.firstMatch(of: /(?s)<key>v<\/key>\s*(.*?)\s*<\/dict>\s*<\/plist>\s*$/)?.output.1
    return String(try #require(parts, "\(text)")).replacing(/\s*\n\s*/, with: "")
  }

  private static func read<Value: StoreConvertible>(
    _ stored: StoreValue?, as value: Value
  ) -> StoreValue? {
    stored.flatMap { Value(storeValue: $0) }?.storeValue
  }

  /// What Foundation makes of a value of a property list, which tells all its types apart.
  private static func spelling(of value: Any?) throws -> String {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["v": try #require(value)], format: .xml, options: 0)
    let text = String(decoding: list, as: UTF8.self)
    let part = text.firstMatch(
      of: /(?s)<key>v<\/key>\s*(.*?)\s*<\/dict>\s*<\/plist>\s*$/)?.output.1
    return String(try #require(part)).replacing(/\s*\n\s*/, with: "")
  }
}
