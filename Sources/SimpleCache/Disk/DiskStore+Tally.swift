import FileSupport
import SimpleStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a level with limits knows of how much its folder holds.
extension DiskStore {
  /// Who holds it changes the folder; no other level does.
  struct Turn: Sendable {
    var file: TallyFile?
    /// Whether another level kept the lock for too long the last time.
    var isStuck = false
    /// Whether no other level has changed the folder since this one looked through it.
    var isAlone = false

    mutating func file(in directory: OpenDirectory, _ calls: DiskCalls) -> TallyFile? {
      if let file, file.directory === directory { return file }
      file = TallyFile(in: directory, calls: calls)
      return file
    }
  }

  /// The tally of all levels, for who has the turn.
  struct SharedTally {
    /// `nil` if nobody knows it: then the folder has to be looked through.
    var amount: FolderTally?
    /// Whether no other level has changed the folder since this one looked through it: its index is right.
    let isAlone: Bool
    /// Which look through the folder it goes back to.
    var look: UInt64
  }

  /// Runs `body` while no other level with limits brings anything into the folder.
  ///
  /// - Parameters:
  ///   - looks: Whether `body` looks through the folder. Then the file of the tally is found anew, too;
  ///     somebody may have removed it.
  ///   - body: Gets the tally, and leaves there what it is then; `nil` if there is none, and each level
  ///     goes by its own index. If it throws, nobody knows the tally.
  func withTally<Result: Sendable>(
    in directory: OpenDirectory, looks: Bool = false,
    _ body: (inout SharedTally?) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    var shared: SharedTally?
    guard isLimited else { return try body(&shared) }
    return try turn.withLock { turn throws(FileError) in
      if looks { turn.file = nil }
      guard let file = turn.file(in: directory, calls) else { return try body(&shared) }
      guard file.lock(patience: turn.isStuck ? 1_000_000 : 1_000_000_000) else {
        turn.isStuck = true
        // Closed, so that a lock that the system did give is nobody's.
        turn.file = nil
        defer { file.object() }
        return try body(&shared)
      }
      defer { file.unlock() }
      turn.isStuck = false
      return try take(file, &turn, looks: looks, body)
    }
  }

  /// The lock of the file is held.
  private func take<Result: Sendable>(
    _ file: TallyFile, _ turn: inout Turn, looks: Bool = false,
    _ body: (inout SharedTally?) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let taken = file.take()
    if taken.tally == nil || taken.level != identity { turn.isAlone = false }
    var shared: SharedTally? = SharedTally(
      amount: taken.tally, isAlone: turn.isAlone, look: taken.look)
    let result = try body(&shared)
    if looks { turn.isAlone = true }
    if let shared, let amount = shared.amount {
      file.put(amount, by: identity, look: shared.look, after: taken)
    }
    return result
  }

  /// As ``change(_:_:)`` for what a read removes, which waits for nobody: not if another thread or level
  /// is just changing the folder. Then it stays, a miss, until the next read or `set` comes by.
  func changeIfFree(_ directory: OpenDirectory, _ body: (inout State) -> Void) {
    guard isLimited else { return state.withLock { body(&$0) } }
    let isDone: Void? = turn.withLockIfAvailable { turn in
      guard let file = turn.file(in: directory, calls) else {
        return state.withLock { body(&$0) }
      }
      guard file.lock(patience: 0) else { return }
      defer { file.unlock() }
      // The body throws nothing.
      try? take(file, &turn) { shared throws(FileError) in
        state.withLock { state in
          settle(&shared, &state)
          body(&state)
          settle(&shared, &state)
        }
      }
    }
    _ = isDone
  }

  /// Runs `body`, which removes something, and takes it off the tally at once: nobody has to make room for
  /// what is gone.
  func change<Result: Sendable>(
    _ directory: OpenDirectory, _ body: (inout State) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try withTally(in: directory) { shared throws(FileError) in
      try state.withLock { state throws(FileError) in
        settle(&shared, &state)
        // Also when it throws: what had to go has gone.
        defer { settle(&shared, &state) }
        return try body(&state)
      }
    }
  }

  /// Puts into the tally what this level has done since, if it knows how much that was, and that nobody
  /// has looked through the folder meanwhile and seen it already.
  func settle(_ shared: inout SharedTally?, _ state: inout State) {
    // Who has not got the lock settles later.
    guard var tally = shared else { return }
    if state.isTallyWrong || (state.gone != FolderTally() && state.look != tally.look) {
      tally.amount = nil
    }
    // Where nobody knows the tally, the next look sees what was done.
    tally.amount? += state.gone
    state.gone = FolderTally()
    state.isTallyWrong = false
    state.look = tally.look
    shared = tally
  }

  /// What the tally loses with a file; `nil` if that cannot be told.
  private func loss(
    _ name: EntryName, in directory: OpenDirectory, _ state: State
  ) -> FolderTally? {
    var status = FileStatus()
    let result = calls.file.statusAt(
      directory.descriptor, name.text, AT_SYMLINK_NOFOLLOW, &status)
    // Who has removed it takes it off.
    if result == -ENOENT { return FolderTally() }
    guard result >= 0, let known = state.index[name], known.isSameFile(status) else { return nil }
    return FolderTally(count: -1, size: -known.size)
  }

  /// Removes an entry's file and forgets the entry.
  ///
  /// - Parameter isKnown: Whether the file is the one that the index knows; `nil` looks.
  func drop(
    _ name: EntryName, in directory: OpenDirectory, _ state: inout State, isKnown: Bool? = nil
  ) throws(FileError) {
    var loss: FolderTally? = FolderTally()
    if isLimited {
      switch isKnown {
      case true?: loss = FolderTally(count: -1, size: -(state.index[name]?.size ?? 0))
      case false?: loss = nil
      case nil: loss = self.loss(name, in: directory, state)
      }
    }
    // Who was quicker takes it off.
    if try !unlink(name.text, in: directory), loss != nil { loss = FolderTally() }
    state.index.remove(name)
    state.changed?.insert(name)
    if let loss { state.gone += loss } else { state.isTallyWrong = true }
  }
}
