import CacheTestSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

@testable import SimpleCache

/// Levels that are used without `await`.
@Suite struct ImmediateLevelTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()
  private let memory = MemoryLevel<String, String>()

  @Test func `two levels are used by a plain subscript, and both are written and filled`()
    async throws
  {
    let disk = level()
    let both = memory.compose(disk)
    both["a"] = "1"
    #expect(both["a"] == "1" && memory["a"] == "1" && disk["a"] == "1")
    both["a"] = nil
    #expect(both["a"] == nil && memory["a"] == nil && disk["a"] == nil)
    disk["b"] = "2"
    #expect(both["b"] == "2")
    #expect(memory["b"] == "2")
    let three = MemoryLevel<String, String>().compose(both)
    #expect(three["b"] == "2")
    #expect(try await three.get("b") == "2")
    three["b"] = "3"
    #expect(try await disk.get("b") == "3")
  }

  @Test func `levels that are used without await keep the laws`() async throws {
    let (keys, values) = (["a", "b", "c", ""], ["1", "2", "3", "4"])
    func check(
      _ make: @escaping @Sendable () -> some ImmediateLevel<String, String>
    ) async throws {
      try await CacheLevelLaws(keys: keys, values: values) { WithoutAwait(base: make()) }
        .checkAll()
    }
    try await check { MemoryLevel() }
    try await check { [folder] in
      DiskLevel(directory: folder.file(UUID().uuidString), coding: .text)
    }
    try await check { [folder] in
      MemoryLevel().compose(DiskLevel(directory: folder.file(UUID().uuidString), coding: .text))
    }
    try await check { [folder] in
      DiskLevel(directory: folder.file(UUID().uuidString), coding: .text).compose(MemoryLevel())
    }
    try await check { MemoryLevel().compose(MemoryLevel().compose(FaultyLevel())) }
  }

  @Test func `what comes from disk keeps its deadline in memory`() {
    let memory = MemoryLevel<String, String>(clock: time.clock)
    let disk = level(expiry: .seconds(5))
    disk["a"] = "1"
    let both = memory.compose(disk)
    time.advance(by: .seconds(3))
    #expect(both["a"] == "1")
    time.advance(by: .seconds(2))
    #expect(memory["a"] == nil)
    #expect(both["a"] == nil)
  }

  @Test func `a hit in memory counts on disk without await`() async throws {
    let disk = level(countLimit: 3)
    let both = memory.compose(disk)
    for key in ["a", "b", "c"] { both[key] = "1" }
    #expect(both["a"] == "1")
    both["d"] = "1"
    #expect(try await disk.keys == ["c", "a", "d"])
  }

  @Test func `a level that fails is told, passed over, and never leaves an old value`() throws {
    let levels = [FaultyLevel(), FaultyLevel()]
    let told = Collected<CacheEvent<String>>()
    let both = levels[0].compose(levels[1]) { told.add($0) }
    func reset(_ old: String? = "old") {
      for level in levels { level.reset(old.map { ["k": $0] } ?? [:]) }
    }
    reset()
    levels[0].fail(on: [.get])
    #expect(both["k"] == "old")
    #expect(told.all.count == 1)
    levels[1].fail(on: [.get])
    let error = #expect(throws: CacheError.self) { try both.entryNow(for: "k") }
    #expect(error?.operation == .get && error?.key == "k")
    #expect(both["k"] == nil)
    for (failing, operations) in [(0, [FaultyLevel.Operation.set]), (1, [.set]), (0, [.remove])] {
      reset()
      levels[failing].fail(on: Set(operations))
      #expect(throws: CacheError.self) { try both.setNow("new", forKey: "k") }
      levels[failing].fail(on: [])
      #expect(both["k"] != "new", "\(failing) \(operations)")
    }
    reset()
    levels[1].fail(on: [.set])
    both["k"] = "new"
    #expect(both["k"] == nil)
    reset()
    levels[0].fail(on: [.set])
    #expect(both["k"] == "old")
    levels[0].fail(on: [.remove])
    #expect(throws: CacheError.self) { try both.removeNow("k") }
    #expect(levels[1].values.isEmpty)
  }

  @Test func `a write that meets another one does not wait, and leaves the levels in step`()
    async throws
  {
    let front = ShelfLevel()
    let shelf = FaultyLevel()
    // The front is not immediate: what is tried is the gate, as both kinds of call use it.
    let slow = front.compose(shelf)
    let door = Door()
    await front.hold(.set, at: door)
    let writer = Task { try await slow.set("async", forKey: "k") }
    while await front.calls[.set] == nil { await Task.yield() }
    let steps = Collected<String>()
    try slow.gate.writeNow("k") { isAlone in
      steps.add("\(isAlone)")
      try shelf.setNow("now", forKey: "k")
    } emptying: {
      steps.add("emptied")
    }
    #expect(steps.all == ["false", "emptied"])
    door.open()
    try await writer.value
    // Its own value is not behind, so it is not in front.
    #expect(await front.values.isEmpty)
    #expect(try await slow.get("k") == "now")
    #expect(slow.gate.lineCount == 0)
  }

  @Test func `readers and writers with and without await never leave levels out of step`()
    async throws
  {
    for round in 0..<300 {
      let (front, back) = (FaultyLevel(), FaultyLevel())
      let both = front.compose(back)
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          group.addTask {
            for step in 0..<7 {
              let key = "k\((step &+ worker) % 3)"
              let value = "\(key) \(worker) \(step)"
              switch (step &* 7 &+ worker &+ round) % 8 {
              case 0: both[key] = value
              case 1: both[key] = nil
              case 2: try? await both.set(value, forKey: key)
              case 3: try? await both.remove(key)
              case 4 where worker == 0: try? await both.removeAll()
              case 5:
                if let value = both[key], !value.hasPrefix(key) { Issue.record("another's value") }
              default:
                if let value = try? await both.get(key), !value.hasPrefix(key) {
                  Issue.record("another's value")
                }
              }
            }
          }
        }
      }
      for (key, value) in front.values { #expect(back.values[key] == value) }
      #expect(both.gate.lineCount == 0)
    }
  }
}

