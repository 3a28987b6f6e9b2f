/// A store on a core, as the core sees it: someone to tell what has changed.
protocol StoreMember: AnyObject, Sendable {
  /// Whether it shows what was imported, before it is stored.
  var hasImported: Bool { get }

  /// Makes what others have changed ready to be shown.
  ///
  /// - Parameters:
  ///   - keys: The keys whose values differ from before.
  ///   - document: The whole document.
  ///   - isOutside: Whether the change came from outside this process.
  /// - Returns: nil when there is nothing to show.
  func prepare(_ keys: [String], from document: StoreDocument, isOutside: Bool) -> StoreSwitch?
}

struct WeakMember {
  /// Tells a member that is alive from others, without a look whether it is.
  let id: ObjectIdentifier
  weak var member: (any StoreMember)?

  init(_ member: any StoreMember) {
    id = ObjectIdentifier(member)
    self.member = member
  }
}

/// A change of one store's item that is ready: what is left to do takes no user's code and no time.
///
/// The stores on one place switch together: whoever has read a new value from one of them does not
/// find the old one in another. So each shows its own while it has the locks of those before it.
struct StoreSwitch {
  /// Shows the new item, and meanwhile, under the lock of the store's state, does something else.
  let show: (_ meanwhile: () -> Void) -> Void

  /// Shows all of them and does `body`, as one step for every reader.
  static func showAll(_ switches: [StoreSwitch], and body: () -> Void) {
    // One call inside the other for each: more stores than this on one place are shown in groups.
    let most = 64
    show(switches.prefix(most), body)
    for rest in switches.dropFirst(most) { rest.show {} }
  }

  private static func show(_ switches: ArraySlice<StoreSwitch>, _ body: () -> Void) {
    guard let first = switches.first else { return body() }
    first.show { show(switches.dropFirst(), body) }
  }
}
