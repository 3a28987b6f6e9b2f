/// How a document becomes bytes and comes back.
///
/// What every format promises, and `FormatLaws` tries: a document that was encoded decodes equal,
/// value by value and in order; bytes that are not a document are a ``FormatError``, never a trap;
/// of duplicate keys the last one counts, in the place of the first; time and memory are bounded
/// by the size of the input and by ``FormatLimits``.
package protocol DocumentFormat: Sendable {
  /// The document as bytes, all of them, before anything is written.
  func encode(_ document: StoreDocument) throws(FormatError) -> [UInt8]
  /// The document that the bytes spell.
  func decode(_ bytes: [UInt8]) throws(FormatError) -> StoreDocument
}
