/// Binary property lists, `bplist00`, as Apple's tools write and read them.
///
/// Native types wherever the format has them; ``PropertyListSpelling`` says how null and numbers
/// beyond 128 bits are spelled. A UID, which only keyed archives have, is `{"CF$UID": n}`, as it is
/// in XML; a set is read as an array. Doubles and dates keep every bit.
///
/// The layout is described in Apple's `CFBinaryPList.c`:
/// <https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/CoreFoundation/CFBinaryPList.c>.
package struct BinaryPropertyListFormat: DocumentFormat {
  package init() {}

  /// The document with each distinct text, number, date and data once, and references and offsets
  /// as short as they can be.
  ///
  /// - Throws: ``FormatError`` with the top-level `key`: `.tooDeep`, `.tooManyValues`, `.tooLarge`,
  ///   or `.invalidNumber` for a ``StoreValue/number(_:)`` that is none.
  package func encode(_ document: StoreDocument) throws(FormatError) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    return try writer.write(document)
  }

  /// The document that the bytes spell, whose outermost object has to be a dictionary.
  ///
  /// Objects may overlap and may be shared; a shared object counts each time.
  ///
  /// - Throws: ``FormatError`` with the offset of what is wrong.
  package func decode(_ bytes: [UInt8]) throws(FormatError) -> StoreDocument {
    if bytes.count > FormatLimits.bytes { throw FormatError(.tooLarge, offset: 0) }
    var reader = try BinaryPropertyListReader(bytes)
    return try reader.read()
  }
}