/// Uses a level by its calls without `await` only.
private struct WithoutAwait<Base: ImmediateLevel>: CacheLevel {
  let base: Base
  func get(_ key: Base.Key) -> Base.Value? { base[key] }
  func getIfReady(_ key: Base.Key) -> Base.Value? { base.getIfReady(key) }
  func entry(for key: Base.Key) throws -> CacheEntry<Base.Value>? { try base.entryNow(for: key) }
  func set(_ value: Base.Value, forKey key: Base.Key) { base[key] = value }
  func setEntry(_ entry: CacheEntry<Base.Value>, forKey key: Base.Key) throws {
    try base.setEntryNow(entry, forKey: key)
  }
  func remove(_ key: Base.Key) { base[key] = nil }
  func removeAll() async throws { try await base.removeAll() }
}

/// A level as a user would write one, that fails when told to. With `await` it lets others come between.
private final class FaultyLevel: ImmediateLevel {
  enum Operation: Hashable, Sendable { case get, set, remove }

  private struct State {
    var values: [String: String] = [:]
    var failing: Set<Operation> = []
  }
  private let state = Guarded(State())

  var values: [String: String] { state.withLock { $0.values } }
  func reset(_ values: [String: String]) { state.withLock { $0 = State(values: values) } }
  func fail(on operations: Set<Operation>) { state.withLock { $0.failing = operations } }

  private func attempt<Result: Sendable>(
    _ operation: Operation, _ body: (inout [String: String]) -> Result
  ) throws -> Result {
    try state.withLock { state in
      if state.failing.contains(operation) { throw TestFailure() }
      return body(&state.values)
    }
  }

  func entryNow(for key: String) throws -> CacheEntry<String>? {
    try attempt(.get) { $0[key] }.map { CacheEntry($0) }
  }
  func setNow(_ value: String, forKey key: String) throws {
    try attempt(.set) { $0[key] = value }
  }
  func removeNow(_ key: String) throws { try attempt(.remove) { $0[key] = nil } }

  func get(_ key: String) async throws -> String? {
    let value = try entryNow(for: key)?.value
    await Task.yield()
    return value
  }
  func set(_ value: String, forKey key: String) async throws {
    await Task.yield()
    try setNow(value, forKey: key)
  }
  func remove(_ key: String) async throws {
    await Task.yield()
    try removeNow(key)
  }
  func removeAll() async throws {
    await Task.yield()
    try attempt(.remove) { $0 = [:] }
  }
}
