#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SimpleStore {
  /// The file in which the item is kept, to show it to people or to open its folder; nil when it is
  /// kept in something else than a file of its own, or nowhere.
  ///
  /// ```swift
  /// let store = SimpleStore<User>(.plist(named: "user"))
  /// print(store.fileURL?.path() ?? "not in a file")  // ~/.config/example/user.plist, in full
  /// ```
  ///
  /// It need not exist yet. Do not write to it in place: see ``FileBackend``.
  public var fileURL: URL? { backend.fileURL }
}
