import SimpleStore

/// Keeps the levels of a composition in step.
///
/// * Writes of one key follow one another, so that no two levels end with values of different
///   writes; `removeAll` has the gate to itself.
/// * A read that began before a write of its key ended must not put what it found into the level in
///   front: it holds a ticket, and every write makes the tickets of its key invalid, when it is asked
///   for and again when it ends (between the two a read may still have seen the old value).
/// * Of several reads of a key at once, what an older one found does not replace what a newer one
///   did, nor what was read from a cache what was fetched meanwhile.
///
/// A call that must not wait (``writeNow(_:_:emptying:)``) goes on when it is not its turn. Then it is not
/// known whose value the back has in the end, and all who are concerned leave the front empty: it is
/// filled from the back by the next read.
///
/// Nothing is remembered about a key that no call is concerned with.
final class KeyGate<Key: Hashable & Sendable>: Sendable {
  /// A read in progress.
  struct Ticket: Sendable {
    fileprivate let version: UInt64
    fileprivate let epoch: UInt64
    /// The later a read of a key began, the higher.
    fileprivate let number: UInt64
    /// How often a fresh value had been stored by then.
    fileprivate let freshFills: UInt64
  }

  private struct Line {
    var version: UInt64 = 0
    var reads = 0
    var lastNumber: UInt64 = 0
    /// The number of the newest read whose result was stored.
    var filledNumber: UInt64 = 0
    var freshFills: UInt64 = 0
    var isHeld = false
    var waiting = WaitingLine()
    /// The writes that go on without having their turn.
    var crowd = 0
    /// Changes when one begins or ends.
    var crowding: UInt64 = 0

    var isIdle: Bool { reads == 0 && !isHeld && waiting.isEmpty && crowd == 0 }
  }

  private struct State {
    var lines: [Key: Line] = [:]
    var epoch: UInt64 = 0
    var held = 0
    var isAllHeld = false
    var waitingForAll = WaitingLine()

    func isValid(_ ticket: Ticket, _ key: Key, isFresh: Bool) -> Bool {
      guard let line = lines[key] else { return false }
      return line.version == ticket.version && epoch == ticket.epoch
        && line.filledNumber < ticket.number && (isFresh || line.freshFills == ticket.freshFills)
    }

    /// Lets go whoever may, of one key.
    mutating func advance(_ key: Key) {
      guard var line = lines.removeValue(forKey: key) else { return }
      if !line.isHeld, !isAllHeld, waitingForAll.isEmpty, line.waiting.letOneGo() {
        line.isHeld = true
        held += 1
      }
      if !line.isIdle { lines[key] = line }
    }

    mutating func advanceAll() {
      if !isAllHeld, held == 0, waitingForAll.letOneGo() { isAllHeld = true }
      guard !isAllHeld, waitingForAll.isEmpty else { return }
      for key in lines.filter({ !$0.value.waiting.isEmpty }).keys { advance(key) }
    }
  }

  private let state = Guarded(State())

  /// The number of keys about which something is remembered.
  var lineCount: Int { state.withLock { $0.lines.count } }

  /// A read begins; ``endRead(_:)`` must follow.
  func beginRead(_ key: Key) -> Ticket {
    state.withLock { state in
      var line = state.lines[key] ?? Line()
      defer { state.lines[key] = line }
      line.reads += 1
      line.lastNumber += 1
      return Ticket(
        version: line.version, epoch: state.epoch, number: line.lastNumber,
        freshFills: line.freshFills)
    }
  }

  func endRead(_ key: Key) {
    state.withLock { state in
      state.lines[key]?.reads -= 1
      if state.lines[key]?.isIdle == true { state.lines[key] = nil }
    }
  }

  /// Runs a write of one key when it is its turn.
  ///
  /// - Parameter emptying: Empties the front, should another write have come between.
  func write(
    _ key: Key, _ body: () async throws -> Void, emptying: () async throws -> Void
  ) async throws {
    try await hold(key, isWrite: true)
    defer { release(key, isWrite: true) }
    let crowding = crowding(key)
    try await body()
    if isCrowded(key, since: crowding) { try await emptying() }
  }

  /// Runs what stores the result of a read, unless the key was written meanwhile, or something newer
  /// was stored.
  ///
  /// - Parameter isFresh: Whether it comes from where fresh values come from, and not perhaps from a
  ///   cache behind.
  func fill(
    _ key: Key, _ ticket: Ticket, isFresh: Bool, _ body: () async throws -> Void,
    emptying: () async throws -> Void
  ) async throws {
    guard isValid(ticket, key, isFresh: isFresh) else { return }
    try await hold(key, isWrite: false)
    defer { release(key, isWrite: false) }
    let crowding = crowding(key)
    guard claim(ticket, key, isFresh: isFresh) else { return }
    try await body()
    if isCrowded(key, since: crowding) { try await emptying() }
  }

