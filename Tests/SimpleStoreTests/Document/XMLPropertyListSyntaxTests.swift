import Foundation
import SimpleStore
import Testing

@Suite("XML property lists are read by the rules of XML")
struct XMLPropertyListSyntaxTests {
  /// Some text between the tags of a root dictionary, and what it means.
  struct Accepted: Sendable, CustomStringConvertible {
    let content: String
    let value: StoreValue
    var description: String { content.debugDescription }

    init(_ content: String, _ value: StoreValue) {
      self.content = content
      self.value = value
    }
  }

  static let values: [Accepted] = [
    Accepted("<true/>", .bool(true)), Accepted("<true></true>", .bool(true)),
    Accepted("<false />", .bool(false)), Accepted("<false> <!-- c --> </false>", .bool(false)),
    Accepted("<integer>0</integer>", .integer(0)),
    Accepted("<integer> +7\n</integer>", .integer(7)),
    Accepted("<integer>-0</integer>", .integer(0)),
    Accepted("<integer>007</integer>", .integer(7)),
    Accepted("<integer>0x1F</integer>", .integer(31)),
    Accepted("<integer>-0x1f</integer>", .integer(-31)),
    Accepted("<integer>0xFFFFFFFFFFFFFFFF</integer>", .unsigned(.max)),
    Accepted("<integer>-0x8000000000000000</integer>", .integer(.min)),
    Accepted("<integer>-9223372036854775808</integer>", .integer(.min)),
    Accepted("<integer>9223372036854775807</integer>", .integer(.max)),
    Accepted("<integer>9223372036854775808</integer>", .unsigned(9_223_372_036_854_775_808)),
    Accepted("<integer>18446744073709551616</integer>", .number("18446744073709551616")),
    Accepted("<integer>+0018446744073709551616</integer>", .number("18446744073709551616")),
    Accepted("<integer>00000000000000000000000000000000</integer>", .integer(0)),
    Accepted("<real>1</real>", .double(1)), Accepted("<real>-0</real>", .double(-0.0)),
    Accepted("<real>0.0</real>", .double(0)), Accepted("<real>.5</real>", .double(0.5)),
    Accepted("<real>5.</real>", .double(5)), Accepted("<real>+1.50e+2</real>", .double(150)),
    Accepted("<real>007.5</real>", .double(7.5)),
    Accepted("<real>0.1</real>", .double(0.1)),
    // As Apple's tools write doubles: 17 digits.
    Accepted("<real>0.10000000000000001</real>", .double(0.1)),
    Accepted("<real>0.33333333333333331</real>", .double(1.0 / 3)),
    Accepted("<real>1.0000000000000001e+300</real>", .double(1e300)),
    Accepted("<real>4.9406564584124654e-324</real>", .double(.leastNonzeroMagnitude)),
    Accepted("<real>1.7976931348623157e+308</real>", .double(.greatestFiniteMagnitude)),
    // Another number than the double.
    Accepted("<real>0.30000000000000002</real>", .number("0.30000000000000002")),
    Accepted("<real>.100000000000000000000001</real>", .number("0.100000000000000000000001")),
    Accepted("<real>9007199254740993</real>", .number("9007199254740993.0")),
    Accepted("<real>1e400</real>", .number("1e400")),
    Accepted("<real>nan</real>", .double(.nan)), Accepted("<real>NaN</real>", .double(.nan)),
    Accepted("<real>inf</real>", .double(.infinity)),
    Accepted("<real>+infinity</real>", .double(.infinity)),
    Accepted("<real>-Infinity</real>", .double(-.infinity)),
    Accepted("<string/>", .string("")), Accepted("<string></string>", .string("")),
    Accepted("<string> a </string>", .string(" a ")),
    Accepted("<string>a\r\nb\rc\nd</string>", .string("a\nb\nc\nd")),
    Accepted("<string>a&#13;&#xA;&#x1F600;</string>", .string("a\r\n😀")),
    Accepted("<string>&lt;&gt;&amp;&quot;&apos;</string>", .string("<>&\"'")),
    Accepted("<string>a<![CDATA[<&>]]]>b</string>", .string("a<&>]b")),
    Accepted("<string>a<!-- <b> -->b<?p i?>c</string>", .string("abc")),
    Accepted("<string>]]&gt; ]] ></string>", .string("]]> ]] >")),
    Accepted("<string xml:space='preserve' a = \"b\" >x</string >", .string("x")),
    Accepted("<data></data>", .data(Data())), Accepted("<data/>", .data(Data())),
    Accepted("<data>\n\tAAE\n\tC\n</data>", .data(Data([0, 1, 2]))),
    Accepted(
      "<date>2001-01-01T00:00:01Z</date>", .date(Date(timeIntervalSinceReferenceDate: 1))),
    Accepted(
      "<date> 2001-01-01T00:00:00Z </date>", .date(Date(timeIntervalSinceReferenceDate: 0))),
    // Not dates that are written: the doubles that are written for them.
    Accepted("<date>2001-01-01T00:00:01.5Z</date>", .double(1.5)),
    Accepted("<date>0000-12-31T23:59:59Z</date>", .double(-63_113_904_001)),
    Accepted("<date>9999-12-31T23:59:59-00:01</date>", .double(252_423_993_659)),
    Accepted("<array/>", .array([])), Accepted("<array> </array>", .array([])),
    Accepted("<dict/>", .dictionary([:])),
    Accepted(
      "<dict><key/><array><true/></array></dict>",
      .dictionary(["": .array([.bool(true)])])),
    Accepted(
      "<dict><key>$null</key><integer>3</integer></dict>",
      .dictionary(["$null": .integer(3)])),
    Accepted(
      "<dict><key>CF$UID</key><integer>3</integer></dict>",
      .dictionary(["CF$UID": .integer(3)])),
  ]

