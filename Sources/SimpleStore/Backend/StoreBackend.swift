#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A place where a document is kept.
///
/// A backend of your own needs three things:
///
/// ```swift
/// final class OneFileBackend: StoreBackend {
///   let identity = StoreIdentity()
///   func load() throws(StoreError) -> StoreDocument? { … }
///   func save(_ document: StoreDocument) throws(StoreError) { … }
/// }
/// ```
///
/// Its laws:
/// 1. Nothing saved loads as nil. Only "there is nothing" is nil: what cannot be read throws
///    ``StoreError/Code/unreadable``, what is no document ``StoreError/Code/damaged``.
/// 2. What was saved loads equal: every value and the order of the keys. (A format that has no
///    type for a value may spell it as another; then the field's type reads it back.)
/// 3. A save that throws leaves the last document loadable.
/// 4. Loading changes nothing that others can see.
/// 5. Calls from several threads are safe. `lock`, `save`, `replaceDamaged` and `unlock` come from one
///    thread at a time; `load` may come at any time.
public protocol StoreBackend: Sendable {
  /// Which place this is: backends with the same identity object share one core, so that stores
  /// on them see each other's changes at once. One for each place; copies of a backend keep it.
  var identity: StoreIdentity { get }

  /// What is stored; nil when there is nothing.
  ///
  /// A backend that can tell cheaply that nothing has changed since its last `load` or `save`
  /// should return that very document: comparing a document with itself costs nothing.
  func load() throws(StoreError) -> StoreDocument?

  /// Stores a document in place of what was there. It is stored when this returns.
  func save(_ document: StoreDocument) throws(StoreError)

  /// Keeps other processes from saving until ``unlock()``. Called before a save reads what is
  /// there. You do not have to write this if the place belongs to one process.
  func lock() throws(StoreError)

  /// Lets other processes save again.
  func unlock()

  /// Stores a document in place of damaged content, which is moved to where no save will touch it.
  /// You do not have to write this; then a store never saves over damaged content.
  ///
  /// When this throws, the damaged content is still in its place, or `place` says where it is. So
  /// write what is new first, where it does not harm, and move what is old last.
  ///
  /// - Parameters:
  ///   - document: What is to be stored.
  ///   - place: Set to where the damaged content is now.
  func replaceDamaged(
    with document: StoreDocument, movedTo place: inout String?
  ) throws(StoreError)

  /// The file that holds the document, to show it to people; nil when there is none of its own. You
  /// do not have to write this. See ``SimpleStore/fileURL``.
  var fileURL: URL? { get }

  /// Calls `onChange` when what is stored may have been changed by others, until the observation is
  /// cancelled or released. It need not find out whether it was. You do not have to write this; a
  /// store that watches such a backend loads it every second.
  ///
  /// - Returns: nil when the backend cannot tell.
  func watch(_ onChange: @escaping @Sendable () -> Void) -> StoreObservation?
}

extension StoreBackend {
  public func lock() throws(StoreError) {}
  public func unlock() {}
  public var fileURL: URL? { nil }
  public func watch(_ onChange: @escaping @Sendable () -> Void) -> StoreObservation? { nil }
  public func replaceDamaged(
    with document: StoreDocument, movedTo place: inout String?
  ) throws(StoreError) {
    throw StoreError(.unwritable, .damagedFileStays)
  }
}

/// Which place a backend stores in; stores whose backends have the same identity share what they
/// know. See ``StoreBackend/identity``.
public final class StoreIdentity: Sendable {
  private struct Weak: Sendable {
    weak var core: StoreCore?
  }
  private let current = Guarded(Weak())

  /// The identity of a new place.
  public init() {}

  /// The core of all stores on this place: the one that is there, or a new one.
  var core: StoreCore {
    current.withLock { current in
      if let core = current.core { return core }
      let core = StoreCore()
      current.core = core
      return core
    }
  }
}
