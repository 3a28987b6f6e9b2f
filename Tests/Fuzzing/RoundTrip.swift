/// What holds for every input: it is refused with an error, or the document that was read can be
/// written and reads back equal, in its own format and in the one that has every kind of value.
///
/// Anything else traps, which is how libFuzzer learns of it.
enum RoundTrip {
  static func check(_ format: some DocumentFormat, _ start: UnsafePointer<UInt8>?, _ count: Int) {
    // Unsafe, and right: libFuzzer lends `count` bytes for the length of the call.
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let document: StoreDocument
    do { document = try format.decode(bytes) } catch { return }
    let written = rewrite(document, in: format)
    // Writing is a function of the document: what was read from it is written the same.
    do {
      let again = try format.encode(try format.decode(written))
      precondition(again == written, "written differently the second time")
    } catch {
      preconditionFailure("the second writing failed: \(error)")
    }
    _ = rewrite(document, in: BinaryPropertyListFormat())
  }

  /// Writes the document, reads it back, compares.
  private static func rewrite(_ document: StoreDocument, in format: some DocumentFormat) -> [UInt8]
  {
    do {
      let written = try format.encode(document)
      let back = try format.decode(written)
      precondition(back == document, "\(format) reads back \(back), written was \(document)")
      return written
    } catch {
      preconditionFailure("\(format) refuses what was read, \(document): \(error)")
    }
  }
}