  @Test(arguments: values)
  func `what XML allows is read`(_ sample: Accepted) throws {
    let text = "<plist><dict><key>k</key>\(sample.content)</dict></plist>"
    let document = try XMLPropertyListFormat().decode(Array(text.utf8))
    #expect(document == ["k": sample.value])
    // And is the same after it is written.
    let written = try XMLPropertyListFormat().encode(document)
    #expect(try XMLPropertyListFormat().decode(written) == document)
  }

  @Test(arguments: [
    "<dict/>", "<plist><dict/></plist>", "<?xml version='1.0'?><plist><dict/></plist>",
    "\u{feff}<plist><dict/></plist>", " \n<plist version=\"1.0\"> <dict> </dict>\n</plist>\n\n",
    "<?xml version=\"1.0\" encoding=\"us-ascii\" standalone='yes' ?>\n<plist><dict/></plist>",
    "<!-- a --><?p i?><!DOCTYPE plist SYSTEM \"file://x/>[\"><!-- b --><plist><dict/></plist>",
    "<!DOCTYPE plist PUBLIC '-//Apple Computer//DTD PLIST 1.0//EN' 'x'><plist><dict/></plist><!---->",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist><plist><!-- a --><dict/></plist>",
  ])
  func `what may stand around the root is read`(text: String) throws {
    #expect(try XMLPropertyListFormat().decode(Array(text.utf8)) == [:])
  }

  struct Refused: Sendable, CustomStringConvertible {
    let text: String
    let reason: FormatError.Reason
    let line: Int
    let column: Int
    var description: String { text.debugDescription }

    init(_ text: String, _ reason: FormatError.Reason, _ line: Int, _ column: Int) {
      self.text = text
      self.reason = reason
      self.line = line
      self.column = column
    }
  }

