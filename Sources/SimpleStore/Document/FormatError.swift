/// Why bytes are not a document, or a document cannot be bytes. Data only: the sentences are in
/// `StoreError+Messages.swift`.
package struct FormatError: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    // Reading, any format.
    /// The input ends inside a value.
    case unexpectedEnd
    /// A byte that cannot stand here; `expected` says what could ("a value", "',' or '}'").
    case unexpectedByte(UInt8, expected: String)
    case trailingContent
    case invalidUTF8
    case invalidNumber(String)
    case invalidEscape
    /// A surrogate without its other half.
    case unpairedSurrogate
    case controlCharacterInString
    /// The outermost value is not a dictionary.
    case rootIsNotADictionary(found: String)
    /// Not this format at all; `found` says what it looks like ("a binary property list").
    case otherFormat(found: String)
    case invalidDate(String)
    case invalidData
    // Reading XML.
    case unknownElement(String)
    case mismatchedTag(open: String, close: String)
    case unknownEntity(String)
    /// A document type with declarations of its own: entities could expand without bound.
    case internalSubset
    case unsupportedEncoding(String)
    case keyWithoutValue
    case valueWithoutKey
    // Reading binary.
    case invalidTrailer
    case invalidReference(UInt64)
    case unknownObjectType(UInt8)
    case keyIsNotAString
    /// An object that contains itself.
    case selfReference
    // Reading and writing.
    /// Deeper than ``FormatLimits/depth``.
    case tooDeep
    /// More than ``FormatLimits/nodes`` values, counting a shared one each time.
    case tooManyValues
    /// More than ``FormatLimits/bytes`` bytes.
    case tooLarge
  }

  package var reason: Reason { parts.reason }
  /// Byte offset in the input, from 0.
  package var offset: Int? { parts.offset }
  /// Line and column in the input, from 1, of text formats; the column counts characters
  /// (Unicode scalars).
  package var line: Int? { parts.line }
  package var column: Int? { parts.column }
  /// Writing: the top-level key whose value cannot be held.
  package var key: String? { parts.key }

  private struct Parts: Equatable {
    let reason: Reason
    let offset: Int?
    let line: Int?
    let column: Int?
    let key: String?
  }
  /// One pointer: without optimisation each `try` of a function has room for its error on the
  /// stack, and readers and writers call themselves for each level of a document.
  private indirect enum Box: Equatable {
    case parts(Parts)
  }
  private let box: Box
  private var parts: Parts {
    switch box {
    case .parts(let parts): parts
    }
  }

  package init(
    _ reason: Reason, offset: Int? = nil, line: Int? = nil, column: Int? = nil, key: String? = nil
  ) {
    box = .parts(Parts(reason: reason, offset: offset, line: line, column: column, key: key))
  }
}

/// What readers refuse, so that no input can take the stack, the memory or the time of a program.
package enum FormatLimits {
  /// How deep arrays and dictionaries may nest; the outermost dictionary is at depth 1.
  package static let depth = 128
  /// How many values a document may have, counting what a binary property list shares each time.
  package static let nodes = 4_000_000
  /// How many values a binary property list may have by sharing alone, however small it is.
  package static let sharedNodes = 100_000
  /// The size of a file, in bytes.
  package static let bytes = 256 * 1024 * 1024
}
