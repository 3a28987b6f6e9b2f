/// Where an offset is in a text, as an editor shows it. Worked out only when an error is made.
package struct TextPosition: Equatable, Sendable {
  /// From 1; a line ends with LF, CR or CR LF.
  package let line: Int
  /// From 1, in Unicode scalars. A byte order mark at the start of the text does not count.
  package let column: Int

  /// The position of the byte at `offset`, which may be the end of the text or beyond it.
  package init(of offset: Int, in bytes: [UInt8]) {
    let end = min(offset, bytes.count)
    var line = 1
    var start = bytes.starts(with: Self.byteOrderMark) ? min(3, end) : 0
    for position in start..<end {
      let isLineEnd =
        bytes[position] == UInt8(ascii: "\n")
        || (bytes[position] == UInt8(ascii: "\r")
          && (position + 1 == bytes.count || bytes[position + 1] != UInt8(ascii: "\n")))
      if isLineEnd {
        line += 1
        start = position + 1
      }
    }
    self.line = line
    // Every byte that does not continue a scalar starts one.
    column = 1 + bytes[start..<end].count { $0 & 0xc0 != 0x80 }
  }

  /// U+FEFF in UTF-8.
  package static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
