/// The fixed parts of a binary property list: the header before the objects and the trailer after
/// the offset table.
struct BinaryPropertyListLayout {
  static let header = Array("bplist00".utf8)
  static let trailerSize = 32

  /// How many bytes an entry of the offset table has.
  let offsetSize: Int
  /// How many bytes a reference to an object has.
  let referenceSize: Int
  let objectCount: Int
  let outermost: Int
  /// Where the offset table begins and the objects end.
  let tableOffset: Int

  init(objectCount: Int, tableOffset: Int) {
    offsetSize = Self.size(of: tableOffset)
    referenceSize = Self.size(of: objectCount)
    self.objectCount = objectCount
    outermost = 0
    self.tableOffset = tableOffset
  }

  /// How many bytes a number takes.
  static func size(of number: Int) -> Int { max(1, (64 - number.leadingZeroBitCount + 7) / 8) }

  /// The layout of a file, if everything in it agrees.
  init(_ bytes: [UInt8]) throws(FormatError) {
    guard bytes.starts(with: Self.header) else { throw Self.wrongHeader(bytes) }
    let start = bytes.count - Self.trailerSize
    // The smallest file has one object of one byte and its offset.
    guard start >= Self.header.count + 2 else {
      throw FormatError(.unexpectedEnd, offset: bytes.count)
    }
    func number(_ position: Int) -> UInt64 {
      bytes[(start + position)..<(start + position + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    offsetSize = Int(bytes[start + 6])
    referenceSize = Int(bytes[start + 7])
    guard let objectCount = Int(exactly: number(8)), let outermost = Int(exactly: number(16)),
      let tableOffset = Int(exactly: number(24)),
      (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      objectCount > 0, outermost < objectCount,
      tableOffset > Self.header.count, tableOffset < start
    else { throw FormatError(.invalidTrailer, offset: start) }
    // The table fills exactly what is between objects and trailer.
    let (tableSize, isTooLarge) = objectCount.multipliedReportingOverflow(by: offsetSize)
    guard !isTooLarge, tableSize == start - tableOffset else {
      throw FormatError(.invalidTrailer, offset: start)
    }
    self.objectCount = objectCount
    self.outermost = outermost
    self.tableOffset = tableOffset
  }

  private static func wrongHeader(_ bytes: [UInt8]) -> FormatError {
    let beginning = PropertyListForm.Beginning(of: bytes)
    if beginning == .binary, bytes.count >= header.count {
      let version = String(decoding: bytes[6..<8], as: UTF8.self)
      return FormatError(
        .otherFormat(found: "a binary property list of version \(version)"), offset: 6)
    }
    if bytes.isEmpty || header.starts(with: bytes) {
      return FormatError(.unexpectedEnd, offset: bytes.count)
    }
    if let name = beginning.name { return FormatError(.otherFormat(found: name), offset: 0) }
    if beginning == .blank { return FormatError(.unexpectedEnd, offset: bytes.count) }
    return FormatError(.unexpectedByte(bytes[0], expected: "'bplist00'"), offset: 0)
  }
}
