import Foundation
import SimpleStore
import TestSupport

/// What both forms of property list are tried on, beyond what every format is.
enum PropertyListSamples {
  /// Documents that look like the dictionaries with which a property list spells other things.
  static let wrappers: [DocumentSample] = [
    DocumentSample("null", ["a": .dictionary(["$null": .bool(true)]), "b": .null]),
    DocumentSample("escaped null", ["a": .dictionary(["$$null": .bool(true)])]),
    DocumentSample("twice escaped null", ["a": .dictionary(["$$$null": .bool(true)])]),
    DocumentSample("null of another kind", ["a": .dictionary(["$null": .integer(3)])]),
    DocumentSample("escaped null of another kind", ["a": .dictionary(["$$null": .integer(3)])]),
    DocumentSample("null of null", ["a": .dictionary(["$null": .null])]),
    DocumentSample(
      "null and more", ["a": .dictionary(["$null": .bool(true), "x": .bool(true)])]),
    DocumentSample(
      "string",
      [
        "a": .dictionary(["$string": .data(Data("text".utf8))]),
        "b": .dictionary(["$string": .data(Data([0xFF]))]),
        "c": .dictionary(["$$string": .data(Data([0xFF]))]),
        "d": .dictionary(["$string": .string("\u{0}")]),
        "e": .dictionary(["$string": .data(Data())]),
      ]),
    DocumentSample(
      "dictionary",
      [
        "a": .dictionary(["$dictionary": .array([.string("k"), .integer(1)])]),
        "b": .dictionary(["$dictionary": .array([.string("k")])]),
        "c": .dictionary(["$dictionary": .array([.integer(1), .string("k")])]),
        "d": .dictionary(["$dictionary": .array([])]),
        "e": .dictionary(["$$dictionary": .array([.string("\u{0}"), .null])]),
        "f": .dictionary(["\u{0}": .dictionary(["\u{0}": .null, "$null": .bool(true)])]),
        "g": .dictionary(["$dictionary": .array([.string("\u{0}"), .dictionary([:])])]),
      ]),
    DocumentSample(
      "number",
      [
        "a": .dictionary(["$number": .string("1e400")]),
        "b": .dictionary(["$number": .string("not one")]),
        "c": .dictionary(["$number": .number("1e400")]),
        "d": .number("1"), "e": .number("0.5"), "f": .number("1e5"), "g": .number("1.50"),
        "h": .number("170141183460469231731687303715884105727"),
        "i": .number("-170141183460469231731687303715884105728"),
        "j": .number("170141183460469231731687303715884105728"),
        "k": .number("1e400"), "l": .number("-0"), "m": .number("-0.0"),
        "n": .number("123456789012345678901234567890.0"),
      ]),
    DocumentSample("root null", ["$null": .bool(true)]),
    DocumentSample("root number", ["$number": .string("1e400")]),
    DocumentSample("root string", ["$string": .data(Data())]),
    DocumentSample("root dictionary", ["$dictionary": .array([.string("a"), .integer(1)])]),
    DocumentSample("root escaped", ["$$dictionary": .array([.string("a"), .integer(1)])]),
    DocumentSample("root of another kind", ["$dictionary": .array([.integer(1)])]),
    DocumentSample("root key beyond XML", ["\u{1}": .integer(1)]),
    DocumentSample("root UID", ["CF$UID": .integer(1)]),
    DocumentSample(
      "UID",
      [
        "a": .dictionary(["CF$UID": .integer(0)]), "b": .dictionary(["CF$UID": .integer(255)]),
        "c": .dictionary(["CF$UID": .integer(256)]),
        "d": .dictionary(["CF$UID": .integer(65_536)]),
        "e": .dictionary(["CF$UID": .integer(4_294_967_295)]),
        "f": .dictionary(["CF$UID": .integer(4_294_967_296)]),
        "g": .dictionary(["CF$UID": .integer(-1)]), "h": .dictionary(["CF$UID": .string("1")]),
        "i": .dictionary(["CF$UID": .integer(1), "x": .integer(1)]),
        "j": .dictionary(["CF$UID": .unsigned(.max)]),
      ]),
  ]

  /// What is spelled as a dictionary, where only something that is not one may stand.
  static let deepest: [DocumentSample] =
    [
      StoreValue.null, .number("1e400"), .string("\u{0}"), .number("5"),
    ].map { leaf in
      var value = StoreValue.array([leaf])
      for _ in 0..<(FormatLimits.depth - 2) { value = .array([value]) }
      return DocumentSample("deepest \(leaf.kind)", ["a": value])
    } + [
      DocumentSample(
        "dictionaries with odd keys as deep as allowed",
        (1..<FormatLimits.depth).reduce(StoreDocument()) { inner, _ in
          ["\u{0}": .dictionary(inner)]
        })
    ]

  static let all = DocumentSamples.extremes + wrappers + deepest
}
