/// What a store holds in memory, behind a lock.
///
/// A class, and a lock that knows nothing of the item: in a value behind a lock of its own type, the
/// run time would look up the layouts of the value, the lock and the mutex at each use, a fifth of
/// what a small save takes.
///
/// `@unchecked Sendable`: what changes is touched inside ``withLock(_:)`` only.
@usableFromInline
final class StoreState<Item: StoreItem>: @unchecked Sendable {
  @usableFromInline let lock = Guarded(())

  // What depends on the item comes last: before it, each property has the same place for every
  // item type.

  /// How often the item was replaced, so that an edit sees whether it was meanwhile.
  private(set) var replacements = 0
  /// Whether there are any ``observers``.
  private(set) var hasObservers = false
  /// Who is told of changes.
  var observers: [WeakObserver<Item>] = [] {
    didSet { hasObservers = !observers.isEmpty }
  }
  /// What will save the changes that wait.
  var timer: Task<Void, Never>?
  /// The watch of a store that watches always.
  var watch: StoreObservation?
  /// The item as it is stored, while changes wait to be saved.
  private var waiting: Kept?
  // Unchecked, and right: the lock is held, so that no two accesses overlap. Checked, each read would
  // call the run time.
  @usableFromInline @exclusivity(unchecked) var item: Item

  init(item: Item) { self.item = item }

  /// Runs `body` while no other thread does. (Readers of other modules take ``lock`` themselves:
  /// a closure in a closure is not inlined there, which costs them half as much again.)
  func withLock<Result: Sendable, Failure: Error>(
    _ body: (StoreState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock { _ throws(Failure) in try body(self) }
  }

  func replaceItem(with new: Item) {
    item = new
    replacements += 1
  }

  // MARK: Changes that wait

  /// An item in a box: whether there is one is seen without a look at its layout.
  private final class Kept {
    let item: Item

    init(_ item: Item) { self.item = item }
  }

  /// Whether changes wait to be saved.
  var hasWaiting: Bool { waiting != nil }

  /// The item as it is stored.
  var saved: Item {
    if let waiting { return waiting.item }
    return item
  }

  /// Keeps the item that is stored, while the one that is shown goes ahead of it.
  func keepSaved(_ item: Item) { waiting = Kept(item) }

  /// What waited is saved, or is nothing any more.
  func forgetSaved() { waiting = nil }
}
