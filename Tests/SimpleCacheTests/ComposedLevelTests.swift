import CacheTestSupport
import Testing

@testable import SimpleCache

@Suite struct ComposedLevelTests {
  private let memory = MemoryLevel<String, String>()

  @Test func `a hit behind fills the front, and the back is not asked again`() async throws {
    let back = SlowSource { key, _ in "value of \(key)" }
    let cache = memory.compose(back)
    #expect(try await cache.get("a") == "value of a")
    #expect(memory["a"] == "value of a")
    #expect(try await cache.get("a") == "value of a")
    #expect(back.calls == 1)
  }

  @Test func `a hit in front asks nobody behind`() async throws {
    let back = SlowSource { _, _ in nil }
    memory["a"] = "1"
    #expect(try await memory.compose(back).get("a") == "1")
    #expect(back.calls == 0)
  }

  @Test func `set and remove reach every level`() async throws {
    let front = ShelfLevel(["k": "old"])
    let back = ShelfLevel(["k": "old"])
    let cache = front.compose(back)
    try await cache.set("new", forKey: "k")
    #expect(await front.values == ["k": "new"])
    #expect(await back.values == ["k": "new"])
    try await cache.remove("k")
    #expect(await front.values.isEmpty)
    #expect(await back.values.isEmpty)
    try await cache.set("new", forKey: "k")
    try await cache.removeAll()
    #expect(await front.values.isEmpty)
    #expect(await back.values.isEmpty)
  }

  @Test func `a level known only as a source is written all the same`() async throws {
    func put<Back: CacheSource<String, String>>(behind back: Back) -> ComposedLevel<
      MemoryLevel<String, String>, Back
    > { memory.compose(back) }
    let back = ShelfLevel()
    try await put(behind: back).set("1", forKey: "a")
    #expect(await back.values == ["a": "1"])
  }

  @Test func `a failing write-back does not fail the read, and is told`() async throws {
    let front = ShelfLevel()
    await front.fail(on: [.set])
    let told = Collected<CacheEvent<String>>()
    let cache = front.compose(ShelfLevel(["a": "1"])) { told.add($0) }
    #expect(try await cache.get("a") == "1")
    guard case .failed("a", let error as CacheError) = told.all.first else {
      Issue.record("nothing was told")
      return
    }
    #expect(error.level == "ShelfLevel" && error.underlying as? TestFailure == TestFailure())
  }

