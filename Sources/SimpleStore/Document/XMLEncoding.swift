/// How the characters of an XML document are encoded, and the document as UTF-8.
///
/// Known by the byte order mark, else UTF-8 (XML 1.0, appendix F). What the XML declaration says
/// has to agree.
enum XMLEncoding: String {
  case utf8 = "UTF-8"
  case utf16 = "UTF-16"

  /// - Returns: The document as valid UTF-8 without the byte order mark.
  static func convert(_ bytes: [UInt8]) throws(FormatError) -> (XMLEncoding, [UInt8]) {
    func unsupported(_ name: String) -> FormatError {
      FormatError(.unsupportedEncoding(name), line: 1, column: 1)
    }
    let start = bytes.prefix(4)
    if start == [0, 0, 0xFE, 0xFF] || start == [0xFF, 0xFE, 0, 0] { throw unsupported("UTF-32") }
    if start.starts(with: [0xFE, 0xFF]) { return (.utf16, try utf8(ofUTF16: bytes, high: 0)) }
    if start.starts(with: [0xFF, 0xFE]) { return (.utf16, try utf8(ofUTF16: bytes, high: 1)) }
    if start.starts(with: [0, 0x3C]) || start.starts(with: [0x3C, 0]) {
      throw unsupported("UTF-16 without a byte order mark")
    }
    let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard String(validating: text, as: UTF8.self) != nil else {
      throw XMLScanner.error(.invalidUTF8, at: firstInvalid(text), of: text)
    }
    return (.utf8, text)
  }

  /// Whether a document in this encoding may declare itself to be in the one named.
  func agrees(withDeclared name: String) -> Bool {
    switch (self, name.uppercased()) {
    case (.utf8, "UTF-8"), (.utf8, "UTF8"), (.utf8, "US-ASCII"), (.utf8, "ASCII"): true
    case (.utf16, "UTF-16"), (.utf16, "UTF-16BE"), (.utf16, "UTF-16LE"): true
    default: false
    }
  }

  /// - Parameter high: Which byte of a pair is the higher one.
  private static func utf8(ofUTF16 bytes: [UInt8], high: Int) throws(FormatError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2)
    let pairs = stride(from: 2, to: bytes.count - 1, by: 2)
    var units = pairs.lazy.map { UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high]) }
      .makeIterator()
    var parser = UTF16.ForwardParser()
    loop: while true {
      switch parser.parseScalar(from: &units) {
      case .valid(let scalar):
        if let encoded = UTF8.encode(UTF16.decode(scalar)) { text.append(contentsOf: encoded) }
      case .emptyInput: break loop
      case .error: throw XMLScanner.error(.unpairedSurrogate, at: text.count, of: text)
      }
    }
    if !bytes.count.isMultiple(of: 2) {
      throw XMLScanner.error(.unexpectedEnd, at: text.count, of: text)
    }
    return text
  }

  /// Where the first byte that is not UTF-8 is.
  private static func firstInvalid(_ bytes: [UInt8]) -> Int {
    var position = 0
    var rest = bytes.makeIterator()
    var parser = UTF8.ForwardParser()
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { position += scalar.count }
    return position
  }
}
