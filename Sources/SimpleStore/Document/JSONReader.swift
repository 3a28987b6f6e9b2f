/// Reads one JSON text, once, from its first byte to its last.
///
/// It recurses only into arrays and objects, not deeper than ``FormatLimits/depth``.
struct JSONReader {
  let bytes: [UInt8]
  var position = 0
  private var values = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The whole text as a document.
  mutating func readDocument() throws(FormatError) -> StoreDocument {
    guard bytes.count <= FormatLimits.bytes else { throw FormatError(.tooLarge) }
    if let encoding = Self.foreignEncoding(of: bytes) {
      throw fault(.unsupportedEncoding(encoding), at: 0)
    }
    if bytes.starts(with: TextPosition.byteOrderMark) { position = 3 }
    skipSpace()
    guard let first = peek() else { throw fault(.unexpectedEnd, at: position) }
    guard first == UInt8(ascii: "{") else { throw rootFault(first) }
    let document = try readObject(depth: 1)
    skipSpace()
    guard position == bytes.count else { throw fault(.trailingContent, at: position) }
    return document
  }

  // MARK: Values

  // These three call each other, so they are kept to what that takes: without optimisation each
  // `try` and each case with a value has room of its own on the stack.

  private mutating func readValue(depth: Int) throws(FormatError) -> StoreValue {
    switch peek() {
    case UInt8(ascii: "{"): .dictionary(try readObject(depth: depth + 1))
    case UInt8(ascii: "["): .array(try readArray(depth: depth + 1))
    default: try readScalar()
    }
  }

  private mutating func readObject(depth: Int) throws(FormatError) -> StoreDocument {
    var document = StoreDocument()
    var goesOn = try enter(depth, "}")
    if goesOn { document.reserveEntries(depth == 1 ? min(32, max(4, bytes.count / 32)) : 4) }
    while goesOn {
      let key = try readKey(isFirst: document.isEmpty)
      document.put(key, try readValue(depth: depth))
      goesOn = try readSeparator("}", "',' or '}'")
    }
    return document
  }

  private mutating func readArray(depth: Int) throws(FormatError) -> [StoreValue] {
    var elements: [StoreValue] = []
    var goesOn = try enter(depth, "]")
    while goesOn {
      elements.append(try readValue(depth: depth))
      goesOn = try readSeparator("]", "',' or ']'")
      if goesOn { try expectElement() }
    }
    return elements
  }

  /// Steps over an opening bracket and the space behind it.
  ///
  /// - Returns: Whether anything comes before the closing one, which is stepped over if not.
  private mutating func enter(
    _ depth: Int, _ close: Unicode.Scalar
  ) throws(FormatError) -> Bool {
    // The outermost object is not counted.
    if depth > 1 { try countValue() }
    guard depth <= FormatLimits.depth else { throw fault(.tooDeep, at: position) }
    position += 1
    skipSpace()
    return !take(UInt8(ascii: close))
  }

  /// A key and the colon behind it.
  private mutating func readKey(isFirst: Bool) throws(FormatError) -> String {
    guard peek() == UInt8(ascii: "\"") else {
      throw unexpected(
        isFirst
          ? "a key in double quotes or '}'" : "another key (no comma follows the last entry)")
    }
    let key = try readString()
    skipSpace()
    guard take(UInt8(ascii: ":")) else { throw unexpected("':'") }
    skipSpace()
    return key
  }

  /// What follows a value inside brackets.
  ///
  /// - Returns: Whether that is a comma, and another value comes.
  private mutating func readSeparator(
    _ close: Unicode.Scalar, _ expected: String
  ) throws(FormatError) -> Bool {
    skipSpace()
    if take(UInt8(ascii: close)) { return false }
    guard take(UInt8(ascii: ",")) else { throw unexpected(expected) }
    skipSpace()
    return true
  }

  private func expectElement() throws(FormatError) {
    if peek() == UInt8(ascii: "]") {
      throw unexpected("another value (no comma follows the last element)")
    }
  }

  private mutating func countValue() throws(FormatError) {
    values += 1
    guard values <= FormatLimits.nodes else { throw fault(.tooManyValues, at: position) }
  }

  private mutating func readScalar() throws(FormatError) -> StoreValue {
    try countValue()
    guard let first = peek() else { throw fault(.unexpectedEnd, at: position) }
    switch first {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func readWord(
    _ word: String, _ value: StoreValue
  ) throws(FormatError) -> StoreValue {
    for byte in word.utf8 {
      guard take(byte) else { throw unexpected(word) }
    }
    if let next = peek(), Self.continuesWord(next) { throw unexpected("nothing after \(word)") }
    return value
  }

  private mutating func readNumber() throws(FormatError) -> StoreValue {
    if let small = readSmallInteger() { return .integer(small) }
    let start = position
    while position < bytes.count, Self.continuesWord(bytes[position]) { position += 1 }
    guard let value = NumberText.value(of: bytes[start..<position]) else {
      if position == bytes.count { throw fault(.unexpectedEnd, at: position) }
      // A few dozen bytes say enough; the text may be the whole file.
      let text = String(decoding: bytes[start..<min(position, start + 40)], as: UTF8.self)
      throw fault(.invalidNumber(text), at: start)
    }
    return value
  }

  /// The integer that up to 18 digits spell, which most numbers of a file are. Nil for anything
  /// else, `-0` and what is no number included, which is then still to be read.
  private mutating func readSmallInteger() -> Int64? {
    let isNegative = bytes[position] == UInt8(ascii: "-")
    let start = isNegative ? position + 1 : position
    var end = start
    var number: Int64 = 0
    while end < bytes.count, end - start <= 18 {
      let digit = bytes[end] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      number = number &* 10 &+ Int64(digit)
      end += 1
    }
    let count = end - start
    // What starts with zero is zero, or no integer.
    guard count > 0, count <= 18, bytes[start] != UInt8(ascii: "0") || (count == 1 && !isNegative),
      end == bytes.count || !Self.continuesWord(bytes[end])
    else { return nil }
    position = end
    return isNegative ? -number : number
  }

  /// Whether a byte that follows a number or a word belongs to it, rightly or not.
  private static func continuesWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  // MARK: Bytes

  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      default: return
      }
    }
  }
}
