/// XML property lists, as Apple's tools write and read them.
///
/// Native types wherever the format has them; ``PropertyListSpelling`` says how the rest is
/// spelled. A date with a fraction of a second, or outside the years 1 to 9999, is a `<real>`: the
/// seconds since 2001-01-01T00:00:00Z. It is read back as a double, and a field of type `Date`
/// takes it as a date; a `<date>` of that kind, which other programs may write, is read as the same
/// double. Every NaN is `nan`.
///
/// The DTD: <http://www.apple.com/DTDs/PropertyList-1.0.dtd>; the text: XML 1.0, fifth edition.
package struct XMLPropertyListFormat: DocumentFormat {
  private let isForFoundation: Bool

  /// - Parameter isForFoundation: Whether numbers that Foundation cannot hold are wrapped, as in
  ///   binary files: it refuses a whole file for an `<integer>` beyond 64 bits, and rounds a `<real>`.
  package init(isForFoundation: Bool = false) { self.isForFoundation = isForFoundation }

  /// The document as UTF-8, with Apple's header, indented by tabs, a line end at the end.
  ///
  /// - Throws: ``FormatError`` with the top-level `key`: `.tooDeep`, `.tooManyValues`, `.tooLarge`,
  ///   or `.invalidNumber` for a ``StoreValue/number(_:)`` that is none.
  package func encode(_ document: StoreDocument) throws(FormatError) -> [UInt8] {
    var writer = XMLPropertyListWriter(wrapsNumbers: isForFoundation)
    return try writer.write(document)
  }

  /// The document that the bytes spell, whose outermost value has to be a dictionary.
  ///
  /// Comments, processing instructions, CDATA, the five named entities and numeric references are
  /// read; a document type is read if it declares nothing itself, so that no entity can expand.
  /// UTF-8, US-ASCII, and UTF-16 with a byte order mark.
  ///
  /// - Throws: ``FormatError`` with line and column.
  package func decode(_ bytes: [UInt8]) throws(FormatError) -> StoreDocument {
    if bytes.count > FormatLimits.bytes { throw FormatError(.tooLarge, line: 1, column: 1) }
    switch PropertyListForm.Beginning(of: bytes) {
    case .xml, .blank, .unknown: break
    case let other: throw FormatError(.otherFormat(found: other.name ?? ""), line: 1, column: 1)
    }
    var reader = try XMLPropertyListReader(bytes)
    return try reader.read()
  }
}
