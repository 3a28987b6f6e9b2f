public import Observation
import Synchronization

/// Joins a store to the Observation framework: notes that the item is read, and announces that it
/// has changed.
///
/// **Item level.** Reading any field is reading the item, so a change of `age` also wakes a reader
/// of `name`. The framework tells nobody outside whether a read is tracked, so a field's own key
/// path would have to be made for every read, tracked or not: 1 µs, where a read takes 10 ns.
///
/// **Nobody tracking costs one check.** A save has to announce only if a read was ever tracked.
/// That shows: the framework keeps the key paths of a tracked scope in a set, so it hashes ours,
/// and the hash is our code. ``Probe`` notes it, for good. Whether the framework of this process
/// really does so is tried out once; if not, every save announces.
@usableFromInline
final class ReadTracker: Observable, Sendable {
  /// A subscript index whose hash is asked for when a tracked read is noted.
  struct Probe: Hashable, Sendable {
    fileprivate let flag = Flag()

    static func == (left: Probe, right: Probe) -> Bool { left.flag === right.flag }

    func hash(into hasher: inout Hasher) {
      flag.raise()
      hasher.combine(ObjectIdentifier(flag))
    }
  }

  /// Raised by the first hash, for good. Until someone asks, it is not even known whether the hash
  /// would be noted; the answer is kept here, so that each later question is one load.
  fileprivate final class Flag: Sendable {
    private enum State {
      static let unknown: UInt8 = 0
      static let lowered: UInt8 = 1
      static let raised: UInt8 = 2
    }
    private let state = Atomic(State.unknown)

    func raise() { state.store(State.raised, ordering: .releasing) }

    /// - Parameter hashesShow: Whether a flag that is not raised says that nothing was hashed.
    func isRaised(_ hashesShow: () -> Bool) -> Bool {
      let now = state.load(ordering: .acquiring)
      if now != State.unknown { return now == State.raised }
      let next = hashesShow() ? State.lowered : State.raised
      // It may have been raised meanwhile, and then it stays so.
      let (_, original) = state.compareExchange(
        expected: State.unknown, desired: next, ordering: .acquiringAndReleasing)
      return (original == State.unknown ? next : original) == State.raised
    }
  }

  @usableFromInline let registrar = ObservationRegistrar()
  /// Kept, since making it costs a microsecond.
  @usableFromInline let path: any KeyPath<ReadTracker, Void> & Sendable
  private let flag: Flag

  subscript(item probe: Probe) -> Void { () }

  init() {
    let probe = Probe()
    flag = probe.flag
    path = \ReadTracker[item: probe]
  }

  /// Notes a read of the item, if it is tracked. Call it before the item is read: a change after
  /// it is announced.
  @inlinable
  func access() { registrar.access(self, keyPath: path) }

  /// Whether a read was ever tracked.
  var isTracked: Bool { flag.isRaised { Self.probesWork } }

  private static let probesWork: Bool = {
    let tracker = ReadTracker()
    withObservationTracking {
      tracker.access()
    } onChange: {
    }
    return tracker.flag.isRaised { true }
  }()

  /// Tells those who have tracked a read that the item has changed.
  ///
  /// Both halves come after the change, when it is stored and readable. The framework's `willSet`
  /// is what wakes a reader; if it came before, a reader on another thread could look at once,
  /// find the old value, and never be woken again.
  func announce() {
    guard isTracked else { return }
    registrar.willSet(self, keyPath: path)
    registrar.didSet(self, keyPath: path)
  }
}
