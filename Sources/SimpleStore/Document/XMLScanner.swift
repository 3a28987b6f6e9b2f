/// Reads an XML document tag by tag, without knowing what the tags mean.
///
/// Nothing is kept beyond the position, and nothing expands: entities are the five named ones and
/// numeric references.
struct XMLScanner {
  struct Tag {
    enum Kind { case open, close, empty }
    let kind: Kind
    let name: Range<Int>
    /// Where its `<` is.
    let start: Int
  }

  /// Valid UTF-8.
  let bytes: [UInt8]
  var position = 0
  private let encoding: XMLEncoding

  init(_ bytes: [UInt8], _ encoding: XMLEncoding) {
    self.bytes = bytes
    self.encoding = encoding
  }

  // MARK: Errors

  static func error(
    _ reason: FormatError.Reason, at position: Int, of bytes: [UInt8]
  ) -> FormatError {
    let place = TextPosition(of: position, in: bytes)
    return FormatError(reason, line: place.line, column: place.column)
  }

  func error(_ reason: FormatError.Reason, at position: Int) -> FormatError {
    Self.error(reason, at: position, of: bytes)
  }

  /// The error for whatever is at the position, which is none of what could stand there.
  func unexpected(_ expected: String, at position: Int) -> FormatError {
    guard position < bytes.count else { return error(.unexpectedEnd, at: bytes.count) }
    return error(.unexpectedByte(bytes[position], expected: expected), at: position)
  }