  /// Runs a write of all keys when no other write runs.
  func writeAll(_ body: () async throws -> Void) async throws {
    try await holdAll()
    defer { releaseAll() }
    try await body()
  }

  private func isValid(_ ticket: Ticket, _ key: Key, isFresh: Bool) -> Bool {
    state.withLock { $0.isValid(ticket, key, isFresh: isFresh) }
  }

  /// From now on no older read may store its result.
  private func claim(_ ticket: Ticket, _ key: Key, isFresh: Bool) -> Bool {
    state.withLock { state in
      guard state.isValid(ticket, key, isFresh: isFresh) else { return false }
      state.lines[key]?.filledNumber = ticket.number
      if isFresh { state.lines[key]?.freshFills += 1 }
      return true
    }
  }

  private func hold(_ key: Key, isWrite: Bool) async throws {
    let turn = OneShot<Void>()
    let place: UInt64? = state.withLock { state in
      var line = state.lines[key] ?? Line()
      defer { state.lines[key] = line }
      if isWrite { line.version += 1 }
      if !line.isHeld, !state.isAllHeld, state.waitingForAll.isEmpty {
        line.isHeld = true
        state.held += 1
        return nil
      }
      return line.waiting.join(turn)
    }
    guard let place else { return }
    try await turn.wait { [self] in
      state.withLock { state in
        state.lines[key]?.waiting.leave(place)
        state.advance(key)
      }
    }
  }

  private func release(_ key: Key, isWrite: Bool) {
    state.withLock { state in
      if isWrite { state.lines[key]?.version += 1 }
      state.lines[key]?.isHeld = false
      state.held -= 1
      state.advance(key)
      state.advanceAll()
    }
  }

  private func holdAll() async throws {
    let turn = OneShot<Void>()
    let place: UInt64? = state.withLock { state in
      state.epoch += 1
      if state.held == 0, !state.isAllHeld {
        state.isAllHeld = true
        return nil
      }
      return state.waitingForAll.join(turn)
    }
    guard let place else { return }
    try await turn.wait { [self] in
      state.withLock { state in
        state.waitingForAll.leave(place)
        state.advanceAll()
      }
    }
  }

  private func releaseAll() {
    state.withLock { state in
      state.epoch += 1
      state.isAllHeld = false
      state.advanceAll()
    }
  }
}

// What must not wait.
extension KeyGate {
  /// Runs a write of one key at once.
  ///
  /// - Parameters:
  ///   - body: Told whether it is alone. If not, it must not put anything into the front.
  ///   - emptying: Empties the front; called if it is not alone, or does not stay so.
  func writeNow(
    _ key: Key, _ body: (_ isAlone: Bool) throws -> Void, emptying: () throws -> Void
  ) throws {
    if holdNow(key, isWrite: true) {
      defer { release(key, isWrite: true) }
      let crowding = crowding(key)
      try body(true)
      if isCrowded(key, since: crowding) { try emptying() }
    } else {
      crowd(key, by: 1)
      defer { crowd(key, by: -1) }
      // Also if it failed: the other write may have put into the front what the back has no more.
      let result = Result { try body(false) }
      try emptying()
      try result.get()
    }
  }

  /// As ``fill(_:_:isFresh:_:emptying:)``, or not at all if a write is under way.
  func fillNow(
    _ key: Key, _ ticket: Ticket, isFresh: Bool, _ body: () throws -> Void,
    emptying: () throws -> Void
  ) throws {
    guard holdNow(key, isWrite: false) else { return }
    defer { release(key, isWrite: false) }
    let crowding = crowding(key)
    guard claim(ticket, key, isFresh: isFresh) else { return }
    try body()
    if isCrowded(key, since: crowding) { try emptying() }
  }

  private func holdNow(_ key: Key, isWrite: Bool) -> Bool {
    state.withLock { state in
      var line = state.lines[key] ?? Line()
      guard !line.isHeld, line.waiting.isEmpty, !state.isAllHeld, state.waitingForAll.isEmpty else {
        return false
      }
      if isWrite { line.version += 1 }
      line.isHeld = true
      state.held += 1
      state.lines[key] = line
      return true
    }
  }

  private func crowd(_ key: Key, by change: Int) {
    state.withLock { state in
      var line = state.lines[key] ?? Line()
      line.crowd += change
      line.crowding += 1
      line.version += 1
      state.lines[key] = line.isIdle ? nil : line
    }
  }

  private func crowding(_ key: Key) -> UInt64 { state.withLock { $0.lines[key]?.crowding ?? 0 } }

  private func isCrowded(_ key: Key, since crowding: UInt64) -> Bool {
    state.withLock { state in
      guard let line = state.lines[key] else { return false }
      return line.crowd > 0 || line.crowding != crowding
    }
  }
}
