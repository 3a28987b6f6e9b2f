import Foundation
import SimpleStore

/// The content of a keyed archive, looked through before Foundation unarchives it.
///
/// Foundation on Linux ends the process where it should throw: for an object of a class that is not
/// allowed ("Value was of unexpected class", `NSKeyedUnarchiver.swift`), for a field of another type
/// than the class expects (`as!` in many `init?(coder:)`), for an object that contains itself (its
/// stack overflows). So an archive has to pass all of this first:
/// * It is a binary property list by our own reader, with the mark and version of an archive.
/// * Every reference leads to an object; no object contains itself; none is deeper than 128.
/// * Every object is of an allowed class, by the very name that Foundation will look up.
/// * The fields of Foundation's own classes are what those take for granted.
struct ArchiveContent {
  private let list: StoreDocument
  private let objects: [StoreValue]
  private let root: Int

  /// Nil when it is no archive that may be unarchived.
  ///
  /// - Parameters:
  ///   - rootClass: What the outermost object has to be.
  ///   - inside: What may be inside it, besides more of the same.
  init?(_ archive: Data, root rootClass: AnyClass, inside: [AnyClass]) {
    // Damage and a forgery are the same here: not a value of this type.
    guard let list = try? BinaryPropertyListFormat().decode(Array(archive)),
      list["$archiver"] == .string("NSKeyedArchiver"), list["$version"] == .integer(100_000),
      case .array(let objects) = list["$objects"], case .dictionary(let top) = list["$top"],
      let root = top["root"]?.archiveReference, objects.indices.contains(root)
    else { return nil }
    self.list = list
    self.objects = objects
    self.root = root
    guard top.allSatisfy({ isReference($0.value) }), objects.first == .string("$null"),
      isKind(root, of: [rootClass]),
      objects.indices.allSatisfy({ isAllowed($0, [rootClass] + inside) }), !isTooDeep()
    else { return nil }
  }

  /// The archive as Foundation is given it: with nothing in it that was not looked at.
  var data: Data? {
    // It was decoded from this format, so it can be encoded in it.
    (try? BinaryPropertyListFormat().encode(list)).map { Data($0) }
  }

  // MARK: Objects

  /// Whether an object may be in the archive.
  private func isAllowed(_ position: Int, _ classes: [AnyClass]) -> Bool {
    switch objects[position] {
    case .string, .data, .date, .bool, .integer, .unsigned, .double: return true
    case .number, .null, .array: return false
    case .dictionary(let fields):
      // The description of a class; it is looked at with the objects that are of it.
      guard fields["$class"] != nil else { return className(in: fields) != nil }
      guard isKind(position, of: classes), let type = objectClass(of: fields) else { return false }
      guard fields.allSatisfy({ $0.key == "$class" || isContent($0.value) }) else { return false }
      #if canImport(Darwin)
        return true
      #else
        return ArchivedFields.areSound(fields, of: type, in: self)
      #endif
    }
  }

  /// Whether an object is of one of some classes, or of a class below one.
  func isKind(_ position: Int, of classes: [AnyClass]) -> Bool {
    let type: AnyClass?
    switch objects[position] {
    case .string: type = NSString.self
    case .data: type = NSData.self
    case .date: type = NSDate.self
    case .bool, .integer, .unsigned, .double: type = NSNumber.self
    case .dictionary(let fields): type = objectClass(of: fields)
    case .number, .null, .array: type = nil
    }
    guard let type else { return false }
    return classes.contains { (type as? NSObject.Type)?.isSubclass(of: $0) ?? (type == $0) }
  }

  /// The class of an object, looked up as Foundation does.
  private func objectClass(of fields: StoreDocument) -> AnyClass? {
    guard let position = fields["$class"]?.archiveReference, objects.indices.contains(position),
      case .dictionary(let description) = objects[position], description["$class"] == nil,
      let name = className(in: description)
    else { return nil }
    let type: AnyClass? = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
    return (type as? any NSSecureCoding.Type)?.supportsSecureCoding == true ? type : nil
  }

  /// The class that a description names; nil when it is no description of one.
  private func className(in description: StoreDocument) -> String? {
    // Hints are classes to take instead, which nothing here writes.
    guard description["$classhints"] == nil, case .string(let name)? = description["$classname"],
      case .array? = description["$classes"], name.utf8.count <= 256,
      name.utf8.allSatisfy({ $0 == 0x2E || $0 == 0x5F || isLetterOrDigit($0) })
    else { return nil }
    return name
  }

  private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte >= 0x80
  }

  // MARK: References

  /// Whether a value is a reference to an object that is there, and not to a class.
  private func isReference(_ value: StoreValue) -> Bool {
    guard let position = value.archiveReference, objects.indices.contains(position) else {
      return false
    }
    guard case .dictionary(let fields) = objects[position] else { return true }
    return fields["$class"] != nil
  }

  /// The object that a field refers to; nil when it is no reference, or one to nothing.
  func object(_ value: StoreValue?) -> Int? {
    guard let value, isReference(value), let position = value.archiveReference,
      objects[position] != .string("$null")
    else { return nil }
    return position
  }

  /// The text that an object is.
  func text(_ position: Int) -> String? {
    if case .string(let text) = objects[position] { text } else { nil }
  }

  /// The data that an object is.
  func data(_ position: Int) -> Data? {
    if case .data(let data) = objects[position] { data } else { nil }
  }

  /// Whether a field holds nothing but values and references that lead somewhere.
  private func isContent(_ value: StoreValue) -> Bool {
    switch value {
    case .dictionary(let fields):
      if value.archiveReference != nil { return isReference(value) }
      return fields.allSatisfy { isContent($0.value) }
    case .array(let values): return values.allSatisfy(isContent)
    default: return true
    }
  }

  /// Whether an object contains itself, or others too deep for the stack of a thread.
  private func isTooDeep() -> Bool {
    /// How deep what an object holds goes; 0 while it is not known.
    var heights = Array(repeating: 0, count: objects.count)
    var isOpen = Array(repeating: false, count: objects.count)
    // Not recursive: an archive may be a million objects deep.
    var path: [(object: Int, rest: [Int])] = [(root, references(of: root))]
    isOpen[root] = true
    while let (object, rest) = path.last {
      guard let next = rest.last else {
        heights[object] = 1 + (references(of: object).map { heights[$0] }.max() ?? 0)
        isOpen[object] = false
        path.removeLast()
        continue
      }
      path[path.count - 1].rest.removeLast()
      if isOpen[next] || path.count >= Self.depth { return true }
      guard heights[next] == 0 else {
        if heights[next] + path.count > Self.depth { return true }
        continue
      }
      isOpen[next] = true
      path.append((next, references(of: next)))
    }
    return false
  }

  private static let depth = 128

  /// The objects that an object refers to, without its class.
  private func references(of position: Int) -> [Int] {
    guard case .dictionary(let fields) = objects[position], fields["$class"] != nil else {
      return []
    }
    var found: [Int] = []
    for (key, value) in fields where key != "$class" { collect(value, &found) }
    return found
  }

  private func collect(_ value: StoreValue, _ found: inout [Int]) {
    if let position = value.archiveReference { return found.append(position) }
    switch value {
    case .array(let values): for value in values { collect(value, &found) }
    case .dictionary(let fields): for (_, value) in fields { collect(value, &found) }
    default: break
    }
  }
}

extension StoreValue {
  /// The position of the object that a reference in an archive says.
  var archiveReference: Int? {
    guard case .dictionary(let fields) = self, fields.count == 1,
      case .integer(let number)? = fields["CF$UID"]
    else { return nil }
    return Int(exactly: number)
  }
}