  /// Some of the document as text for an error, cut to a readable length.
  func excerpt(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(60), as: UTF8.self)
  }

  // MARK: Markup

  /// What stands before the first element: the XML declaration and the document type.
  mutating func skipProlog() throws(FormatError) {
    if starts(with: "<?xml"), position + 5 < bytes.count, bytes[position + 5].isXMLSpace {
      try readDeclaration()
    }
    try skipMiscellaneous()
    guard starts(with: "<!DOCTYPE") else { return }
    position += 9
    // Names and literals; the identifiers are looked at by nobody and fetched by nobody.
    while true {
      guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
      switch bytes[position] {
      case UInt8(ascii: ">"):
        position += 1
        return
      case UInt8(ascii: "["): throw error(.internalSubset, at: position)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try readLiteral()
      case let byte where byte.isXMLSpace || byte.isXMLName: position += 1
      default: throw unexpected("'>' of the document type", at: position)
      }
    }
  }

  /// The next tag, after white space, comments and processing instructions; nil at the end.
  mutating func nextTag() throws(FormatError) -> Tag? {
    try skipMiscellaneous()
    guard position < bytes.count else { return nil }
    guard bytes[position] == UInt8(ascii: "<") else { throw unexpected("'<'", at: position) }
    return try readTag()
  }

  /// Goes past the end tag that belongs to an open one, if it is here and plain.
  mutating func skipEndTag(of tag: Tag) -> Bool {
    let end = position + 2 + tag.name.count
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">"),
      bytes[position] == UInt8(ascii: "<"), bytes[position + 1] == UInt8(ascii: "/")
    else { return false }
    for offset in 0..<tag.name.count
    where bytes[position + 2 + offset] != bytes[tag.name.lowerBound + offset] {
      return false
    }
    position = end + 1
    return true
  }

  private mutating func readTag() throws(FormatError) -> Tag {
    let start = position
    position += 1
    let isClose = position < bytes.count && bytes[position] == UInt8(ascii: "/")
    if isClose { position += 1 }
    let name = readName()
    if name.isEmpty { throw unexpected("the name of an element", at: position) }
    while true {
      let afterSpace = skipSpace()
      guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        return Tag(kind: isClose ? .close : .open, name: name, start: start)
      }
      if isClose { throw unexpected("'>'", at: position) }
      if bytes[position] == UInt8(ascii: "/") {
        guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: ">") else {
          throw unexpected("'>' after '/'", at: position + 1)
        }
        position += 2
        return Tag(kind: .empty, name: name, start: start)
      }
      if !afterSpace { throw unexpected("'>'", at: position) }
      _ = try readAttribute()
    }
  }

  private mutating func readDeclaration() throws(FormatError) {
    position += 5
    while true {
      let afterSpace = skipSpace()
      if starts(with: "?>") {
        position += 2
        return
      }
      if !afterSpace { throw unexpected("'?>'", at: position) }
      let start = position
      let (name, value) = try readAttribute()
      switch (excerpt(name), excerpt(value)) {
      case ("version", let version) where version.hasPrefix("1."): break
      case ("standalone", "yes"), ("standalone", "no"): break
      case ("encoding", let declared):
        guard encoding.agrees(withDeclared: declared) else {
          throw error(.unsupportedEncoding(declared), at: value.lowerBound)
        }
        if declared.uppercased().hasSuffix("ASCII"),
          let other = bytes.firstIndex(where: { $0 >= 0x80 })
        {
          throw unexpected("a character of \(declared)", at: other)
        }
      default: throw unexpected("'version', 'encoding', 'standalone' or '?>'", at: start)
      }
    }
  }

  private mutating func readAttribute() throws(FormatError) -> (name: Range<Int>, value: Range<Int>)
  {
    let name = readName()
    if name.isEmpty { throw unexpected("an attribute or '>'", at: position) }
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      throw unexpected("'='", at: position)
    }
    position += 1
    skipSpace()
    return (name, try readLiteral())
  }

  private mutating func readLiteral() throws(FormatError) -> Range<Int> {
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
    else { throw unexpected("a quotation mark", at: position) }
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: bytes[position]) else {
      throw error(.unexpectedEnd, at: bytes.count)
    }
    if let stray = bytes[start..<end].firstIndex(of: UInt8(ascii: "<")) {
      throw unexpected("a quotation mark", at: stray)
    }
    position = end + 1
    return start..<end
  }

  /// The name at the position, which may be empty.
  mutating func readName() -> Range<Int> {
    let start = position
    while position < bytes.count, bytes[position].isXMLName { position += 1 }
    return start..<position
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = position
    while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
    return position > start
  }

  /// White space, comments and processing instructions.
  private mutating func skipMiscellaneous() throws(FormatError) {
    while true {
      skipSpace()
      guard try skipCommentOrInstruction() else { return }
    }
  }

  /// Goes past a comment or a processing instruction; false when there is none.
  mutating func skipCommentOrInstruction() throws(FormatError) -> Bool {
    // Nearly always it is a tag: one look at the next byte tells.
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "<"),
      bytes[position + 1] == UInt8(ascii: "!") || bytes[position + 1] == UInt8(ascii: "?")
    else { return false }
    if starts(with: "<!--") {
      // "--" may not stand in a comment, which is what tells a forgotten "-->".
      let end = try find("--", from: position + 4)
      guard end + 2 < bytes.count, bytes[end + 2] == UInt8(ascii: ">") else {
        throw unexpected("'>' after '--'", at: end + 2)
      }
      position = end + 3
      return true
    }
    if starts(with: "<?") {
      let start = position
      position += 2
      let target = readName()
      // A second XML declaration, or one that is not at the very start.
      if target.isEmpty || excerpt(target).lowercased() == "xml" {
        throw unexpected("a processing instruction", at: start)
      }
      position = try find("?>", from: position) + 2
      return true
    }
    return false
  }

  /// Whether the document goes on with a text.
  func starts(with text: StaticString) -> Bool { matches(text, at: position) }

  private func matches(_ text: StaticString, at position: Int) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { wanted in
      for offset in wanted.indices where bytes[position + offset] != wanted[offset] { return false }
      return true
    }
  }

  /// Where a text comes next.
  func find(_ text: StaticString, from start: Int) throws(FormatError) -> Int {
    var position = start
    while position < bytes.count {
      if matches(text, at: position) { return position }
      position += 1
    }
    throw error(.unexpectedEnd, at: bytes.count)
  }
}

extension UInt8 {
  /// Whether the byte is one of an element's name. Wider than XML's rule beyond ASCII, which
  /// changes nothing: no element of a property list has such a name.
  var isXMLName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }
}
