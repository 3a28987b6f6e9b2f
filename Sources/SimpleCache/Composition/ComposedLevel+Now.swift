/// Two levels that can be used without `await` can be used so together.
///
/// Reading and writing are as with `await`: what the back gives is put into the front, what fails is told
/// to `onEvent`. A call that meets another write of its key does not wait for its turn; the front then
/// has no value for the key, and gets it from the back with the next read.
extension ComposedLevel: ImmediateLevel where Front: ImmediateLevel, Back: ImmediateLevel {
  /// The value of a key, read and written on this thread. Setting `nil` removes it.
  public subscript(key: Key) -> Value? {
    get {
      if let value = getIfReady(key) { return value }
      // `onEvent` has it.
      return try? entryNow(for: key)?.value
    }
    set {
      if let newValue {
        do { return try setNow(newValue, forKey: key) } catch {
          // As in `get`. The caller does not learn of it, so an older value must not stay.
        }
      }
      // As in `get`. What can neither be written nor removed is all that stays.
      try? removeNow(key)
    }
  }

  public func entryNow(for key: Key) throws -> CacheEntry<Value>? {
    var frontError: (any Error)?
    do {
      if let found = try front.entryNow(for: key) {
        noteUse(key)
        return found
      }
    } catch {
      frontError = failure(error, in: front, key, .get)
    }
    let entry = try fetchNow(key)
    if entry == nil, let frontError { throw frontError }
    return entry
  }

  private func fetchNow(_ key: Key) throws -> CacheEntry<Value>? {
    let ticket = gate.beginRead(key)
    defer { gate.endRead(key) }
    let found: CacheEntry<Value>?
    do { found = try back.entryNow(for: key) } catch {
      throw CacheError.wrapping(error, level: back.name, key: key, operation: .get)
    }
    guard let found else { return nil }
    do {
      try gate.fillNow(key, ticket, isFresh: !isBackCaching) {
        try front.setEntryNow(found, forKey: key)
      } emptying: {
        try front.removeNow(key)
      }
    } catch {
      _ = failure(error, in: front, key, .set)
    }
    return found
  }

  public func setNow(_ value: Value, forKey key: Key) throws {
    try writeNow(key) {
      try back.setNow(value, forKey: key)
    } front: {
      try front.setNow(value, forKey: key)
    }
  }

  public func setEntryNow(_ entry: CacheEntry<Value>, forKey key: Key) throws {
    try writeNow(key) {
      try back.setEntryNow(entry, forKey: key)
    } front: {
      try front.setEntryNow(entry, forKey: key)
    }
  }

  private func writeNow(
    _ key: Key, back writeBack: () throws -> Void, front writeFront: () throws -> Void
  ) throws {
    // What has to go for the new entry is decided by what was used.
    uses?.tellNow()
    try gate.writeNow(key) { isAlone in
      try attemptNow(front, key, .set) { try front.removeNow(key) }
      try attemptNow(back, key, .set) { try writeBack() }
      guard isAlone else { return }
      do { try attemptNow(front, key, .set) { try writeFront() } } catch {
        // The caller is told that it was not set.
        do { try back.removeNow(key) } catch { _ = failure(error, in: back, key, .remove) }
        throw error
      }
    } emptying: {
      try attemptNow(front, key, .set) { try front.removeNow(key) }
    }
  }

  public func removeNow(_ key: Key) throws {
    try gate.writeNow(key) { _ in
      var first: (any Error)?
      do { try attemptNow(front, key, .remove) { try front.removeNow(key) } } catch {
        first = error
      }
      do { try attemptNow(back, key, .remove) { try back.removeNow(key) } } catch {
        first = first ?? error
      }
      if let first { throw first }
    } emptying: {
      try attemptNow(front, key, .remove) { try front.removeNow(key) }
    }
  }

  private func attemptNow(
    _ level: some CacheSource, _ key: Key, _ operation: CacheError.Operation,
    _ body: () throws -> Void
  ) throws {
    do { try body() } catch { throw failure(error, in: level, key, operation) }
  }
}
