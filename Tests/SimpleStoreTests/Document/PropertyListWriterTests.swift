import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("Property lists are written as Apple's tools write them")
struct PropertyListWriterTests {
  @Test
  func `XML has Apple's header, tabs, native types and a line end`() throws {
    let document: StoreDocument = [
      "name": .string("a <b> & \"c\" 'd'\r\n\té😀"), "on": .bool(true), "off": .bool(false),
      "age": .integer(-7), "big": .unsigned(.max), "huge": .number("18446744073709551616"),
      "ratio": .double(3), "tenth": .double(0.1), "minus": .double(-0.0),
      "nan": .double(.nan), "up": .double(.infinity), "down": .double(-.infinity),
      "exact": .number("0.1000000000000000055511151231257827"),
      "whole": .date(Date(timeIntervalSinceReferenceDate: 0)),
      "half": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
      "far": .date(Date(timeIntervalSinceReferenceDate: 1e15)),
      "data": .data(Data(repeating: 7, count: 60)), "empty data": .data(Data()),
      "list": .array([.array([]), .dictionary([:]), .string("")]),
      "null": .null, "nul": .string("\u{0}"), "odd": .dictionary(["\u{1}": .integer(1)]),
      "like null": .dictionary(["$null": .bool(true)]),
    ]
    let text = String(decoding: try XMLPropertyListFormat().encode(document), as: UTF8.self)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>name</key>
        \t<string>a &lt;b&gt; &amp; "c" 'd'&#13;
        \té😀</string>
        \t<key>on</key>
        \t<true/>
        \t<key>off</key>
        \t<false/>
        \t<key>age</key>
        \t<integer>-7</integer>
        \t<key>big</key>
        \t<integer>18446744073709551615</integer>
        \t<key>huge</key>
        \t<integer>18446744073709551616</integer>
        \t<key>ratio</key>
        \t<real>3.0</real>
        \t<key>tenth</key>
        \t<real>0.1</real>
        \t<key>minus</key>
        \t<real>-0.0</real>
        \t<key>nan</key>
        \t<real>nan</real>
        \t<key>up</key>
        \t<real>+infinity</real>
        \t<key>down</key>
        \t<real>-infinity</real>
        \t<key>exact</key>
        \t<real>0.1000000000000000055511151231257827</real>
        \t<key>whole</key>
        \t<date>2001-01-01T00:00:00Z</date>
        \t<key>half</key>
        \t<real>0.5</real>
        \t<key>far</key>
        \t<real>1000000000000000.0</real>
        \t<key>data</key>
        \t<data>
        \tBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
        \tBwcHBwcHBwcH
        \t</data>
        \t<key>empty data</key>
        \t<data></data>
        \t<key>list</key>
        \t<array>
        \t\t<array/>
        \t\t<dict/>
        \t\t<string></string>
        \t</array>
        \t<key>null</key>
        \t<dict>
        \t\t<key>$null</key>
        \t\t<true/>
        \t</dict>
        \t<key>nul</key>
        \t<dict>
        \t\t<key>$string</key>
        \t\t<data>
        \t\tAA==
        \t\t</data>
        \t</dict>
        \t<key>odd</key>
        \t<dict>
        \t\t<key>$dictionary</key>
        \t\t<array>
        \t\t\t<dict>
        \t\t\t\t<key>$string</key>
        \t\t\t\t<data>
        \t\t\t\tAQ==
        \t\t\t\t</data>
        \t\t\t</dict>
        \t\t\t<integer>1</integer>
        \t\t</array>
        \t</dict>
        \t<key>like null</key>
        \t<dict>
        \t\t<key>$$null</key>
        \t\t<true/>
        \t</dict>
        </dict>
        </plist>

        """)
  }

  @Test
  func `binary takes the shortest form of each object, and each only once`() throws {
    func objects(_ value: StoreValue) throws -> [UInt8] {
      let bytes = try BinaryPropertyListFormat().encode(["a": value])
      let layout = bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }
      // Header, key, what is looked for, and the dictionary of three bytes.
      return Array(bytes[10..<(layout - 3)])
    }
    #expect(try objects(.bool(false)) == [0x08])
    #expect(try objects(.bool(true)) == [0x09])
    #expect(try objects(.integer(0)) == [0x10, 0])
    #expect(try objects(.integer(255)) == [0x10, 255])
    #expect(try objects(.integer(256)) == [0x11, 1, 0])
    #expect(try objects(.integer(65_536)) == [0x12, 0, 1, 0, 0])
    #expect(try objects(.integer(4_294_967_295)) == [0x12, 255, 255, 255, 255])
    #expect(try objects(.integer(4_294_967_296)) == [0x13, 0, 0, 0, 1, 0, 0, 0, 0])
    #expect(try objects(.integer(-1)) == [0x13] + [UInt8](repeating: 255, count: 8))
    #expect(
      try objects(.unsigned(.max))
        == [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8))
    #expect(
      try objects(.number("18446744073709551616"))
        == [0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(try objects(.double(1)) == [0x23, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
    #expect(
      try objects(.date(Date(timeIntervalSinceReferenceDate: 1)))
        == [0x33, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
    #expect(try objects(.data(Data([1, 2]))) == [0x42, 1, 2])
    #expect(try objects(.string("bc")) == [0x52, 0x62, 0x63])
    #expect(try objects(.string("é")) == [0x61, 0, 0xE9])
    #expect(try objects(.string("😀")) == [0x62, 0xD8, 0x3D, 0xDE, 0])
    #expect(
      try objects(.string("0123456789abcdef")) == [0x5F, 0x10, 16] + Array("0123456789abcdef".utf8))
    #expect(try objects(.dictionary(["CF$UID": .integer(3)])) == [0x80, 3])
    #expect(try objects(.dictionary(["CF$UID": .integer(300)])) == [0x81, 1, 44])
    // The value is the key.
    #expect(try objects(.string("a")) == [])
  }

  @Test
  func `texts that are equal in Unicode but not in bytes stay two objects`() throws {
    let document: StoreDocument = ["a": .array([.string("e\u{301}"), .string("\u{e9}")])]
    let bytes = try BinaryPropertyListFormat().encode(document)
    #expect(try BinaryPropertyListFormat().decode(bytes) == document)
  }

  @Test
  func `a value that cannot be written is refused by its key`() {
    var deep = StoreValue.array([])
    for _ in 0..<200 { deep = .array([deep]) }
    let cases: [(StoreValue, FormatError.Reason)] = [
      (deep, .tooDeep), (.array([.dictionary(["x": deep])]), .tooDeep),
      (.number("ten"), .invalidNumber("ten")), (.array([.number("")]), .invalidNumber("")),
    ]
    for form in PropertyListForm.allCases {
      for (value, reason) in cases {
        let error = #expect(throws: FormatError.self) {
          try form.format.encode(["good": .integer(1), "bad": value, "after": .null])
        }
        #expect(error == FormatError(reason, key: "bad"), "\(form)")
      }
    }
  }

  @Test(arguments: PropertyListForm.allCases)
  func `what shares much in memory is refused before it takes the memory`(form: PropertyListForm) {
    let values = StoreValue.array(Array(repeating: .null, count: FormatLimits.nodes))
    let many = #expect(throws: FormatError.self) { try form.format.encode(["many": values]) }
    #expect(many == FormatError(.tooManyValues, key: "many"))
    // 400 MB, of which half is there.
    let data = StoreValue.data(Data(count: 200_000_000))
    let large = StoreValue.array([data, data])
    let error = #expect(throws: FormatError.self) { try form.format.encode(["large": large]) }
    #expect(error == FormatError(.tooLarge, key: "large"))
  }
}
