/// The two kinds of property list file.
public enum PropertyListFormat: Sendable {
  /// Text (Apple's XML property list 1.0).
  case xml
  /// Apple's binary property list, `bplist00`.
  case binary
}

/// What a file is opened as, and how its bytes are read and written.
package enum FileFormat: Sendable {
  case json
  /// A property list; a file that is there keeps the kind that it has, a new one gets this.
  case propertyList(PropertyListFormat)
  /// A property list that Foundation keeps too, as a suite of `UserDefaults` on Linux.
  case defaults

  /// What the file is called in errors; two stores on one file agree on it.
  var name: String {
    switch self {
    case .json: "JSON"
    case .propertyList, .defaults: "a property list"
    }
  }

  /// The format to read some bytes with, and to write the file with from then on.
  package func format(of bytes: [UInt8]) -> any DocumentFormat {
    switch self {
    case .json: JSONFormat()
    case .propertyList:
      PropertyListForm(of: bytes) == .binary ? BinaryPropertyListFormat() : XMLPropertyListFormat()
    case .defaults:
      PropertyListForm(of: bytes) == .binary
        ? BinaryPropertyListFormat() : XMLPropertyListFormat(isForFoundation: true)
    }
  }

  /// The format to write a file with that was read or written in another one, perhaps as what
  /// another backend opened it as: of the same kind, XML or binary.
  func format(like known: any DocumentFormat) -> any DocumentFormat {
    switch self {
    case .json: JSONFormat()
    case .propertyList: known is BinaryPropertyListFormat ? known : XMLPropertyListFormat()
    case .defaults:
      known is BinaryPropertyListFormat ? known : XMLPropertyListFormat(isForFoundation: true)
    }
  }

  /// The format to write a new file with.
  var formatOfNewFiles: any DocumentFormat {
    switch self {
    case .json: JSONFormat()
    case .propertyList(.xml): XMLPropertyListFormat()
    case .propertyList(.binary): BinaryPropertyListFormat()
    case .defaults: XMLPropertyListFormat(isForFoundation: true)
    }
  }
}
