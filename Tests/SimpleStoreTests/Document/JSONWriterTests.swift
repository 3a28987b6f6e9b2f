import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("How JSON is written")
struct JSONWriterTests {
  private func text(_ document: StoreDocument) throws(FormatError) -> String {
    String(decoding: try JSONFormat().encode(document), as: UTF8.self)
  }

  @Test
  func `a document is laid out for people, in its own order`() throws {
    let document: StoreDocument = [
      "name": .string("sky"), "age": .integer(-7), "big": .unsigned(.max), "ratio": .double(3),
      "on": .bool(true), "off": .bool(false), "none": .null, "list": .array([.integer(1), .null]),
      "empty": .array([]), "nothing": .dictionary([:]),
      "inner": .dictionary(["b": .array([.array([.string("x")])]), "a": .double(0.1)]),
      "bytes": .data(Data([0, 1, 2])),
      "born": .date(Date(timeIntervalSinceReferenceDate: 817_706_449.5)),
      "long": .number("123456789012345678901234567890"),
    ]
    #expect(
      try text(document) == """
        {
          "name": "sky",
          "age": -7,
          "big": 18446744073709551615,
          "ratio": 3.0,
          "on": true,
          "off": false,
          "none": null,
          "list": [
            1,
            null
          ],
          "empty": [],
          "nothing": {},
          "inner": {
            "b": [
              [
                "x"
              ]
            ],
            "a": 0.1
          },
          "bytes": "AAEC",
          "born": "2026-11-30T04:40:49.5Z",
          "long": 123456789012345678901234567890
        }

        """)
  }

  @Test
  func `an empty document is two braces and a line end`() throws {
    #expect(try text([:]) == "{}\n")
  }

  @Test
  func `only quotes, backslashes and control characters are escaped`() throws {
    let value = "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{2028}é😀"
    #expect(
      try text([value: .string(value)])
        == #"{\#n  "K": "K"\#n}\#n"#.replacing(
          "K", with: #"\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7f}\u{2028}é😀"))
  }

  @Test(
    arguments: [
      (-0.0, "-0.0"), (1e300, "1e+300"), (1e16, "1e+16"), (5, "5.0"), (.nan, "\"NaN\""),
      (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""), (1e-7, "1e-07"),
    ] as [(Double, String)])
  func `a double is never taken for an integer`(number: Double, spelled: String) throws {
    #expect(try text(["d": .double(number)]) == "{\n  \"d\": \(spelled)\n}\n")
  }

  @Test(arguments: [
    "", "01", "+1", "1.", ".5", "NaN", "1e", "0x1", " 1", "1 ", "1,\"b\":2", "\"", "１", "1\n",
  ])
  func `a number that is not in JSON's grammar is refused with its key`(_ number: String) {
    let document: StoreDocument = ["a": .null, "b": .array([.number(number)])]
    let error = #expect(throws: FormatError.self) { try text(document) }
    #expect(error == FormatError(.invalidNumber(number), key: "b"))
  }

  @Test
  func `a value that is too deep is refused with its top-level key`() {
    var document = DocumentSamples.nestedDictionaries(depth: 129)
    document["fine"] = .null
    let error = #expect(throws: FormatError.self) { try text(document) }
    #expect(error == FormatError(.tooDeep, key: "d"))
  }

  @Test
  func `a date without a text is its seconds since the reference date`() throws {
    #expect(try text(["d": .date(.distantPast)]) == "{\n  \"d\": -63114076800.0\n}\n")
  }
}
