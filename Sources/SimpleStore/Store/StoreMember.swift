/// A store on a core, as the core sees it: someone to tell what has changed.
protocol StoreMember: AnyObject, Sendable {
  /// Takes over what others have changed.
  ///
  /// - Parameters:
  ///   - keys: The keys whose values differ from before.
  ///   - document: The whole document.
  func take(_ keys: [String], from document: StoreDocument)
}

struct WeakMember {
  weak var member: (any StoreMember)?
}
