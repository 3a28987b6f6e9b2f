/// JSON as RFC 8259 defines it, read strictly and written for people.
///
/// Numbers without fraction and exponent are integers, all others doubles; a number that neither
/// holds exactly is carried through as it is written. What JSON has no type for is text: data is
/// Base64, a date is ISO 8601 (``DateText``; a date that has no such text is its seconds since the
/// reference date), and NaN and the infinities are `"NaN"`, `"Infinity"` and `"-Infinity"`. The
/// type of the field decides what such a text means when it is read.
///
/// ```json
/// {
///   "name": "sky",
///   "born": "2026-11-30T04:40:49Z"
/// }
/// ```
package struct JSONFormat: DocumentFormat {
  package init() {}

  /// The document with two spaces of indentation and a line end after the last brace.
  ///
  /// - Throws: `tooDeep`, `tooManyValues` or `tooLarge`, and `invalidNumber` for a
  ///   ``StoreValue/number(_:)`` whose text is no JSON number; each with the key.
  package func encode(_ document: StoreDocument) throws(FormatError) -> [UInt8] {
    var writer = JSONWriter()
    try writer.write(document)
    return writer.bytes
  }

  /// The document that a JSON text in UTF-8 spells; a byte order mark before it is allowed.
  ///
  /// - Throws: What is wrong first, with offset, line and column.
  package func decode(_ bytes: [UInt8]) throws(FormatError) -> StoreDocument {
    var reader = JSONReader(bytes)
    return try reader.readDocument()
  }
}
