import SimpleStore
import Testing

@Suite("What is JSON, and where it stops being so")
struct JSONSyntaxTests {
  struct Accepted: Sendable, CustomStringConvertible {
    let description: String
    let value: StoreValue
    init(_ text: String, _ value: StoreValue) {
      description = text
      self.value = value
    }
  }

  struct Rejected: Sendable, CustomStringConvertible {
    let bytes: [UInt8]
    let reason: FormatError.Reason
    let line: Int
    let column: Int
    init(_ text: String, _ reason: FormatError.Reason, _ line: Int, _ column: Int) {
      self.init(Array(text.utf8), reason, line, column)
    }
    init(_ bytes: [UInt8], _ reason: FormatError.Reason, _ line: Int, _ column: Int) {
      self.bytes = bytes
      self.reason = reason
      self.line = line
      self.column = column
    }
    var description: String { String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription }
  }

  /// Texts of the value of the key `v`.
  static let values: [Accepted] = [
    Accepted("null", .null), Accepted("true", .bool(true)), Accepted("false", .bool(false)),
    Accepted("0", .integer(0)), Accepted("-1", .integer(-1)), Accepted("10", .integer(10)),
    Accepted("123456789012345678", .integer(123_456_789_012_345_678)),
    Accepted("0.0", .double(0)), Accepted("0e1", .double(0)), Accepted("0E+1", .double(0)),
    Accepted("1e2", .double(100)), Accepted("1E2", .double(100)), Accepted("1e+2", .double(100)),
    Accepted("1e-2", .double(0.01)), Accepted("1.5e00", .double(1.5)),
    Accepted("-0.5", .double(-0.5)), Accepted("123.456e78", .double(123.456e78)),
    Accepted(#""""#, .string("")), Accepted(#""a""#, .string("a")),
    Accepted(#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{c}\n\r\t")),
    Accepted(#""\u0041""#, .string("A")), Accepted(#""\u00e9\u00E9""#, .string("éé")),
    Accepted(#""\u0000""#, .string("\0")), Accepted(#""\ud83d\ude00""#, .string("😀")),
    Accepted(#""\uDBFF\uDFFF""#, .string("\u{10ffff}")),
    Accepted(#""\ufffe\uffff""#, .string("\u{fffe}\u{ffff}")),
    Accepted(#""\\u0041""#, .string("\\u0041")), Accepted(#""\u005cn""#, .string("\\n")),
    Accepted(#""a\nb""#, .string("a\nb")), Accepted(#""\n""#, .string("\n")),
    Accepted("\"\u{7f}\"", .string("\u{7f}")),
    Accepted("\"\u{2028}\u{2029}\"", .string("\u{2028}\u{2029}")),
    Accepted("\"é日本語😀\"", .string("é日本語😀")), Accepted("\"/\"", .string("/")),
    Accepted("\"e\u{301}\"", .string("e\u{301}")), Accepted("\"\u{feff}\"", .string("\u{feff}")),
    Accepted("\"// no comment\"", .string("// no comment")),
    Accepted("[]", .array([])), Accepted("[ ]", .array([])), Accepted("[\n]", .array([])),
    Accepted("[1,2]", .array([.integer(1), .integer(2)])),
    Accepted("[ 1 , 2 ]", .array([.integer(1), .integer(2)])),
    Accepted(
      "[1,\"a\",null,true,[],{}]",
      .array([.integer(1), .string("a"), .null, .bool(true), .array([]), .dictionary([:])])),
    Accepted("[[[]]]", .array([.array([.array([])])])),
    Accepted("{}", .dictionary([:])), Accepted("{ }", .dictionary([:])),
    Accepted(#"{"":0}"#, .dictionary(["": .integer(0)])),
    Accepted(#"{"a":{"b":[]}}"#, .dictionary(["a": .dictionary(["b": .array([])])])),
    Accepted("{\"a\" :\t1\r\n,\"b\":2}", .dictionary(["a": .integer(1), "b": .integer(2)])),
    Accepted(#"{"\u0000":1}"#, .dictionary(["\0": .integer(1)])),
  ]

  @Test(arguments: values)
  func `a value is read as what it says`(_ row: Accepted) throws {
    #expect(try decode(#"{"v":\#(row)}"#) == ["v": row.value])
  }

  @Test(arguments: [
    "{}", " {}", "{} ", "\n\t\r {}\n\n", "\u{feff}{}", "\u{feff}\n{ \n}", "{\r\n}",
  ])
  func `space around the document and a byte order mark are allowed`(_ text: String) throws {
    #expect(try decode(text).isEmpty)
  }

  private static let aKey = "a key in double quotes or '}'"
  private static let anotherKey =
    "another key (no comma follows the last entry)"
  private static func byte(_ byte: Unicode.Scalar, _ expected: String) -> FormatError.Reason {
    .unexpectedByte(UInt8(ascii: byte), expected: expected)
  }

  static let structure: [Rejected] = [
    Rejected("", .unexpectedEnd, 1, 1), Rejected(" \n ", .unexpectedEnd, 2, 2),
    Rejected("\u{feff}", .unexpectedEnd, 1, 1),
    Rejected("{", .unexpectedEnd, 1, 2), Rejected("{\n", .unexpectedEnd, 2, 1),
    Rejected(#"{"a"#, .unexpectedEnd, 1, 4), Rejected(#"{"a""#, .unexpectedEnd, 1, 5),
    Rejected(#"{"a":"#, .unexpectedEnd, 1, 6), Rejected(#"{"a":1"#, .unexpectedEnd, 1, 7),
    Rejected(#"{"a":1,"#, .unexpectedEnd, 1, 8), Rejected(#"{"a":["#, .unexpectedEnd, 1, 7),
    Rejected(#"{"a":[1"#, .unexpectedEnd, 1, 8), Rejected(#"{"a":[1,"#, .unexpectedEnd, 1, 9),
    Rejected(#"{"a":tru"#, .unexpectedEnd, 1, 9), Rejected(#"{"a":-"#, .unexpectedEnd, 1, 7),
    Rejected(#"{"a":1."#, .unexpectedEnd, 1, 8), Rejected(#"{"a":1e"#, .unexpectedEnd, 1, 8),
    Rejected("[]", .rootIsNotADictionary(found: "array"), 1, 1),
    Rejected(" [1,", .rootIsNotADictionary(found: "array"), 1, 2),
    Rejected(#""a""#, .rootIsNotADictionary(found: "string"), 1, 1),
    Rejected("12", .rootIsNotADictionary(found: "number"), 1, 1),
    Rejected("-1", .rootIsNotADictionary(found: "number"), 1, 1),
    Rejected("true", .rootIsNotADictionary(found: "bool"), 1, 1),
    Rejected("\nnull", .rootIsNotADictionary(found: "null"), 2, 1),
    Rejected("hello", byte("h", "'{'"), 1, 1), Rejected("}", byte("}", "'{'"), 1, 1),
    Rejected("\0\0\0\0\0", byte("\0", "'{'"), 1, 1),
    Rejected("// c\n{}", byte("/", "'{' (JSON has no comments)"), 1, 1),
    Rejected("{}{}", .trailingContent, 1, 3), Rejected("{} x", .trailingContent, 1, 4),
    Rejected("{}\n\n\0", .trailingContent, 3, 1), Rejected("{}}", .trailingContent, 1, 3),
    Rejected("{},", .trailingContent, 1, 3), Rejected("{}//", .trailingContent, 1, 3),
    Rejected("bplist00", .otherFormat(found: "a binary property list"), 1, 1),
    Rejected("<?xml version=\"1.0\"?>", .otherFormat(found: "XML"), 1, 1),
    Rejected("<plist><dict/></plist>", .otherFormat(found: "XML"), 1, 1),
    Rejected("<!DOCTYPE plist>", .otherFormat(found: "XML"), 1, 1),
    Rejected("{,}", byte(",", aKey), 1, 2), Rejected("{a:1}", byte("a", aKey), 1, 2),
    Rejected("{1:1}", byte("1", aKey), 1, 2), Rejected("{null:1}", byte("n", aKey), 1, 2),
    Rejected("{[]:1}", byte("[", aKey), 1, 2),
    Rejected("{'a':1}", byte("'", "\(aKey) (strings and keys stand in double quotes)"), 1, 2),
    Rejected("{/**/}", byte("/", "\(aKey) (JSON has no comments)"), 1, 2),
    Rejected(#"{"a" 1}"#, byte("1", "':'"), 1, 6), Rejected(#"{"a",1}"#, byte(",", "':'"), 1, 5),
    Rejected(#"{"a"=1}"#, byte("=", "':'"), 1, 5), Rejected(#"{"a"}"#, byte("}", "':'"), 1, 5),
    Rejected(#"{"a"::1}"#, byte(":", "a value"), 1, 6),
    Rejected(#"{"a":}"#, byte("}", "a value"), 1, 6),
    Rejected(#"{"a":,}"#, byte(",", "a value"), 1, 6),
    Rejected(#"{"a":1,}"#, byte("}", anotherKey), 1, 8),
    Rejected("{\"a\":1,\n}", byte("}", anotherKey), 2, 1),
    Rejected(#"{"a":1,,"b":2}"#, byte(",", anotherKey), 1, 8),
    Rejected(#"{"a":1;"b":2}"#, byte(";", "',' or '}'"), 1, 7),
    Rejected(#"{"a":1 "b":2}"#, byte("\"", "',' or '}' (a comma is missing)"), 1, 8),
    Rejected("{\"a\":1\n\"b\":2}", byte("\"", "',' or '}' (a comma is missing)"), 2, 1),
    Rejected(#"{"a":1]"#, byte("]", "',' or '}'"), 1, 7),
    Rejected("{\"a\":1 # c\n}", byte("#", "',' or '}' (JSON has no comments)"), 1, 8),
    Rejected("{\"a\":1 /* c */}", byte("/", "',' or '}' (JSON has no comments)"), 1, 8),
    Rejected(#"{"a":[,1]}"#, byte(",", "a value"), 1, 7),
    Rejected(#"{"a":[1,]}"#, byte("]", "another value (no comma follows the last element)"), 1, 9),
    Rejected(#"{"a":[1,,2]}"#, byte(",", "a value"), 1, 9),
    Rejected(#"{"a":[1 2]}"#, byte("2", "',' or ']'"), 1, 9),
    Rejected(#"{"a":[1}"#, byte("}", "',' or ']'"), 1, 8),
    Rejected(#"{"a":["b":1]}"#, byte(":", "',' or ']'"), 1, 10),
    Rejected(#"{"a":["b""c"]}"#, byte("\"", "',' or ']' (a comma is missing)"), 1, 10),
    Rejected("{\"a\":\u{a0}1}", .unexpectedByte(0xc2, expected: "a value"), 1, 6),
    Rejected("{\"a\":\u{c}1}", byte("\u{c}", "a value"), 1, 6),
    Rejected("{\u{b}}", byte("\u{b}", aKey), 1, 2),
    Rejected("{\u{feff}}", .unexpectedByte(0xef, expected: aKey), 1, 2),
    Rejected("\u{feff}\u{feff}{}", .unexpectedByte(0xef, expected: "'{'"), 1, 1),
    Rejected("{\"é😀\":\u{1}}", byte("\u{1}", "a value"), 1, 7),
    Rejected("{\r\n\r\"a\":\n x}", byte("x", "a value"), 4, 2),
    Rejected("\u{feff}{x}", byte("x", aKey), 1, 2),
  ]

  static let words: [Rejected] = [
    Rejected(#"{"a":True}"#, byte("T", "a value (true and false are written in lower case)"), 1, 6),
    Rejected(#"{"a":trUe}"#, byte("U", "true"), 1, 8),
    Rejected(#"{"a":truee}"#, byte("e", "nothing after true"), 1, 10),
    Rejected(#"{"a":fals}"#, byte("}", "false"), 1, 10),
    Rejected(#"{"a":nul}"#, byte("}", "null"), 1, 9),
    Rejected(#"{"a":nil}"#, byte("i", "null"), 1, 7),
    Rejected(#"{"a":undefined}"#, byte("u", "a value"), 1, 6),
    Rejected(#"{"a":'b'}"#, byte("'", "a value (strings and keys stand in double quotes)"), 1, 6),
    Rejected(#"{"a":NaN}"#, byte("N", "a value (NaN and Infinity are written as strings)"), 1, 6),
    Rejected(
      #"{"a":Infinity}"#, byte("I", "a value (NaN and Infinity are written as strings)"), 1, 6),
  ]

  static let numbers: [Rejected] =
    [
      "01", "-01", "00", "-", "--1", "1.", "-1.", "1.e2", "1e", "1e+", "1E-", "1e1.5", "1.2.3",
      "0x10", "1_000", "1+2", "1-", "-Infinity", "-NaN", "1a", "0.", "-.5", "1ee2", "0e", "12px",
      "1e+-2", "-a",
    ].map { Rejected("{\"a\": \($0)}", .invalidNumber($0), 1, 7) } + [
      Rejected(#"{"a":.5}"#, byte(".", "a value (a number starts with '-' or a digit)"), 1, 6),
      Rejected(#"{"a":+1}"#, byte("+", "a value (a number starts with '-' or a digit)"), 1, 6),
      Rejected(#"{"a":1,5}"#, byte("5", anotherKey), 1, 8),
      Rejected("{\"a\":\u{ff11}}", .unexpectedByte(0xef, expected: "a value"), 1, 6),
    ]

  static let strings: [Rejected] = [
    Rejected("{\"a\": \"b\nc\"}", .controlCharacterInString, 1, 9),
    Rejected("{\"a\": \"b\tc\"}", .controlCharacterInString, 1, 9),
    Rejected("{\"a\": \"\\n\0\"}", .controlCharacterInString, 1, 10),
    Rejected("{\"a\": \"\u{1f}\"}", .controlCharacterInString, 1, 8),
    Rejected("{\"a\n\": 1}", .controlCharacterInString, 1, 4),
    Rejected(#"{"a": "\x41"}"#, .invalidEscape, 1, 8),
    Rejected(#"{"a": "\'"}"#, .invalidEscape, 1, 8),
    Rejected(#"{"a": "\ "}"#, .invalidEscape, 1, 8),
    Rejected(#"{"a": "é\U0041"}"#, .invalidEscape, 1, 9),
    Rejected(#"{"a": "\u"}"#, .invalidEscape, 1, 8),
    Rejected(#"{"a": "\u004"}"#, .invalidEscape, 1, 8),
    Rejected(#"{"a": "\u00g0"}"#, .invalidEscape, 1, 8),
    Rejected(#"{"a": "\u+041"}"#, .invalidEscape, 1, 8),
    Rejected(#"{"a": "\ud83d"}"#, .unpairedSurrogate, 1, 8),
    Rejected(#"{"a": "\ude00"}"#, .unpairedSurrogate, 1, 8),
    Rejected(#"{"a": "\ud83dx"}"#, .unpairedSurrogate, 1, 8),
    Rejected(#"{"a": "\ud83d\n"}"#, .unpairedSurrogate, 1, 8),
    Rejected(#"{"a": "x\ud83d\ud83d"}"#, .unpairedSurrogate, 1, 9),
    Rejected(#"{"a": "\ud83d\u0041"}"#, .unpairedSurrogate, 1, 8),
    Rejected(#"{"a": "\ud83d\u00"}"#, .invalidEscape, 1, 14),
    Rejected(#"{"a": "b"#, .unexpectedEnd, 1, 9), Rejected(#"{"a": "b\"#, .unexpectedEnd, 1, 10),
    Rejected(#"{"a": "\u00"#, .unexpectedEnd, 1, 12),
    Rejected(#"{"a": "\ud83d"#, .unexpectedEnd, 1, 14),
    Rejected(#"{"a": "\ud83d\"#, .unexpectedEnd, 1, 15),
    Rejected(#"{"a": "\""#, .unexpectedEnd, 1, 10),
  ]

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    Array(#"{"é": "x"#.utf8) + bytes + Array(#""}"#.utf8)
  }

  static let encodings: [Rejected] = [
    Rejected(quoted([0xff]), .invalidUTF8, 1, 9), Rejected(quoted([0x80]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xc3]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xc0, 0x80]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xc1, 0xbf]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xe0, 0x80, 0xaf]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xed, 0xa0, 0xbd]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xf4, 0x90, 0x80, 0x80]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xf0, 0x9f, 0x98]), .invalidUTF8, 1, 9),
    Rejected(quoted([0xc3, 0xa9, 0xe9]), .invalidUTF8, 1, 10),
    Rejected(quoted(Array(#"\n"#.utf8) + [0xfe]), .invalidUTF8, 1, 11),
    Rejected([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], .invalidUTF8, 1, 3),
    Rejected([0xff, 0xfe, 0x7b, 0, 0x7d, 0], .unsupportedEncoding("UTF-16"), 1, 1),
    Rejected([0xfe, 0xff, 0, 0x7b, 0, 0x7d], .unsupportedEncoding("UTF-16"), 1, 1),
    Rejected([0x7b, 0, 0x7d, 0], .unsupportedEncoding("UTF-16"), 1, 1),
    Rejected([0, 0x7b, 0, 0x7d], .unsupportedEncoding("UTF-16"), 1, 1),
    Rejected([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], .unsupportedEncoding("UTF-32"), 1, 1),
    Rejected([0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b], .unsupportedEncoding("UTF-32"), 1, 1),
    Rejected([0x7b, 0, 0, 0, 0x7d, 0, 0, 0], .unsupportedEncoding("UTF-32"), 1, 1),
    Rejected([0, 0, 0, 0x7b, 0, 0, 0, 0x7d], .unsupportedEncoding("UTF-32"), 1, 1),
  ]

  @Test(arguments: structure + words + numbers + strings + encodings)
  func `what is not JSON is refused, with its reason and place`(_ row: Rejected) {
    let error = #expect(throws: FormatError.self) { try JSONFormat().decode(row.bytes) }
    #expect(error?.reason == row.reason)
    #expect(error?.line == row.line)
    #expect(error?.column == row.column)
  }

  @Test
  func `the offset of an error counts bytes`() {
    let error = #expect(throws: FormatError.self) { try decode("{\"é\": x}") }
    #expect(error?.offset == 7)
    #expect(error?.column == 7)
  }

  private func decode(_ text: String) throws(FormatError) -> StoreDocument {
    try JSONFormat().decode(Array(text.utf8))
  }
}
