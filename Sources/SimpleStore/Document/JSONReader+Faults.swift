extension JSONReader {
  /// An error at an offset, with its line and column.
  func fault(_ reason: FormatError.Reason, at offset: Int) -> FormatError {
    let place = TextPosition(of: offset, in: bytes)
    return FormatError(reason, offset: offset, line: place.line, column: place.column)
  }

  /// The error for the byte at `position`, which is not what could stand here.
  ///
  /// Habits from JavaScript, JSON5 and other languages are named, since a hand edit is where most
  /// of these come from.
  func unexpected(_ expected: String) -> FormatError {
    guard let byte = peek() else { return fault(.unexpectedEnd, at: position) }
    let hint: String? =
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments"
      case UInt8(ascii: "'"): "strings and keys stand in double quotes"
      case UInt8(ascii: "+"), UInt8(ascii: "."): "a number starts with '-' or a digit"
      case UInt8(ascii: "N"), UInt8(ascii: "I"): "NaN and Infinity are written as strings"
      case UInt8(ascii: "T"), UInt8(ascii: "F"): "true and false are written in lower case"
      case UInt8(ascii: "\""): expected.hasPrefix("','") ? "a comma is missing" : nil
      default: nil
      }
    let sentence = hint.map { "\(expected) (\($0))" } ?? expected
    return fault(.unexpectedByte(byte, expected: sentence), at: position)
  }

  /// The error for a text that does not start with an object.
  func rootFault(_ first: UInt8) -> FormatError {
    let rest = bytes[position...]
    if rest.starts(with: "bplist".utf8) {
      return fault(.otherFormat(found: "a binary property list"), at: position)
    }
    if rest.starts(with: "<?xml".utf8) || rest.starts(with: "<!DOCTYPE".utf8)
      || rest.starts(with: "<plist".utf8)
    {
      return fault(.otherFormat(found: "XML"), at: position)
    }
    let found: String? =
      switch first {
      case UInt8(ascii: "["): "array"
      case UInt8(ascii: "\""): "string"
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "number"
      case _ where rest.starts(with: "true".utf8) || rest.starts(with: "false".utf8): "bool"
      case _ where rest.starts(with: "null".utf8): "null"
      default: nil
      }
    return found.map { fault(.rootIsNotADictionary(found: $0), at: position) } ?? unexpected("'{'")
  }

  /// The encoding, where the first bytes show that it is UTF-16 or UTF-32: by a byte order mark, or
  /// by the zeros beside an ASCII character, which is what JSON starts with (RFC 4627, section 3).
  static func foreignEncoding(of bytes: [UInt8]) -> String? {
    let start = Array(bytes.prefix(4))
    if start == [0xff, 0xfe, 0, 0] || start == [0, 0, 0xfe, 0xff] { return "UTF-32" }
    if start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff]) { return "UTF-16" }
    guard start.count == 4 else { return nil }
    switch (start[0] == 0, start[1] == 0, start[2] == 0, start[3] == 0) {
    case (false, true, true, true), (true, true, true, false): return "UTF-32"
    case (false, true, false, true), (true, false, true, false): return "UTF-16"
    default: return nil
    }
  }
}
