package import SimpleStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A document and what is special about it.
package struct DocumentSample: Sendable, CustomStringConvertible {
  package let name: String
  package let document: StoreDocument

  package init(_ name: String, _ document: StoreDocument) {
    self.name = name
    self.document = document
  }

  package var description: String { name }
}

/// Documents that a careless format gets wrong.
package enum DocumentSamples {
  /// Every kind of value at its extremes, one subject in each document.
  package static let extremes: [DocumentSample] = numbers + dates + texts + keys + containers

  static let numbers: [DocumentSample] = [
    DocumentSample(
      "integers",
      [
        "min": .integer(.min), "max": .integer(.max), "zero": .integer(0), "minus": .integer(-1),
        "above 2^53": .integer(9_007_199_254_740_993),
        "unsigned": .unsigned(.max), "first unsigned": .unsigned(UInt64(Int64.max) + 1),
      ]),
    DocumentSample(
      "doubles",
      [
        "minus zero": .double(-0.0), "zero": .double(0), "one": .double(1), "tenth": .double(0.1),
        "smallest": .double(.leastNonzeroMagnitude),
        "smallest normal": .double(.leastNormalMagnitude),
        "greatest": .double(.greatestFiniteMagnitude),
        "lowest": .double(-.greatestFiniteMagnitude),
        "third": .double(1 / 3), "2^53": .double(9_007_199_254_740_992),
        "2^63": .double(9_223_372_036_854_775_808), "1e16": .double(1e16), "1e22": .double(1e22),
        "1e300": .double(1e300), "1e-7": .double(1e-7),
      ]),
    DocumentSample(
      "non-finite doubles",
      [
        "nan": .double(.nan), "infinity": .double(.infinity), "minus": .double(-.infinity),
        "inside": .array([.double(.nan), .double(-.infinity)]),
      ]),
    DocumentSample(
      "numbers as written",
      [
        "thirty digits": .number("123456789012345678901234567890"),
        "minus thirty digits": .number("-123456789012345678901234567890"),
        "thirty fraction digits": .number("0.123456789012345678901234567890"),
        "too large": .number("1e400"), "too small": .number("1e-400"),
      ]),
    DocumentSample(
      "booleans beside numbers",
      [
        "true": .bool(true), "false": .bool(false), "1": .integer(1), "0": .integer(0),
        "1.0": .double(1), "0.0": .double(0), "null": .null,
      ]),
  ]

  static let dates: [DocumentSample] = [
    DocumentSample(
      "dates",
      [
        "reference": date(0), "epoch": date(-978_307_200), "whole": date(815_000_449),
        "milliseconds": date(700_000_000.123), "microseconds": date(700_000_000.123456),
        "last bit": date((700_000_000.1).nextUp), "before": date(-0.1), "tiny": date(1e-9),
        "2^-20": date(1 / 1_048_576),
      ]),
    DocumentSample(
      "far dates",
      [
        "past": .date(.distantPast), "future": .date(.distantFuture),
        "year 1": date(-63_113_904_000), "before year 1": date(-63_113_904_001),
        "end of 9999": date(252_423_993_599), "year 10000": date(252_423_993_600),
        "greatest": date(.greatestFiniteMagnitude), "smallest": date(.leastNonzeroMagnitude),
        "minus zero": date(-0.0),
      ]),
    DocumentSample(
      "non-finite dates",
      ["nan": date(.nan), "infinity": date(.infinity), "minus": date(-.infinity)]),
  ]

  static let texts: [DocumentSample] = [
    DocumentSample(
      "strings",
      [
        "empty": .string(""), "line ends": .string("\u{0}a\r\nb\rc\nd"), "null": .string("$null"),
        "space": .string("  leading and trailing \t"), "quotes": .string(#"a"b'c\d/e"#),
        "markup": .string("<a href=\"x\">&amp;]]></a><!-- -->"),
        "decomposed": .string("e\u{301}"), "composed": .string("\u{e9}"),
        "separators": .string("\u{2028}\u{2029}\u{85}\u{a0}\u{feff}"),
        "looks like others": .array(
          ["true", "null", "1", "1.5", "NaN", "2026-11-30T04:40:49Z", "AAEC"].map { .string($0) }),
      ]),
    DocumentSample(
      "ten thousand families",
      ["families": .string(String(repeating: "👨‍👩‍👧‍👦", count: 10_000))]),
    DocumentSample(
      "control characters",
      ["all": .string(text(of: 0...0x1f)), "high": .string(text(of: 0x7f...0x9f))]),
    DocumentSample(
      "noncharacters",
      [
        "fffe": .string("\u{fffe}"), "ffff": .string("a\u{ffff}b"),
        "fdd0": .string(text(of: 0xfdd0...0xfdef)),
        "10ffff": .string("\u{10ffff}"), "10000": .string("\u{10000}"),
      ]),
    DocumentSample(
      "data",
      [
        "empty": .data(Data()), "one": .data(Data([0])), "two": .data(Data([0xff, 0xfe])),
        "all": .data(Data(0...255)), "long": .data(Data(repeating: 0xa5, count: 10_001)),
      ]),
  ]

  static let keys: [DocumentSample] = [
    DocumentSample(
      "equal in Unicode, not in bytes", ["e\u{301}": .integer(1), "\u{e9}": .integer(2)]),
    DocumentSample(
      "odd keys",
      [
        "": .string("empty"), ".": .integer(1), "a.b": .integer(2), "/": .integer(3),
        "../x": .integer(4), "@": .integer(5), "$": .integer(6), "$null": .integer(7),
        "CF$UID": .integer(8), " ": .integer(9), "\u{0}": .integer(10), "\r\n": .integer(11),
        "\u{fffe}": .integer(12), "\"": .integer(13), "\\": .integer(14), "<": .integer(15),
        "&": .integer(16), "😀": .integer(17), "key": .integer(18), "Key": .integer(19),
        "__proto__": .integer(20),
      ]),
    DocumentSample("a long key", [String(repeating: "k", count: 70_000): .integer(1)]),
    DocumentSample("a thousand keys", manyKeys(1_000)),
  ]

  static let containers: [DocumentSample] = [
    DocumentSample("empty", [:]),
    DocumentSample(
      "empty containers",
      [
        "array": .array([]), "dictionary": .dictionary([:]), "null": .null,
        "in array": .array([.array([]), .dictionary([:]), .null, .string("")]),
        "in dictionary": .dictionary(["a": .array([]), "d": .dictionary([:]), "n": .null]),
      ]),
    DocumentSample(
      "nulls",
      ["array": .array([.null, .integer(1), .null]), "dictionary": .dictionary(["n": .null])]),
    DocumentSample(
      "mixed",
      [
        "array": .array([
          .bool(true), .integer(1), .double(1), .string("1"), .data(Data([1])), date(1),
          .array([.bool(false)]), .dictionary(["z": .integer(1), "a": .integer(2)]),
          .unsigned(.max), .null,
        ])
      ]),
    DocumentSample("as deep as allowed", nested(depth: FormatLimits.depth)),
    DocumentSample(
      "dictionaries as deep as allowed", nestedDictionaries(depth: FormatLimits.depth)),
  ]

  /// A document whose deepest array is at this depth; the document itself is at depth 1.
  package static func nested(depth: Int) -> StoreDocument {
    guard depth > 1 else { return [:] }
    var value = StoreValue.array([])
    for _ in 2..<depth { value = .array([value]) }
    return ["deep": value]
  }

  /// The same with dictionaries.
  package static func nestedDictionaries(depth: Int) -> StoreDocument {
    var document = StoreDocument()
    for _ in 1..<depth { document = ["d": .dictionary(document)] }
    return document
  }

  /// `key 0` to `key n-1`, with integers.
  package static func manyKeys(_ count: Int) -> StoreDocument {
    var document = StoreDocument()
    for number in 0..<count { document["key \(number)"] = .integer(Int64(number)) }
    return document
  }

  private static func date(_ seconds: Double) -> StoreValue {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  private static func text(of scalars: ClosedRange<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
    return String(text)
  }
}
