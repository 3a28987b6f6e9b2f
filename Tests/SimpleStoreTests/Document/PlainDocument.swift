import SimpleStore

/// Who is to read some XML.
enum XMLReader {
  /// Loses the sign of zero, and U+FEFF at the start of a text, however it is spelled. Writes
  /// control characters as they are, CR included.
  case foundation
  case python

  fileprivate func loses(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xFFFE, 0xFFFF: true
    case 0xFEFF: self == .foundation
    case 0x09, 0x0A, 0x0D: self == .foundation
    default: scalar.value < 0x20
    }
  }
}

extension StoreDocument {
  /// The document without the characters and numbers that XML or its reader cannot hold.
  func plain(for reader: XMLReader) -> StoreDocument {
    var result = StoreDocument()
    for (key, value) in self { result[key.plain(for: reader)] = value.plain(for: reader) }
    return result
  }
}

extension StoreValue {
  fileprivate func plain(for reader: XMLReader) -> StoreValue {
    switch self {
    case .string(let text): .string(text.plain(for: reader))
    case .double(let number): .double(number == 0 && reader == .foundation ? 0 : number)
    case .array(let elements): .array(elements.map { $0.plain(for: reader) })
    case .dictionary(let inner): .dictionary(inner.plain(for: reader))
    default: self
    }
  }
}

extension String {
  fileprivate func plain(for reader: XMLReader) -> String {
    var scalars = unicodeScalars
    scalars.removeAll { reader.loses($0) }
    return String(scalars)
  }
}
