#if !canImport(Darwin)
  import Foundation
  import SimpleStore

  /// What the `init?(coder:)` of Foundation's classes takes for granted on Linux: where it is not
  /// so, they end the process. (Found by changing archives of each class in all of their fields.)
  enum ArchivedFields {
    static func areSound(
      _ fields: StoreDocument, of type: AnyClass, in archive: ArchiveContent
    ) -> Bool {
      guard let type = type as? NSObject.Type else { return true }
      if type.isSubclass(of: NSString.self) {
        if case .string? = fields["NS.string"] { return true }
        return false
      }
      if type.isSubclass(of: NSData.self) {
        if case .data? = fields["NS.data"] { return true }
        return false
      }
      if type.isSubclass(of: NSURL.self) { return isAddress(fields, archive) }
      // A number of its own is a value of the property list.
      if type.isSubclass(of: NSNumber.self) { return false }
      if type.isSubclass(of: NSDictionary.self) {
        guard let keys = objects(fields["NS.keys"], archive),
          let values = objects(fields["NS.objects"], archive)
        else { return false }
        return keys.count == values.count && keys.allSatisfy { isHashable($0, archive) }
      }
      if type.isSubclass(of: NSArray.self) { return objects(fields["NS.objects"], archive) != nil }
      if type == NSSet.self || type == NSMutableSet.self {
        return objects(fields["NS.objects"], archive)?.allSatisfy { isHashable($0, archive) }
          == true
      }
      if type.isSubclass(of: NSOrderedSet.self) { return isOrderedSet(fields, archive) }
      if type.isSubclass(of: NSIndexSet.self) { return isIndexSet(fields, archive) }
      return true
    }

    /// A list of references to objects, none of them to nil: those would be left out.
    private static func objects(_ list: StoreValue?, _ archive: ArchiveContent) -> [Int]? {
      guard case .array(let references)? = list else { return nil }
      let objects = references.compactMap { archive.object($0) }
      return objects.count == references.count ? objects : nil
    }

    /// Whether an object can be in a set: collections cannot, since they become Swift's, of `Any`.
    private static func isHashable(_ object: Int, _ archive: ArchiveContent) -> Bool {
      !archive.isKind(
        object,
        of: [NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self])
    }

    /// Text, and another address that it is relative to or nil.
    private static func isAddress(_ fields: StoreDocument, _ archive: ArchiveContent) -> Bool {
      guard let text = archive.object(fields["NS.relative"]).flatMap(archive.text), !text.isEmpty
      else { return false }
      guard let base = archive.object(fields["NS.base"]) else { return true }
      return archive.isKind(base, of: [NSURL.self])
    }

    /// `NS.object.0`, `NS.object.1`, … without a gap.
    private static func isOrderedSet(_ fields: StoreDocument, _ archive: ArchiveContent) -> Bool {
      (0..<fields.count - 1).allSatisfy { number in
        archive.object(fields["NS.object.\(number)"]).map { isHashable($0, archive) } ?? false
      }
    }

    /// One range in two fields, or several in data: a location and a length for each, seven bits in
    /// a byte.
    private static func isIndexSet(
      _ fields: StoreDocument, _ archive: ArchiveContent
    ) -> Bool {
      guard case .integer(let count)? = fields["NSRangeCount"], count >= 0 else { return false }
      switch count {
      case 0: return true
      case 1:
        guard case .integer(let location)? = fields["NSLocation"],
          case .integer(let length)? = fields["NSLength"]
        else { return false }
        return isRange(location, length)
      default:
        guard let object = archive.object(fields["NSRangeData"]),
          let numbers = archive.data(object).flatMap(numbers(in:)), numbers.count / 2 == count
        else { return false }
        return stride(from: 0, to: numbers.count - 1, by: 2).allSatisfy {
          isRange(numbers[$0], numbers[$0 + 1])
        }
      }
    }

    private static func isRange(_ location: Int64, _ length: Int64) -> Bool {
      location >= 0 && length > 0 && location <= Int64.max - 1 - length
    }

    /// Numbers of seven bits a byte, the lowest first, as `NSIndexSet` writes them.
    private static func numbers(in data: Data) -> [Int64]? {
      var numbers: [Int64] = []
      var (number, shift) = (Int64(0), Int64(0))
      for byte in data {
        guard shift < 63 else { return nil }
        number |= Int64(byte & 0x7F) << shift
        shift += 7
        guard byte & 0x80 == 0 else { continue }
        numbers.append(number)
        (number, shift) = (0, 0)
      }
      return shift == 0 ? numbers : nil
    }
  }
#endif
