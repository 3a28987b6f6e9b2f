#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreDocument {
  /// Copies what one backend holds to another, every key and value as it is.
  ///
  /// ```swift
  /// try StoreDocument.copy(from: .plist(named: "user"), to: .json(at: url))
  /// ```
  ///
  /// What a format has no type for is spelled as its rules say (JSON: dates and data as text), and
  /// read back by the fields of the item. The source is left as it was.
  ///
  /// - Parameters:
  ///   - source: Where to read.
  ///   - target: Where to write. It must hold nothing.
  /// - Returns: Whether there was anything to copy; if not, nothing is written.
  /// - Throws: Why the source could not be read or the target not be written,
  ///   or ``StoreError/Code/targetInUse``.
  @discardableResult
  public static func copy(
    from source: some StoreBackend, to target: some StoreBackend
  ) throws(StoreError) -> Bool {
    guard let document = try source.load() else { return false }
    try target.identity.core.withLocked(target) { () throws(StoreError) in
      if let there = try target.load(), !there.isEmpty {
        throw StoreError(
          .targetInUse, .targetInUse, path: target.fileURL?.path(percentEncoded: false))
      }
      try target.save(document)
    }
    return true
  }
}
