import Foundation
import SimpleStore

/// Which classes a keyed archive names, found without unarchiving it.
///
/// Foundation on Linux ends the process when an archive holds an object of a class that is not
/// allowed ("Value was of unexpected class", `NSKeyedUnarchiver.swift`), where it should throw.
enum ArchiveClasses {
  /// Whether the outermost object is of one class, and every object is of that or an allowed one.
  static func areAllowed(in archive: Data, root: AnyClass, inside: [AnyClass]) -> Bool {
    let list: StoreDocument
    do {
      list = try BinaryPropertyListFormat().decode(Array(archive))
    } catch {
      return false
    }
    guard case .array(let objects) = list["$objects"], case .dictionary(let top) = list["$top"],
      let position = reference(top["root"]), objects.indices.contains(position),
      isKind(objects[position], of: [root], objects)
    else { return false }
    return objects.allSatisfy { object in
      guard case .dictionary(let fields) = object, fields["$class"] != nil else { return true }
      return isKind(object, of: [root] + inside, objects)
    }
  }

  /// Whether an object of the archive is of one of some classes, or of a class below one.
  private static func isKind(
    _ object: StoreValue, of classes: [AnyClass], _ objects: [StoreValue]
  ) -> Bool {
    let names: [String]
    switch object {
    case .string: names = ["NSString"]
    case .data: names = ["NSData"]
    case .bool, .integer, .unsigned, .double, .number: names = ["NSNumber"]
    case .dictionary(let fields):
      guard let position = reference(fields["$class"]), objects.indices.contains(position),
        case .dictionary(let description) = objects[position],
        case .array(let chain) = description["$classes"]
      else { return false }
      names = chain.compactMap { if case .string(let name) = $0 { name } else { nil } }
    default: return false
    }
    return classes.contains { names.contains(NSStringFromClass($0)) }
  }

  /// The position that a reference to another object says.
  private static func reference(_ value: StoreValue?) -> Int? {
    guard case .dictionary(let fields) = value, case .integer(let number) = fields["CF$UID"] else {
      return nil
    }
    return Int(exactly: number)
  }
}
