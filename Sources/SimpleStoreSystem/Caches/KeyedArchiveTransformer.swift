public import Foundation
public import SimpleCache
import SimpleStore

/// An object of Foundation's keyed archives (`NSSecureCoding`) from bytes and back.
///
/// ```swift
/// let selections = DiskLevel<String, Data>(named: "selections")
///   .transformValues(KeyedArchiveTransformer<NSIndexSet>())
/// try await selections.set(StoreArchived(NSIndexSet(index: 3)), forKey: "list")
/// ```
///
/// The bytes are those of ``StoreArchived``: a checksum and the archive, whose content is looked
/// through before Foundation is given it, so that bytes which are not whole are an error and not
/// the end of the process. ``List`` does the same for arrays.
public struct KeyedArchiveTransformer<Object: NSObject & NSSecureCoding>: TwoWayTransformer {
  public init() {}

  /// - Throws: `CacheError` with the code `untransformable` if the bytes are not those of an archive
  ///   of this class.
  public func transform(_ input: Data) throws -> StoreArchived<Object> {
    guard let object = StoreArchived<Object>(storeValue: .data(input)) else {
      throw CacheError(
        .untransformable, level: "KeyedArchiveTransformer",
        message:
          "The \(input.count) bytes are not a whole archive of an object of type \(Object.self).")
    }
    return object
  }

  public func inverseTransform(_ output: StoreArchived<Object>) throws -> Data {
    guard let data = Data(storeValue: output.storeValue) else {
      throw CacheError(
        .untransformable, level: "KeyedArchiveTransformer",
        message: "The archive of an object of type \(Object.self) is not data.")
    }
    return data
  }

  /// An array of such objects from bytes and back.
  ///
  /// ```swift
  /// let lists = DiskLevel<String, Data>(named: "lists")
  ///   .transformValues(KeyedArchiveTransformer<NSIndexSet>.List())
  /// ```
  public struct List: TwoWayTransformer {
    public init() {}

    /// - Throws: `CacheError` with the code `untransformable` if the bytes are not those of archives
    ///   of this class.
    public func transform(_ input: Data) throws -> [StoreArchived<Object>] {
      do {
        return try EntryCoding.storeValue.transform(input)
      } catch {
        throw CacheError(
          .untransformable, level: "KeyedArchiveTransformer.List",
          message:
            "The \(input.count) bytes are not whole archives of objects of type \(Object.self).",
          underlying: error)
      }
    }

    public func inverseTransform(_ output: [StoreArchived<Object>]) throws -> Data {
      try EntryCoding.storeValue.inverseTransform(output)
    }
  }
}
