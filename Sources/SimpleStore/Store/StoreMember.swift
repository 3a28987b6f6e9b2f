/// A store on a core, as the core sees it: someone to tell what has changed.
protocol StoreMember: AnyObject, Sendable {
  /// Whether it shows what was imported, before it is stored.
  var hasImported: Bool { get }

  /// Takes over what others have changed.
  ///
  /// - Parameters:
  ///   - keys: The keys whose values differ from before.
  ///   - document: The whole document.
  ///   - isOutside: Whether the change came from outside this process.
  func take(_ keys: [String], from document: StoreDocument, isOutside: Bool)
}

struct WeakMember {
  weak var member: (any StoreMember)?
}
