import SimpleStore

/// Keeps the levels of a composition in step.
///
/// * Writes of one key follow one another, so that no two levels end with values of different
///   writes; `removeAll` has the gate to itself.
/// * A read that began before a write of its key ended must not put what it found into the level in
///   front: it holds a ticket, and every write makes the tickets of its key invalid, when it is asked
///   for and again when it ends (between the two a read may still have seen the old value).
///
/// Nothing is remembered about a key that no call is concerned with.
final class KeyGate<Key: Hashable & Sendable>: Sendable {
  /// A read in progress.
  struct Ticket: Sendable {
    fileprivate let version: UInt64
    fileprivate let epoch: UInt64
  }

  private struct Line {
    var version: UInt64 = 0
    var reads = 0
    var isHeld = false
    var waiting = WaitingLine()

    var isIdle: Bool { reads == 0 && !isHeld && waiting.isEmpty }
  }

  private struct State {
    var lines: [Key: Line] = [:]
    var epoch: UInt64 = 0
    var held = 0
    var isAllHeld = false
    var waitingForAll = WaitingLine()

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
      state.lines[key, default: Line()].reads += 1
      return Ticket(version: state.lines[key]?.version ?? 0, epoch: state.epoch)
    }
  }

  func endRead(_ key: Key) {
    state.withLock { state in
      state.lines[key]?.reads -= 1
      if state.lines[key]?.isIdle == true { state.lines[key] = nil }
    }
  }

  /// Runs a write of one key when it is its turn.
  func write<Result: Sendable>(
    _ key: Key, _ body: () async throws -> Result
  ) async throws -> Result {
    try await hold(key, isWrite: true)
    defer { release(key, isWrite: true) }
    return try await body()
  }

  /// Runs what stores the result of a read, unless the key was written meanwhile.
  func fill(_ key: Key, _ ticket: Ticket, _ body: () async throws -> Void) async throws {
    guard isValid(ticket, key) else { return }
    try await hold(key, isWrite: false)
    defer { release(key, isWrite: false) }
    if isValid(ticket, key) { try await body() }
  }

  /// Runs a write of all keys when no other write runs.
  func writeAll(_ body: () async throws -> Void) async throws {
    try await holdAll()
    defer { releaseAll() }
    try await body()
  }

  private func isValid(_ ticket: Ticket, _ key: Key) -> Bool {
    state.withLock { $0.lines[key]?.version == ticket.version && $0.epoch == ticket.epoch }
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
