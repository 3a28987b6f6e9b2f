#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a property list spells what it has no type for: as a dictionary with one key.
///
/// | value | spelling | in |
/// |---|---|---|
/// | null | `{"$null": true}` | both |
/// | a number that neither integer nor real holds | `{"$number": "1e400"}` | both |
/// | text that XML cannot hold (``canHold(_:)``) | `{"$string": <data of its UTF-8>}` | XML |
/// | a dictionary with such a key | `{"$dictionary": [key, value, key, value, …]}` | XML |
///
/// A dictionary that is really stored and looks like one of these is written with one more `$`
/// before its key (`{"$$null": true}`), which the reader takes off again. A dictionary with such a
/// key and another kind of value (`{"$null": 3}`) cannot be mistaken and is written as it is.
///
/// The outermost value of a file is a dictionary, so there only `$dictionary` means something else.
package struct PropertyListSpelling {
  enum Word: String {
    case null = "$null"
    case number = "$number"
    case string = "$string"
    case dictionary = "$dictionary"
  }

  private let words: [Word]

  static let xml = PropertyListSpelling(words: [.null, .number, .string, .dictionary])
  static let binary = PropertyListSpelling(words: [.null, .number])
  /// For the outermost dictionary of XML. Binary needs none.
  static let xmlRoot = PropertyListSpelling(words: [.dictionary])

  /// The value that a dictionary in a file stands for, mostly itself, and what it is a wrapper of.
  func meaning(of dictionary: StoreDocument) -> (value: StoreValue, wrapper: Word?) {
    guard let (entry, word, isEscaped) = wrapper(dictionary) else {
      return (.dictionary(dictionary), nil)
    }
    if isEscaped { return (.dictionary([String(entry.key.dropFirst()): entry.value]), nil) }
    switch (word, entry.value) {
    case (.number, .string(let text)): return (.number(text), word)
    case (.string, .data(let data)): return (.string(String(decoding: data, as: UTF8.self)), word)
    case (.dictionary, .array(let parts)): return (.dictionary(Self.dictionary(of: parts)), word)
    default: return (.null, word)
    }
  }

  /// The key under which to write the value of a dictionary that would be mistaken; nil for all
  /// others.
  func escapedKey(of dictionary: StoreDocument) -> String? {
    wrapper(dictionary).map { "$" + $0.entry.key }
  }

  /// The only entry of a dictionary that is a wrapper, or one with more `$` than a wrapper has.
  private func wrapper(
    _ dictionary: StoreDocument
  ) -> (entry: StoreDocument.Entry, word: Word, isEscaped: Bool)? {
    guard dictionary.count == 1, let entry = dictionary.entries.first else { return nil }
    // Nearly every dictionary ends here.
    guard entry.key.utf8.first == UInt8(ascii: "$") else { return nil }
    let name = entry.key.utf8.drop { $0 == UInt8(ascii: "$") }
    guard let word = words.first(where: { $0.rawValue.utf8.dropFirst().elementsEqual(name) }),
      Self.hasShape(of: word, entry.value)
    else { return nil }
    return (entry, word, entry.key.utf8.count > word.rawValue.utf8.count)
  }

  private static func hasShape(of word: Word, _ value: StoreValue) -> Bool {
    switch (word, value) {
    case (.null, .bool(true)): true
    case (.number, .string(let text)): PropertyListNumber.isNumber(text)
    case (.string, .data(let data)): String(validating: data, as: UTF8.self) != nil
    case (.dictionary, .array(let parts)):
      parts.count.isMultiple(of: 2)
        && stride(from: 0, to: parts.count, by: 2).allSatisfy { position in
          if case .string = parts[position] { true } else { false }
        }
    default: false
    }
  }

  private static func dictionary(of parts: [StoreValue]) -> StoreDocument {
    var document = StoreDocument()
    document.reserveCapacity(parts.count / 2)
    for position in stride(from: 0, to: parts.count, by: 2) {
      if case .string(let key) = parts[position] { document.put(key, parts[position + 1]) }
    }
    return document
  }

  /// Whether every character of a text is one that XML has (XML 1.0, production 2): no control
  /// characters but tab and line ends, no U+FFFE, no U+FFFF.
  package static func canHold(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      for (position, byte) in utf8.enumerated() {
        // Nearly every byte passes by this.
        if byte >= 0x20, byte != 0xEF { continue }
        if byte < 0x20 {
          if !byte.isXMLSpace { return false }
        } else if utf8[position + 1] == 0xBF, utf8[position + 2] >= 0xBE {
          // EF BF BE and EF BF BF; text is valid, so EF has two bytes after it.
          return false
        }
      }
      return true
    }
  }
}
