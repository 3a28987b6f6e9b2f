extension XMLScanner {
  /// The text up to the next `</`, with references replaced, CDATA unwrapped, comments left out,
  /// and line ends as LF (XML 1.0, section 2.11).
  mutating func readText() throws(FormatError) -> ArraySlice<UInt8> {
    let start = position
    skipPlainText()
    if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "<"),
      bytes[position + 1] == UInt8(ascii: "/")
    {
      return bytes[start..<position]
    }
    var text = Array(bytes[start..<position])
    while true {
      guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
      switch bytes[position] {
      case UInt8(ascii: "<"):
        if starts(with: "</") { return text[...] }
        if starts(with: "<![CDATA[") {
          try readCharacterData(into: &text)
        } else if try !skipCommentOrInstruction() {
          throw unexpected("text or an end tag", at: position)
        }
      case UInt8(ascii: "&"): try readReference(into: &text)
      case UInt8(ascii: "]"):
        if starts(with: "]]>") { throw unexpected("text without ']]>'", at: position) }
        text.append(bytes[position])
        position += 1
      default: try readSpecialCharacter(into: &text)
      }
      let run = position
      skipPlainText()
      text.append(contentsOf: bytes[run..<position])
    }
  }

  /// Goes on to the next byte that may need more than copying.
  private mutating func skipPlainText() {
    var next = position
    while next < bytes.count {
      let byte = bytes[next]
      // Most letters of most files pass by the first two comparisons.
      if byte > 0x5D ? byte != 0xEF : byte > 0x3C ? byte != 0x5D : Self.isPlain(byte) {
        next += 1
      } else {
        break
      }
    }
    position = next
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&") : byte == 9 || byte == 10
  }

  /// A line end, or the first byte of a character that XML may not have.
  private mutating func readSpecialCharacter(into text: inout [UInt8]) throws(FormatError) {
    let byte = bytes[position]
    if byte == 0x0D {
      text.append(0x0A)
      position += 1
      if position < bytes.count, bytes[position] == 0x0A { position += 1 }
      return
    }
    // EF BF BE and EF BF BF are U+FFFE and U+FFFF.
    if byte < 0x20 && byte != 9 && byte != 10
      || byte == 0xEF && bytes[position + 1] == 0xBF && bytes[position + 2] >= 0xBE
    {
      throw error(.controlCharacterInString, at: position)
    }
    text.append(byte)
    position += 1
  }

  private mutating func readCharacterData(into text: inout [UInt8]) throws(FormatError) {
    let end = try find("]]>", from: position + 9)
    position += 9
    while position < end { try readSpecialCharacter(into: &text) }
    position = end + 3
  }

  private mutating func readReference(into text: inout [UInt8]) throws(FormatError) {
    let start = position
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "#") { position += 1 }
    _ = readName()
    guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
    guard bytes[position] == UInt8(ascii: ";") else { throw error(.invalidEscape, at: start) }
    let name = start + 1..<position
    position += 1
    // Not an excerpt: the digits that it leaves out could make it another character.
    switch String(decoding: bytes[name], as: UTF8.self) {
    case "lt": text.append(UInt8(ascii: "<"))
    case "gt": text.append(UInt8(ascii: ">"))
    case "amp": text.append(UInt8(ascii: "&"))
    case "quot": text.append(UInt8(ascii: "\""))
    case "apos": text.append(UInt8(ascii: "'"))
    case let number where number.hasPrefix("#"):
      let isHexadecimal = number.hasPrefix("#x")
      let digits = number.utf8.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
        let code = UInt32(String(Substring(digits)), radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(code), let encoded = UTF8.encode(scalar),
        PropertyListSpelling.canHold(String(scalar))
      else { throw error(.invalidEscape, at: start) }
      text.append(contentsOf: encoded)
    case "": throw error(.invalidEscape, at: start)
    default: throw error(.unknownEntity(excerpt(name)), at: start)
    }
  }
}
