public import Foundation
public import SimpleStore

/// An object of Foundation's keyed archives (`NSSecureCoding`) as the value of a field.
///
/// ```swift
/// struct Window: StoreItem {
///   @StoreParam(key: "selection") var selection: StoreArchived<NSIndexSet>?
/// }
/// let window = SimpleStore<Window>(.json(at: url))
/// window.selection = try StoreArchived(NSIndexSet(indexesIn: NSRange(location: 3, length: 4)))
/// print(try window.selection?.object.count ?? 0)  // 4
/// ```
///
/// What is stored is data: a few bytes to know it by, a checksum, and the archive. Data that is not
/// whole is a value of the wrong type, as is an archive of another class: the field has its default,
/// the load report names the key, and the data stays until the field is set. That needs some care,
/// since Foundation on Linux ends the process on damaged archives (measured with Swift 6.3: on 41
/// and more of 1,620 changes of one byte to an archive of an `NSArray`). So the checksum is looked
/// at first. It is no signature: who can write the file can make an archive that passes. Therefore
/// the content is looked through before Foundation is given it: every reference, every class, no
/// object inside itself or deeper than 128, and what Foundation's own classes take for granted. A
/// forged archive of those is a value of the wrong type, too. What the `init?(coder:)` of a class of
/// your own does with fields that are missing or of other types is up to it.
///
/// Allowed are the class itself and, inside it, the classes of property lists: `NSString`,
/// `NSNumber`, `NSDate`, `NSData`, `NSArray`, `NSDictionary`, and those that the class names in
/// ``ArchivedClassList``. An object with any other class inside is refused when it is archived.
///
/// It is `Sendable` although most such objects are not: only the archive is kept, which never
/// changes, and each reading of ``object`` makes an object of its own.
public struct StoreArchived<Object: NSObject & NSSecureCoding>: StoreConvertible, Equatable {
  private let archive: Data

  /// Archives an object as it is now.
  ///
  /// - Throws: `.invalidValue` when its class does not support secure coding, or
  ///   Foundation cannot archive it. (On Linux Foundation ends the process for an object inside it
  ///   that does not support secure coding.)
  public init(_ object: Object) throws(StoreError) {
    do {
      guard type(of: object).supportsSecureCoding else {
        throw CocoaError(.coderInvalidValue)
      }
      archive = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
      guard ArchiveContent(archive, root: Object.self, inside: Self.inside) != nil else {
        throw CocoaError(.coderInvalidValue)
      }
    } catch {
      throw StoreError(
        .invalidValue,
        """
        cannot archive an object of type \(type(of: object)): \(error). Nothing was changed. \
        Only objects of allowed classes that support secure coding can be stored.
        """, underlying: error)
    }
  }

  /// A new object from the archive.
  ///
  /// - Throws: `.damaged` when Foundation cannot make it, which was possible when
  ///   the value was stored or read: its class has changed since.
  public var object: Object {
    get throws(StoreError) {
      do {
        if let object = try Self.unarchive(archive) { return object }
      } catch {
        throw Self.error("\(error)", underlying: error)
      }
      throw Self.error("it holds an object of another class", underlying: nil)
    }
  }

  private static func error(_ why: String, underlying: (any Error)?) -> StoreError {
    StoreError(
      .damaged, "cannot make an object of type \(Object.self) from its archive: \(why).",
      underlying: underlying)
  }

  /// The classes that may be inside an object.
  private static var inside: [AnyClass] {
    let own = (Object.self as? any ArchivedClassList.Type)?.classesInArchive ?? []
    return [
      NSString.self, NSNumber.self, NSDate.self, NSData.self, NSArray.self, NSDictionary.self,
    ] + own
  }

  private static func unarchive(_ archive: Data) throws -> Object? {
    guard let sound = ArchiveContent(archive, root: Object.self, inside: inside)?.data else {
      return nil
    }
    #if canImport(Darwin)
      return try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: [Object.self] + inside, from: sound) as? Object
    #else
      // Not `requiresSecureCoding`: with it, an object of an allowed class in the wrong place ends
      // the process. Every class in `sound` is an allowed one that supports secure coding.
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: sound)
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      let object = unarchiver.decodeObject(
        of: [Object.self] + inside, forKey: NSKeyedArchiveRootObjectKey)
      unarchiver.finishDecoding()
      if let error = unarchiver.error { throw error }
      return object as? Object
    #endif
  }

  // MARK: Storing

  public var storeValue: StoreValue { .data(ArchiveSeal.sealed(archive)) }

  public init?(storeValue: StoreValue) {
    guard let data = Data(storeValue: storeValue), let archive = ArchiveSeal.opened(data) else {
      return nil
    }
    do {
      guard try Self.unarchive(archive) != nil else { return nil }
    } catch {
      // The load report says that the value is not one of this type.
      return nil
    }
    self.archive = archive
  }
}

/// A class of archived objects that hold objects of other classes than those of property lists.
public protocol ArchivedClassList: NSSecureCoding {
  /// Those classes. Each supports secure coding.
  static var classesInArchive: [AnyClass] { get }
}
