import CacheTestSupport
import SimpleCache
import Testing

@Suite struct BatchTests {
  @Test func `some gives what there is with its key, all gives everything or throws`() async throws
  {
    let source = SlowSource { key, _ in
      if key == "bad" { throw TestFailure() }
      return key == "none" ? nil : "value of \(key)"
    }
    let some = try await source.batchGetSome(["a", "bad", "b", "none", "a"])
    #expect(some.values == ["a": "value of a", "b": "value of b"])
    #expect(some.misses == ["none"])
    #expect(some.errors["bad"] as? TestFailure == TestFailure() && some.errors.count == 1)
    #expect(source.calls == 4)
    await #expect(throws: TestFailure.self) { try await source.batchGetAll(["a", "bad", "b"]) }
    #expect(
      try await source.batchGetAll(["b", "a", "b"]) == ["value of b", "value of a", "value of b"])
    #expect(try await source.batchGetAll(["a", "none"]) == nil)
  }

  @Test func `an empty batch asks for nothing and is no error`() async throws {
    let source = SlowSource { key, _ in key }
    let some = try await source.batchGetSome([])
    #expect(some.values.isEmpty && some.misses.isEmpty && some.errors.isEmpty)
    #expect(try await source.batchGetAll([]) == [])
    let level = ShelfLevel()
    try await level.allBatch().set([], forKey: [])
    try await level.allBatch().remove([])
    #expect(source.calls == 0)
    #expect(await level.calls.isEmpty)
  }

  @Test func `a batch runs no more reads at a time than it may`() async throws {
    let source = SlowSource { key, _ in
      for _ in 0..<5 { await Task.yield() }
      return key
    }
    let keys = (0..<100).map(String.init)
    #expect(try await source.batchGetAll(keys, concurrent: 4) == keys)
    #expect(source.mostRunning <= 4)
    #expect(try await source.batchGetAll(["a"], concurrent: .max) == ["a"])
    #expect(try await source.batchGetSome(["a"], concurrent: .min).values == ["a": "a"])
    #expect(try await source.batchGetSome([], concurrent: .max).values.isEmpty)
  }

  @Test func `a cancelled batch ends cancelled, not with fewer values`() async throws {
    let door = Door()
    let source = SlowSource { key, _ in
      try await door.pass()
      return key
    }
    let task = Task { try await source.batchGetSome(["a", "b"]) }
    await source.untilCalled(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a cancelled batch starts no more reads`() async throws {
    let door = Door()
    let source = SlowSource { key, _ in
      try await door.passStubbornly()
      return key
    }
    let keys = (0..<100).map(String.init)
    let some = Task { try await source.batchGetSome(keys, concurrent: 1) }
    await source.untilCalled()
    some.cancel()
    let all = Task { try await source.batchGetAll(keys, concurrent: 1) }
    await source.untilCalled(2)
    all.cancel()
    door.open()
    await #expect(throws: CancellationError.self) { try await some.value }
    await #expect(throws: CancellationError.self) { try await all.value }
    #expect(source.calls <= 4)
  }

  /// A list that nobody has set must not be given.
  @Test func `a list of which one value cannot be set is the old one or none`() async throws {
    for failing in ["a", "b", "c"] {
      let level = FussyLevel(["a": "old", "b": "old", "c": "old"], refusing: [failing])
      let lists = level.allBatch()
      await #expect(throws: TestFailure.self) {
        try await lists.set(["1", "2", "3"], forKey: ["a", "b", "c"])
      }
      let list = try await lists.get(["a", "b", "c"])
      #expect(list == nil || list == ["old", "old", "old"], "\(failing)")
    }
  }

  @Test func `a batch expires with the first of its entries`() async throws {
    let time = ManualTime()
    let level = MemoryLevel<String, String>(clock: time.clock)
    let front = MemoryLevel<[String], [String]>(clock: time.clock)
    level.set("1", forKey: "a", expiry: .seconds(1))
    level.set("2", forKey: "b", expiry: .seconds(9))
    #expect(try await front.compose(level.allBatch()).get(["a", "b"]) == ["1", "2"])
    time.advance(by: .seconds(1))
    #expect(front[["a", "b"]] == nil)
  }

  @Test func `a batch needs one value for each key`() async throws {
    let level = ShelfLevel()
    let error = await #expect(throws: CacheError.self) {
      try await level.allBatch().set(["1"], forKey: ["a", "b"])
    }
    #expect(error?.code == .mismatchedBatch)
    #expect(await level.values.isEmpty)
  }
}

@Suite struct SwitchTests {
  @Test func `the key decides which level is read and written, removeAll reaches both`()
    async throws
  {
    let first = ShelfLevel()
    let second = ShelfLevel()
    let level = switchLevels(first, second) { $0.hasPrefix("1") ? .first : .second }
    try await level.set("a", forKey: "1")
    try await level.set("b", forKey: "2")
    #expect(await first.values == ["1": "a"])
    #expect(await second.values == ["2": "b"])
    #expect(try await level.get("2") == "b")
    await first.fail(on: [.removeAll])
    await #expect(throws: TestFailure.self) { try await level.removeAll() }
    #expect(await second.values.isEmpty)
  }
}

/// Fails to set some keys.
private actor FussyLevel: CacheLevel {
  private var values: [String: String]
  private let refused: Set<String>

  init(_ values: [String: String], refusing refused: Set<String>) {
    self.values = values
    self.refused = refused
  }

  func get(_ key: String) -> String? { values[key] }
  func set(_ value: String, forKey key: String) throws {
    if refused.contains(key) { throw TestFailure() }
    values[key] = value
  }
  func remove(_ key: String) { values[key] = nil }
  func removeAll() { values = [:] }
}