  /// The value stands after "<dict><key>k</key>" of the second line: at column 19.
  static let refusedValues: [Refused] = [
    Refused("<integer></integer>", .invalidNumber(""), 2, 19),
    Refused("<integer/>", .invalidNumber(""), 2, 19),
    Refused("<integer>1.0</integer>", .invalidNumber("1.0"), 2, 19),
    Refused("<integer>--1</integer>", .invalidNumber("--1"), 2, 19),
    Refused("<integer>0x</integer>", .invalidNumber("0x"), 2, 19),
    Refused("<integer>0x-1</integer>", .invalidNumber("0x-1"), 2, 19),
    Refused("<integer>0x10000000000000000</integer>", .invalidNumber("0x10000000000000000"), 2, 19),
    Refused("<integer>1 2</integer>", .invalidNumber("1 2"), 2, 19),
    Refused("<integer>٣</integer>", .invalidNumber("٣"), 2, 19),
    Refused("<real></real>", .invalidNumber(""), 2, 19),
    Refused("<real>.</real>", .invalidNumber("."), 2, 19),
    Refused("<real>1e</real>", .invalidNumber("1e"), 2, 19),
    Refused("<real>0x1p3</real>", .invalidNumber("0x1p3"), 2, 19),
    Refused("<real>1,5</real>", .invalidNumber("1,5"), 2, 19),
    Refused("<real>nano</real>", .invalidNumber("nano"), 2, 19),
    Refused("<date>yesterday</date>", .invalidDate("yesterday"), 2, 19),
    Refused("<date>2001-02-30T00:00:00Z</date>", .invalidDate("2001-02-30T00:00:00Z"), 2, 19),
    Refused("<data>AAE</data>", .invalidData, 2, 19),
    Refused("<data>AA!E</data>", .invalidData, 2, 19),
    Refused("<strin>a</strin>", .unknownElement("strin"), 2, 19),
    Refused("<STRING>a</STRING>", .unknownElement("STRING"), 2, 19),
    Refused("<string>é😀</key>", .mismatchedTag(open: "string", close: "key"), 2, 29),
    Refused(
      "<string>a<b/></string>",
      .unexpectedByte(UInt8(ascii: "<"), expected: "text or an end tag"), 2, 28),
    Refused("<string>&nbsp;</string>", .unknownEntity("nbsp"), 2, 27),
    Refused("<string>a & b</string>", .invalidEscape, 2, 29),
    Refused("<string>&;</string>", .invalidEscape, 2, 27),
    Refused("<string>&#0;</string>", .invalidEscape, 2, 27),
    Refused("<string>&#xD800;</string>", .invalidEscape, 2, 27),
    Refused("<string>&#xFFFE;</string>", .invalidEscape, 2, 27),
    Refused("<string>&#x110000;</string>", .invalidEscape, 2, 27),
    Refused("<string>&#99999999999999999999;</string>", .invalidEscape, 2, 27),
    Refused("<string>&#-1;</string>", .invalidEscape, 2, 27),
    Refused(
      "<string>&#\(String(repeating: "0", count: 57))6599999;</string>",
      .invalidEscape, 2, 27),
    Refused("<string>a\u{0}</string>", .controlCharacterInString, 2, 28),
    Refused("<string>\n\u{1b}</string>", .controlCharacterInString, 3, 1),
    Refused("<string>\u{ffff}</string>", .controlCharacterInString, 2, 27),
    Refused("<string><![CDATA[\u{1}]]></string>", .controlCharacterInString, 2, 36),
    Refused(
      "<string>a]]></string>",
      .unexpectedByte(UInt8(ascii: "]"), expected: "text without ']]>'"), 2, 28),
    Refused("<true>a</true>", .unexpectedByte(UInt8(ascii: "a"), expected: "'<'"), 2, 25),
    Refused("<true/", .unexpectedByte(UInt8(ascii: "<"), expected: "'>' after '/'"), 2, 25),
    Refused(
      "<!-- a -- b --><true/>",
      .unexpectedByte(UInt8(ascii: " "), expected: "'>' after '--'"), 2, 28),
    Refused(
      "<?xml version='1.0'?>",
      .unexpectedByte(UInt8(ascii: "<"), expected: "a processing instruction"), 2, 19),
    Refused("<array>a</array>", .unexpectedByte(UInt8(ascii: "a"), expected: "'<'"), 2, 26),
    Refused(
      "<array><key>a</key></array>",
      .unexpectedByte(UInt8(ascii: "<"), expected: "a value"), 2, 26),
    Refused("<array></dict>", .mismatchedTag(open: "array", close: "dict"), 2, 26),
    Refused("<key>a</key>", .keyWithoutValue, 2, 7),
    Refused("", .keyWithoutValue, 2, 7),
    Refused("<true/><true/>", .valueWithoutKey, 2, 26),
    Refused("<plist/>", .unexpectedByte(UInt8(ascii: "<"), expected: "a value"), 2, 19),
    Refused("<string a>x</string>", .unexpectedByte(UInt8(ascii: ">"), expected: "'='"), 2, 28),
    Refused(
      "<string a='<'/>",
      .unexpectedByte(UInt8(ascii: "<"), expected: "a quotation mark"), 2, 30),
    Refused("<dict><integer>1</integer></dict>", .valueWithoutKey, 2, 25),
  ]

