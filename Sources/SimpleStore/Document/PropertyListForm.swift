/// The two ways in which a property list is written.
package enum PropertyListForm: Sendable, CaseIterable {
  /// Text, for people and for every tool. What new files are made as.
  case xml
  /// `bplist00`. An existing binary file stays binary.
  case binary

  /// The format that reads and writes this form.
  package var format: any DocumentFormat {
    switch self {
    case .xml: XMLPropertyListFormat()
    case .binary: BinaryPropertyListFormat()
    }
  }

  /// The form that some bytes are of, judged by how they begin: binary if by `bplist`, XML if by
  /// `<` (after white space and a byte order mark); nil for anything else, blank bytes included.
  package init?(of bytes: [UInt8]) {
    switch Beginning(of: bytes) {
    case .binary: self = .binary
    case .xml: self = .xml
    default: return nil
    }
  }

  /// What some bytes look like by their beginning.
  enum Beginning: Equatable {
    case blank
    case binary
    case xml
    case json
    /// The property lists of OpenStep: `{ key = value; }`.
    case openStep
    case unknown(at: Int)

    init(of bytes: [UInt8]) {
      if bytes.starts(with: "bplist".utf8) {
        self = .binary
        return
      }
      // UTF-16, whose ASCII characters have a zero beside them.
      if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
        self = .xml
        return
      }
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      func next(after position: Int) -> Int? {
        bytes[position...].firstIndex { !$0.isXMLSpace && $0 != 0 }
      }
      guard let first = next(after: start) else {
        self = .blank
        return
      }
      let second = next(after: first + 1).map { bytes[$0] }
      switch bytes[first] {
      case UInt8(ascii: "<"): self = .xml
      case UInt8(ascii: "["): self = .json
      case UInt8(ascii: "("): self = .openStep
      case UInt8(ascii: "{"):
        if second == UInt8(ascii: "}") {
          self = .json
        } else if second == UInt8(ascii: "\"") {
          // Both have quoted keys; what follows the key tells.
          let rest = bytes[(first + 1)...].prefix(1_000)
          let colon = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
          let equals = rest.firstIndex(of: UInt8(ascii: "=")) ?? rest.endIndex
          self = equals < colon ? .openStep : .json
        } else {
          self = .openStep
        }
      default: self = .unknown(at: first)
      }
    }

    /// What to call it in an error; nil if nobody knows.
    var name: String? {
      switch self {
      case .blank, .unknown: nil
      case .binary: "a binary property list"
      case .xml: "XML"
      case .json: "JSON"
      case .openStep: "an OpenStep property list"
      }
    }
  }
}

extension UInt8 {
  /// Whether XML counts the byte as white space (XML 1.0, production 3).
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
