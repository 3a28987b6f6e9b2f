extension JSONReader {
  /// The string whose opening quote is at `position`.
  ///
  /// Most strings have no escapes: their bytes are looked at once for where they end, and copied
  /// once.
  mutating func readString() throws(FormatError) -> String {
    let start = position + 1
    let (end, isASCII) = plainRun(from: start)
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
      return try readEscapedString(from: start)
    }
    position = end + 1
    return try text(start..<end, isASCII: isASCII)
  }

  /// Where the run of bytes that stand for themselves ends: at a quote, a backslash, a control
  /// character or the end of the input.
  private func plainRun(from start: Int) -> (end: Int, isASCII: Bool) {
    var end = start
    var all: UInt8 = 0
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      all |= byte
      end += 1
    }
    return (end, all < 0x80)
  }

  private func text(_ range: Range<Int>, isASCII: Bool) throws(FormatError) -> String {
    // `String(validating:)` would say the same, but is not specialised: it takes 150 ns more for
    // each string. What had to be repaired has other bytes than its source.
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard isASCII || text.utf8.elementsEqual(bytes[range]) else {
      throw fault(.invalidUTF8, at: firstInvalidByte(in: range))
    }
    return text
  }

  private mutating func readEscapedString(
    from start: Int
  ) throws(FormatError) -> String {
    var result = ""
    var start = start
    while true {
      let (end, isASCII) = plainRun(from: start)
      result += try text(start..<end, isASCII: isASCII)
      guard end < bytes.count else { throw fault(.unexpectedEnd, at: end) }
      position = end
      switch bytes[end] {
      case UInt8(ascii: "\""):
        position += 1
        return result
      case UInt8(ascii: "\\"): result.unicodeScalars.append(try readEscape())
      default: throw fault(.controlCharacterInString, at: end)
      }
      start = position
    }
  }

  /// The character that the escape at `position` stands for.
  private mutating func readEscape() throws(FormatError) -> Unicode.Scalar {
    let start = position
    guard start + 1 < bytes.count else { throw fault(.unexpectedEnd, at: bytes.count) }
    position += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw fault(.invalidEscape, at: start)
    }
    let unit = try readHexadecimal(escape: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A surrogate: the first half, with the second right behind it, or nothing.
    guard UTF16.isLeadSurrogate(unit) else { throw fault(.unpairedSurrogate, at: start) }
    let second = position
    guard second < bytes.count else { throw fault(.unexpectedEnd, at: second) }
    guard bytes[second] == UInt8(ascii: "\\") else { throw fault(.unpairedSurrogate, at: start) }
    guard second + 1 < bytes.count else { throw fault(.unexpectedEnd, at: second + 1) }
    guard bytes[second + 1] == UInt8(ascii: "u") else { throw fault(.unpairedSurrogate, at: start) }
    position += 2
    let other = try readHexadecimal(escape: second)
    guard UTF16.isTrailSurrogate(other) else { throw fault(.unpairedSurrogate, at: start) }
    let number = 0x1_0000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(other) - 0xdc00)
    guard let scalar = Unicode.Scalar(number) else { throw fault(.unpairedSurrogate, at: start) }
    return scalar
  }

  /// Four hexadecimal digits at `position`.
  private mutating func readHexadecimal(escape: Int) throws(FormatError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek() else { throw fault(.unexpectedEnd, at: position) }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw fault(.invalidEscape, at: escape)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  /// Where the first byte is that is not part of a character, or of a whole one.
  private func firstInvalidByte(in range: Range<Int>) -> Int {
    var offset = range.lowerBound
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[range].makeIterator()
    while case .valid(let character) = parser.parseScalar(from: &rest) {
      offset += character.count
    }
    return offset
  }
}
