#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Every sentence that this package says about an error. The data is in `StoreError.swift` and
// `FormatError.swift`; what the load report says is in `LoadReport+Messages.swift`.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreError: CustomStringConvertible {
  /// What was being done, on which key and path, what the system answered, and what to do next.
  public var description: String {
    if case .text(let message) = detail { return message }
    return "\(problem). \(consequence)"
  }

  /// The same without what to do next, for who uses a backend without a store.
  package var problem: String {
    if case .text(let message) = detail { return message }
    return "\(what): \(why)"
  }

  private var place: String { path.map { "'\($0)'" } ?? "the store" }

  private var what: String {
    switch code {
    case .unreadable: "cannot read \(place)"
    case .damaged: "\(place) is damaged"
    case .unwritable: "cannot save \(place)"
    case .invalidValue: "cannot store the value of '\(key ?? "?")' in \(place)"
    case .invalidLocation: "\(place) cannot be the place of a store"
    case .formatConflict: "cannot open \(place)"
    case .migrationFailed: "cannot bring \(place) to this version"
    case .targetInUse: "cannot copy to \(place)"
    default: "cannot use \(place)"
    }
  }

  private var why: String {
    switch detail {
    case .system(let step, let code, let found):
      Self.sentence(step: step, code: code, found: found)
    case .format(let error): error.sentence
    case .value(let fault): fault.sentence
    case .text(let message): message
    case .migration(let name, let error): "the migration '\(name)' failed: \(error)"
    case .migrationInside(let name):
      """
      the migration '\(name)' opened a store that has to run it. A step has the document that it is \
      given, and no store
      """
    case .savedInside(let name):
      "its migration '\(name)' is running, and would overwrite what is saved meanwhile"
    case .migrationNames:
      "its list of migrations that have run ('\(DocumentUpgrade.reservedKey)') is no list of names"
    case .targetInUse: "there is something already"
    case .notAFile: "it is not the URL of a file (URL(filePath:) makes one)"
    case .damagedFileStays: "its content is damaged, and this backend cannot move it aside"
    case .alreadyOpen(let open, let wanted):
      "it is already open in this program as \(open), and was now to be opened as \(wanted)"
    }
  }

  private var consequence: String {
    if case .system("syncDirectory", _, _) = detail {
      return """
        The new content is in place, but a power cut may still bring back the old one. \
        Put right what the system says, then set the value again.
        """
    }
    if case .system("findHome", _, _) = detail { return "Set HOME or XDG_CONFIG_HOME." }
    if case .damagedFileStays = detail {
      return "Nothing was changed. Repair it, then call reload()."
    }
    if case .savedInside = detail {
      return "Nothing was changed. Have the migration change the document that it is given."
    }
    if case (.unreadable, .format) = (code, detail) {
      return "Nothing will be saved over it. Repair it or take it away, then call reload()."
    }
    if case .system(_, _, _?) = detail {
      return code == .unreadable
        ? "Nothing will be saved over it. Give the path of a file, or take it away and call reload()."
        : "Nothing was changed. Give another path, or take away what is there."
    }
    return switch (code, systemError) {
    case (.unreadable, EACCES?), (.unreadable, EPERM?):
      "Nothing will be saved over it. Give this user permission to read it, then call reload()."
    case (.unreadable, _):
      "Nothing will be saved over it. Put right what the system says, then call reload()."
    case (.damaged, _):
      """
      Its bytes are kept: repair it and call reload(), or let the next save move it aside \
      (not with onDamage: .refuse).
      """
    case (.unwritable, ENOSPC?), (.unwritable, EDQUOT?):
      "Nothing was changed. Free some space, then set the value again."
    case (.unwritable, EDEADLK?):
      """
      Nothing was changed. This was called inside a change of another store on the same file, \
      which was opened while its path led elsewhere: change the two one after the other.
      """
    case (.unwritable, EACCES?), (.unwritable, EPERM?), (.unwritable, EROFS?):
      "Nothing was changed. Give this user permission to write there, then set the value again."
    case (.unwritable, EBUSY?):
      """
      Nothing was changed. A file that is mounted by itself cannot be replaced, and is never \
      written in place: mount its directory instead.
      """
    case (.unwritable, _): "Nothing was changed. Put right what the system says, then try again."
    case (.invalidValue, _): "Nothing was changed, and every other key can still be saved."
    case (.invalidLocation, _): "Choose another path or name."
    case (.migrationFailed, _):
      "It is as it was, and nothing will be saved. Put right what failed, then call reload()."
    case (.targetInUse, _): "Nothing was changed. Copy to a place that holds nothing."
    case (.formatConflict, _): "Open one file with one format only."
    default: "Nothing was changed."
    }
  }

  /// What a failed system call is called, and what the system answered.
  private static func sentence(step: String, code: Int32, found: String?) -> String {
    let doing =
      switch step {
      case "resolvePath": "following its path"
      case "checkName": "checking the name"
      case "checkWritable": "checking that it may be written"
      case "makeDirectory": "making its directory"
      case "openDirectory": "opening its directory"
      case "openLock": "opening its lock file"
      case "lock": "locking it"
      case "openFile": "opening it"
      case "examineFile": "looking at it"
      case "readFile": "reading it"
      case "removeLeftover": "removing what an interrupted save left"
      case "createTemporary": "making the new file beside it"
      case "setOwner": "giving the new file the owner of the old one"
      case "setMode": "giving the new file the permissions of the old one"
      case "write": "writing the new file"
      case "sync": "making the new file safe on the disk"
      case "close": "closing the new file"
      case "replace": "putting the new file in its place"
      case "syncDirectory": "making its directory safe on the disk"
      case "moveAside": "moving the damaged file aside"
      default: step
      }
    let answer = String(cString: strerror(code))
    if let found { return "\(doing): it is \(found)" }
    if step == "findHome" { return "this user has no home directory" }
    if step == "checkName" {
      return "a name is not empty, '.' or '..', and has no slash and no NUL"
    }
    return "\(doing): \(answer) (errno \(code))"
  }
}