  @Test(arguments: refusedValues)
  func `what is no value is refused, with its place`(_ sample: Refused) {
    let text = "<plist>\n<dict><key>k</key>\(sample.text)</dict></plist>"
    let error = #expect(throws: FormatError.self) {
      try XMLPropertyListFormat().decode(Array(text.utf8))
    }
    #expect(error == FormatError(sample.reason, line: sample.line, column: sample.column))
  }

  static let refusedDocuments: [Refused] = [
    Refused("", .unexpectedEnd, 1, 1), Refused(" \r\n\t", .unexpectedEnd, 2, 2),
    Refused("hello", .unexpectedByte(UInt8(ascii: "h"), expected: "'<'"), 1, 1),
    Refused("<", .unexpectedEnd, 1, 2), Refused("<plist>", .unexpectedEnd, 1, 8),
    Refused("<plist/>", .unexpectedByte(UInt8(ascii: "<"), expected: "<plist> with a value"), 1, 1),
    Refused("<plist></plist>", .unexpectedByte(UInt8(ascii: "<"), expected: "a value"), 1, 8),
    Refused("<plist><dict/>", .unexpectedEnd, 1, 15), Refused("<dict>", .unexpectedEnd, 1, 7),
    Refused("<!-- ", .unexpectedEnd, 1, 6),
    Refused(
      "<plist><array/></plist>",
      .rootIsNotADictionary(found: "array"), 1, 8),
    Refused("<plist><string>a</string></plist>", .rootIsNotADictionary(found: "string"), 1, 8),
    Refused("<integer>1</integer>", .rootIsNotADictionary(found: "integer"), 1, 1),
    Refused("<plist><dict/><dict/></plist>", .trailingContent, 1, 15),
    Refused("<plist><dict/></plist>x", .trailingContent, 1, 23),
    Refused("<dict/>\n\u{0}", .trailingContent, 2, 1),
    Refused("<dict/><dict/>", .trailingContent, 1, 8),
    Refused("<plist><dict/></dict>", .mismatchedTag(open: "plist", close: "dict"), 1, 15),
    Refused("<html><body/></html>", .unknownElement("html"), 1, 1),
    Refused("<!DOCTYPE plist [<!ENTITY a 'b'>]><dict/>", .internalSubset, 1, 17),
    Refused(
      "<?xml version='1.0' encoding='ISO-8859-1'?><dict/>",
      .unsupportedEncoding("ISO-8859-1"), 1, 31),
    Refused(
      "<?xml version='1.0' encoding='UTF-16'?><dict/>", .unsupportedEncoding("UTF-16"), 1, 31),
    Refused(
      "<?xml version='1.0' encoding='US-ASCII'?>\n<!-- é --><dict/>",
      .unexpectedByte(0xC3, expected: "a character of US-ASCII"), 2, 6),
    Refused(
      "<?xml version='2.0'?><dict/>",
      .unexpectedByte(
        UInt8(ascii: "v"),
        expected: "'version', 'encoding', 'standalone' or '?>'"), 1, 7),
    Refused("bplist00", .otherFormat(found: "a binary property list"), 1, 1),
    Refused("{\"a\": 1}", .otherFormat(found: "JSON"), 1, 1),
    Refused(" []", .otherFormat(found: "JSON"), 1, 1),
    Refused("{ a = 1; }", .otherFormat(found: "an OpenStep property list"), 1, 1),
    Refused("{ \"a\" = 1; }", .otherFormat(found: "an OpenStep property list"), 1, 1),
    Refused("( a, b )", .otherFormat(found: "an OpenStep property list"), 1, 1),
  ]

  @Test(arguments: refusedDocuments)
  func `what is no document is refused, with its place`(_ sample: Refused) {
    let error = #expect(throws: FormatError.self) {
      try XMLPropertyListFormat().decode(Array(sample.text.utf8))
    }
    #expect(error == FormatError(sample.reason, line: sample.line, column: sample.column))
  }

  @Test
  func `invalid UTF-8 is refused, with its place`() {
    let bytes = Array("<dict>\n<!-- é".utf8) + [0xC3, 0x28] + Array("--></dict>".utf8)
    let error = #expect(throws: FormatError.self) { try XMLPropertyListFormat().decode(bytes) }
    #expect(error == FormatError(.invalidUTF8, line: 2, column: 7))
  }
}
