public import SimpleCache

/// The laws of ``CacheLevel`` as code, to be run on every level, your own included.
///
/// Each law throws a ``BrokenLaw`` if the level does not keep it. The level must start empty and be
/// able to hold at least `keys.count` entries.
public struct CacheLevelLaws<Level: CacheLevel>: Sendable where Level.Value: Equatable {
  private let make: @Sendable () async throws -> Level
  private let keys: [Level.Key]
  private let values: [Level.Value]

  /// - Parameters:
  ///   - keys: Different keys, at least three.
  ///   - values: Different values, as many.
  ///   - make: Gives a new, empty level.
  public init(
    keys: [Level.Key], values: [Level.Value],
    make: @escaping @Sendable () async throws -> Level
  ) {
    precondition(keys.count >= 3 && keys.count == values.count)
    self.keys = keys
    self.values = values
    self.make = make
  }

  public func checkAll() async throws {
    try await nothingSetIsAMiss()
    try await whatWasSetIsGiven()
    try await theLastOneSetIsGiven()
    try await keysDoNotTouchEachOther()
    try await whatWasRemovedIsAMiss()
    try await removingNothingIsNoError()
    try await removeAllForgetsEverything()
    try await entriesAndValuesAgree()
    try await anExpiredEntryIsNotKept()
    try await whatIsReadyIsWhatIsGot()
    try await manyTasksMayCallAtOnce()
  }

  func nothingSetIsAMiss() async throws {
    let level = try await make()
    for key in keys { try require(try await level.get(key) == nil, "a new level gave a value") }
  }

  func whatWasSetIsGiven() async throws {
    let level = try await make()
    for (key, value) in zip(keys, values) { try await level.set(value, forKey: key) }
    for (key, value) in zip(keys, values) {
      try require(try await level.get(key) == value, "what was set was not given")
    }
  }

  func theLastOneSetIsGiven() async throws {
    let level = try await make()
    for value in values { try await level.set(value, forKey: keys[0]) }
    try require(try await level.get(keys[0]) == values.last, "not the last value was given")
  }

  func keysDoNotTouchEachOther() async throws {
    let level = try await make()
    try await level.set(values[0], forKey: keys[0])
    try await level.set(values[1], forKey: keys[1])
    try await level.remove(keys[0])
    try require(try await level.get(keys[1]) == values[1], "removing one key touched another")
  }

  func whatWasRemovedIsAMiss() async throws {
    let level = try await make()
    try await level.set(values[0], forKey: keys[0])
    try await level.remove(keys[0])
    try require(try await level.get(keys[0]) == nil, "what was removed was given")
    try await level.set(values[1], forKey: keys[0])
    try require(try await level.get(keys[0]) == values[1], "set after remove was not kept")
  }

  func removingNothingIsNoError() async throws {
    let level = try await make()
    try await level.remove(keys[0])
    try await level.removeAll()
  }

  func removeAllForgetsEverything() async throws {
    let level = try await make()
    for (key, value) in zip(keys, values) { try await level.set(value, forKey: key) }
    try await level.removeAll()
    for key in keys { try require(try await level.get(key) == nil, "removeAll left a value") }
  }

  func entriesAndValuesAgree() async throws {
    let level = try await make()
    try require(try await level.entry(for: keys[0]) == nil, "an entry where there is no value")
    try await level.setEntry(CacheEntry(values[0]), forKey: keys[0])
    try require(try await level.get(keys[0]) == values[0], "an entry without deadline was not kept")
    try require(try await level.entry(for: keys[0])?.value == values[0], "entry and value differ")
  }

  func anExpiredEntryIsNotKept() async throws {
    let level = try await make()
    try await level.set(values[0], forKey: keys[0])
    // Long over on any clock that starts at zero or above.
    let over = CacheEntry(values[1], deadline: CacheInstant(nanoseconds: -1))
    try await level.setEntry(over, forKey: keys[0])
    try require(
      try await level.get(keys[0]) == nil, "an expired entry, or the one before, was given")
  }

  func whatIsReadyIsWhatIsGot() async throws {
    let level = try await make()
    try require(level.getIfReady(keys[0]) == nil, "something was ready in an empty level")
    try await level.set(values[0], forKey: keys[0])
    let ready = level.getIfReady(keys[0])
    try require(ready == nil || ready == values[0], "what is ready is not what is got")
  }

  func manyTasksMayCallAtOnce() async throws {
    let level = try await make()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (key, value) in zip(keys, values) {
        group.addTask {
          for _ in 0..<20 {
            try await level.set(value, forKey: key)
            let got = try await level.get(key)
            try require(got == value, "another key's value, or none, under load")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// A law that a level does not keep.
public struct BrokenLaw: Error, CustomStringConvertible {
  public let description: String
}

private func require(_ condition: Bool, _ law: String) throws {
  guard condition else { throw BrokenLaw(description: law) }
}