extension ValueFault {
  /// What is wrong with the value.
  var sentence: String {
    switch self {
    case .equalKeys: "two keys of the dictionary have the same text"
    case .sameKey: "two keys of the dictionary are one and the same for its type"
    case .outside(let value, let limits): "\(value) is not in \(limits)"
    case .unknownToDefault:
      "its item encodes this key only sometimes, and would not read it again"
    case .refused: "its validate: refuses the value"
    case .nested(let key, let fault): "in '\(key)': \(fault.sentence)"
    case .encoding(let path, let message):
      path.isEmpty ? message : "at '\(path.joined(separator: "/"))': \(message)"
    case .thrown(let error): "\(error)"
    }
  }
}

extension StoreError: LocalizedError {
  /// ``description``, for programs that show `localizedDescription`.
  public var errorDescription: String? { description }
}

extension FormatError {
  /// What is wrong, and where.
  package var sentence: String {
    switch (line, column, offset) {
    case (let line?, let column?, _): "\(problem), at line \(line), column \(column)"
    case (_, _, let offset?): "\(problem), at byte \(offset)"
    default: problem
    }
  }

  private var problem: String {
    switch reason {
    case .unexpectedEnd: "it ends in the middle of a value"
    case .unexpectedByte(let byte, let expected):
      "found \(Self.spell(byte)) where \(expected) should be"
    case .trailingContent: "there is something after the end of the document"
    case .invalidUTF8: "it is not valid UTF-8"
    case .invalidNumber(let text): "'\(Self.shorten(text))' is not a number"
    case .invalidEscape: "an escape sequence that does not exist"
    case .unpairedSurrogate: "half of a surrogate pair"
    case .controlCharacterInString: "a control character inside text"
    case .rootIsNotADictionary(let found): "its outermost value is \(found), not a dictionary"
    case .otherFormat(let found): "it is \(found)"
    case .invalidDate(let text): "'\(Self.shorten(text))' is not a date"
    case .invalidData: "data that is not Base64"
    case .unknownElement(let name): "a property list has no element <\(Self.shorten(name))>"
    case .mismatchedTag(let open, let close):
      "<\(Self.shorten(open))> is closed by </\(Self.shorten(close))>"
    case .unknownEntity(let name): "the entity &\(Self.shorten(name)); is not known"
    case .internalSubset: "a document type with declarations of its own is not accepted"
    case .unsupportedEncoding(let name): "the encoding '\(Self.shorten(name))' is not supported"
    case .keyWithoutValue: "a key without a value"
    case .valueWithoutKey: "a value without a key"
    case .invalidTrailer: "its trailer does not fit the file"
    case .invalidReference(let number): "a reference to object \(number), which is not there"
    case .unknownObjectType(let byte): "an object of the unknown type \(Self.spell(byte))"
    case .keyIsNotAString: "a key that is not text"
    case .selfReference: "an object that contains itself"
    case .tooDeep: "it is nested deeper than \(FormatLimits.depth) levels"
    case .tooManyValues:
      "it has more than \(FormatLimits.nodes) values, or far more than its size in bytes"
    case .tooLarge: "it is larger than \(FormatLimits.bytes) bytes"
    }
  }

  private static func spell(_ byte: UInt8) -> String {
    if (0x21...0x7E).contains(byte) { return "'\(Character(UnicodeScalar(byte)))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "the byte 0x\(digits.count == 1 ? "0" : "")\(digits)"
  }

  private static func shorten(_ text: String) -> String {
    text.count <= 40 ? text : "\(text.prefix(40))…"
  }
}

extension ItemValidation {
  /// Everything that is wrong with a declaration.
  static func message(_ findings: [Finding], of type: Any.Type) -> String {
    (["the declaration of \(type) cannot be stored:"] + findings.map { "* \($0.description)" })
      .joined(separator: "\n")
  }
}

extension ItemValidation.Finding: CustomStringConvertible {
  var description: String {
    switch self {
    case .isClass:
      "It is a class. A store keeps copies of its item: make it a struct."
    case .noFields:
      "It has no stored field. Declare at least one with @StoreParam(key:default:)."
    case .emptyKey(let property):
      "The key of '\(property)' is empty. Give it a name that the file can show."
    case .duplicateKey(let key, let properties):
      """
      The key "\(key)" is used by more than one field\
      \(properties.isEmpty ? "" : " (\(properties.joined(separator: ", ")))"). \
      Each field needs a key of its own.
      """
    case .reservedKey(let key):
      """
      The key "\(key)" is where the store keeps which migrations have run. Give the field another \
      one.
      """
    case .formerKeyInUse(""):
      "A former key is empty. Give the name under which the value was stored."
    case .formerKeyInUse(let key):
      """
      The former key "\(key)" is also the key, or another former key, of a field. A value that is \
      stored under it could be either's.
      """
    case .invalidDefault(let key, let fault):
      "The default of '\(key)' cannot be stored: \(fault)."
    case .equalMigrations(let name):
      "More than one migration is called \"\(name)\". Each needs a name of its own."
    case .nested(let key, let finding):
      "In '\(key)': \(finding.description)"
    case .unplaced(let property):
      """
      The place of '\(property)' in the item cannot be told. List the fields in mapValue(_:), \
      which needs no layout.
      """
    }
  }
}