  @Test func `an explicit set that fails throws, whichever level it was`() async throws {
    for failing in [0, 1] {
      let levels = [ShelfLevel(["k": "old"]), ShelfLevel(["k": "old"])]
      await levels[failing].fail(on: [.set])
      let cache = levels[0].compose(levels[1])
      let error = await #expect(throws: CacheError.self) {
        try await cache.set("new", forKey: "k")
      }
      #expect(error?.key == "k" && error?.underlying as? TestFailure == TestFailure())
      // Never an old value in front of a newer one.
      #expect(await levels[0].values["k"] == nil)
    }
  }

  @Test func `after a set that failed there is the old value or none`() async throws {
    let operations: [Set<ShelfLevel.Operation>] = [[.set], [.remove], [.set, .remove]]
    for (failing, operations) in operations.flatMap({ [(0, $0), (1, $0)] }) {
      let levels = [ShelfLevel(["k": "old"]), ShelfLevel(["k": "old"])]
      let cache = levels[0].compose(levels[1])
      await levels[failing].fail(on: operations)
      // A back that fails to remove is of no concern as long as nothing has to be taken back.
      let isFailing = (try? await cache.set("new", forKey: "k")) == nil
      #expect(isFailing == (failing == 0 || operations.contains(.set)))
      await levels[failing].fail(on: [])
      let value = try await cache.get("k")
      #expect(isFailing ? value != "new" : value == "new", "\(failing) \(operations)")
    }
  }

  @Test func `after a set that failed and cannot be taken back there is no third value`()
    async throws
  {
    let levels = [ShelfLevel(), ShelfLevel(["k": "old"])]
    let cache = levels[0].compose(levels[1])
    await levels[0].fail(on: [.set])
    await levels[1].fail(on: [.remove])
    await #expect(throws: CacheError.self) { try await cache.set("new", forKey: "k") }
    #expect(await levels[0].values.isEmpty)
    #expect(await levels[1].values == ["k": "new"])
  }

  @Test func `a set that is cancelled in front is taken back behind`() async throws {
    let levels = [ShelfLevel(), ShelfLevel(["k": "old"])]
    let cache = levels[0].compose(levels[1])
    await levels[0].hold(.set, at: Door())
    let task = Task { try await cache.set("new", forKey: "k") }
    while await levels[0].calls[.set] == nil { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await levels[1].values.isEmpty)
  }

  @Test func `a remove that fails in front still reaches the back`() async throws {
    let front = ShelfLevel(["k": "1"])
    let back = ShelfLevel(["k": "1"])
    await front.fail(on: [.remove, .removeAll])
    let cache = front.compose(back)
    await #expect(throws: CacheError.self) { try await cache.remove("k") }
    #expect(await back.values.isEmpty)
    await #expect(throws: CacheError.self) { try await cache.removeAll() }
  }

  @Test func `a front that fails is passed over and told, and is no miss when nothing is behind`()
    async throws
  {
    let front = ShelfLevel()
    await front.fail(on: [.get])
    let told = Collected<CacheEvent<String>>()
    let cache = front.compose(ShelfLevel(["a": "1"])) { told.add($0) }
    #expect(try await cache.get("a") == "1")
    #expect(told.all.count == 1)
    await #expect(throws: CacheError.self) { try await cache.get("b") }
  }

  @Test func `an error behind is thrown with level, key and cause`() async throws {
    let back = SlowSource { _, _ in throw TestFailure("down") }
    let error = await #expect(throws: CacheError.self) { try await memory.compose(back).get("a") }
    #expect(error?.level == "SlowSource" && error?.key == "a")
    #expect(error?.underlying as? TestFailure == TestFailure("down"))
    #expect(memory.count == 0)
  }

  @Test func `cancellation is never a miss nor a reason to go on`() async throws {
    let door = Door()
    let front = ShelfLevel()
    await front.hold(.get, at: door)
    let back = SlowSource { _, _ in "late" }
    let cache = front.compose(back)
    let task = Task { try await cache.get("a") }
    while await front.calls[.get] == nil { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(back.calls == 0)
  }

  @Test func `a promoted entry keeps the earlier expiry`() async throws {
    let time = ManualTime()
    let front = MemoryLevel<String, String>(expiry: .seconds(10), clock: time.clock)
    let back = MemoryLevel<String, String>(clock: time.clock)
    let cache = front.compose(back)
    back.set("short", forKey: "a", expiry: .seconds(3))
    back.set("long", forKey: "b", expiry: .seconds(100))
    time.advance(by: .seconds(2))
    #expect(try await cache.get("a") == "short")
    #expect(try await cache.get("b") == "long")
    time.advance(by: .seconds(1))
    #expect(front["a"] == nil)
    #expect(try await cache.get("a") == nil)
    time.advance(by: .seconds(9))
    #expect(front["b"] == nil)
  }

  @Test func `the expiry goes through three levels and every wrapper`() async throws {
    let time = ManualTime()
    let levels = (0..<3).map { _ in MemoryLevel<String, String>(clock: time.clock) }
    let twice = TwoWayClosureTransformer<String, String>(
      transform: { $0 + $0 }, inverseTransform: { String($0.prefix($0.count / 2)) })
    let last = levels[2].transformKeys { (key: String) in key }.transformValues(twice)
      .conditioned { _ in true }.postProcess { $0 }.conditionedPostProcess { value, _ in value }
      .capped(concurrent: 1).timeout(.seconds(100)).retry(1).observed().normalize().pooled()
    let cache = levels[0].compose(levels[1].compose(last))
    levels[2].set("x", forKey: "a", expiry: .seconds(5))
    #expect(try await cache.get("a") == "xx")
    #expect(levels[0]["a"] == "xx" && levels[1]["a"] == "xx")
    time.advance(by: .seconds(5))
    #expect(levels[0]["a"] == nil && levels[1]["a"] == nil && levels[2]["a"] == nil)
  }

  @Test func `a level that knows no expiry does not keep what has one`() async throws {
    let time = ManualTime()
    let back = MemoryLevel<String, String>(expiry: .seconds(1), clock: time.clock)
    let front = ShelfLevel()
    back["a"] = "1"
    #expect(try await front.compose(back).get("a") == "1")
    #expect(await front.values.isEmpty)
  }

  enum Write: CaseIterable { case set, remove, removeAll }

  @Test(arguments: Write.allCases)
  func `a fetch that began before a write does not store its old result`(write: Write) async throws
  {
    let door = Door()
    let back = SlowSource { _, _ in
      try await door.pass()
      return "old"
    }
    let cache = memory.compose(back)
    let reader = Task { try await cache.get("k") }
    await back.untilCalled()
    switch write {
    case .set: try await cache.set("new", forKey: "k")
    case .remove: try await cache.remove("k")
    case .removeAll: try await cache.removeAll()
    }
    door.open()
    #expect(try await reader.value == "old")
    #expect(memory["k"] == (write == .set ? "new" : nil))
    #expect(cache.gate.lineCount == 0)
  }

  @Test(arguments: Write.allCases)
  func `a fetch that began during a write does not store what it found before`(
    write: Write
  ) async throws {
    let back = ShelfLevel(["k": "old"])
    let cache = memory.compose(back)
    let writing = Door()
    let reading = Door()
    await back.hold(.set, at: writing)
    await back.hold(.remove, at: writing)
    await back.hold(.removeAll, at: writing)
    await back.hold(.get, at: reading)
    let writer = Task {
      switch write {
      case .set: try await cache.set("new", forKey: "k")
      case .remove: try await cache.remove("k")
      case .removeAll: try await cache.removeAll()
      }
    }
    while await back.calls.isEmpty { await Task.yield() }
    // Reads the old value, but ends after the write.
    let reader = Task { try await cache.get("k") }
    while await back.calls[.get] == nil { await Task.yield() }
    writing.open()
    try await writer.value
    reading.open()
    #expect(try await reader.value == "old")
    #expect(memory["k"] == (write == .set ? "new" : nil))
    #expect(cache.gate.lineCount == 0)
  }

  @Test func `writes of one key follow one another, so all levels end alike`() async throws {
    for _ in 0..<50 {
      let front = ShelfLevel()
      let back = ShelfLevel()
      let cache = front.compose(back)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask { try? await cache.set("\(number)", forKey: "k") }
          if number % 4 == 3 { group.addTask { try? await cache.removeAll() } }
        }
      }
      #expect(await front.values == back.values)
      #expect(cache.gate.lineCount == 0)
    }
  }

  @Test func `a writer that is cancelled while it waits ends at once and holds nobody up`()
    async throws
  {
    let door = Door()
    let back = ShelfLevel()
    await back.hold(.set, at: door)
    let cache = memory.compose(back)
    let first = Task { try await cache.set("1", forKey: "k") }
    while await back.calls[.set] == nil { await Task.yield() }
    let second = Task { try await cache.set("2", forKey: "k") }
    let all = Task { try await cache.removeAll() }
    for _ in 0..<100 { await Task.yield() }
    second.cancel()
    all.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await #expect(throws: CancellationError.self) { try await all.value }
    door.open()
    try await first.value
    try await cache.set("3", forKey: "k")
    #expect(memory["k"] == "3")
    #expect(cache.gate.lineCount == 0)
  }

  @Test func `readers and writers of a few keys never see a value that was never set`() async throws
  {
    let cache = MemoryLevel<String, String>(countLimit: 3).compose(ShelfLevel()).pooled()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for step in 0..<200 {
            let key = "k\((step &+ worker) % 5)"
            switch step % 10 {
            case 0, 1: try? await cache.set("\(key) \(step)", forKey: key)
            case 2: try? await cache.remove(key)
            case 3 where worker == 0: try? await cache.removeAll()
            default:
              if let value = try? await cache.get(key), !value.hasPrefix(key) {
                Issue.record("another key's value")
              }
            }
          }
        }
      }
    }
    #expect(cache.base.gate.lineCount == 0)
    #expect(cache.fetchCount == 0)
  }
}
