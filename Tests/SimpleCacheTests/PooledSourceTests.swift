import CacheTestSupport
import Dispatch
import SimpleCache
import Synchronization
import Testing

@Suite struct PooledSourceTests {
  @Test func `fifty callers for one missing key start one fetch and one write`() async throws {
    let door = Door()
    let source = SlowSource { key, _ in
      try await door.pass()
      return "value of \(key)"
    }
    let disk = ShelfLevel()
    let cache = MemoryLevel<String, String>().compose(disk).compose(source).pooled()
    let values = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<50 { group.addTask { try await cache.get("k") } }
      await source.untilCalled()
      door.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == Array(repeating: "value of k", count: 50))
    #expect(source.calls == 1)
    #expect(await disk.calls[.set] == 1)
    #expect(cache.fetchCount == 0)
  }

  @Test func `different keys are fetched side by side`() async throws {
    let door = Door()
    let source = SlowSource { key, _ in
      try await door.pass()
      return key
    }
    let cache = source.pooled()
    async let a = cache.get("a")
    async let b = cache.get("b")
    await source.untilCalled(2)
    door.open()
    #expect(try await [a, b] == ["a", "b"])
  }

  @Test func `an error is shared by those who wait, and not kept`() async throws {
    let door = Door()
    let source = SlowSource { key, number in
      try await door.pass()
      if number == 1 { throw TestFailure() }
      return key
    }
    let cache = source.pooled()
    let tasks = (0..<5).map { _ in Task { try await cache.get("k") } }
    await source.untilCalled()
    for _ in 0..<200 { await Task.yield() }
    door.open()
    var failures = 0
    for task in tasks { if case .failure = await task.result { failures += 1 } }
    #expect(failures >= 1)
    #expect(try await cache.get("k") == "k")
  }

  @Test func `a waiter's cancellation is his alone, and at once`() async throws {
    let door = Door()
    let source = SlowSource { key, _ in
      try await door.pass()
      return key
    }
    let cache = source.pooled()
    let first = Task { try await cache.get("k") }
    await source.untilCalled()
    let others = (0..<2).map { _ in Task { try await cache.get("k") } }
    for _ in 0..<200 { await Task.yield() }
    first.cancel()
    // The door is shut: it can only end because it was cancelled.
    await #expect(throws: CancellationError.self) { try await first.value }
    let fourth = Task { try await cache.get("k") }
    for _ in 0..<200 { await Task.yield() }
    door.open()
    for task in others + [fourth] { #expect(try await task.value == "k") }
    #expect(source.calls == 1)
  }

  @Test func `when all have gone the fetch is cancelled, and the next caller starts a fresh one`()
    async throws
  {
    let stubborn = Door()
    let source = SlowSource { key, number in
      if number == 1 { try await stubborn.passStubbornly() }
      return "\(key) \(number)"
    }
    let cache = source.pooled()
    let tasks = (0..<3).map { _ in Task { try await cache.get("k") } }
    await source.untilCalled()
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(cache.fetchCount == 0)
    // The first fetch still hangs; it must not be joined.
    #expect(try await cache.get("k") == "k 2")
    stubborn.open()
    while source.running > 0 { await Task.yield() }
    #expect(source.cancellations == 1)
  }

  @Test func `a fetch that began before a write is not joined after it`() async throws {
    let door = Door()
    let source = SlowSource { key, number in
      if number == 1 { try await door.pass() }
      return "\(key) \(number)"
    }
    let cache = MemoryLevel<String, String>().compose(source).pooled()
    let old = Task { try await cache.get("k") }
    await source.untilCalled()
    try await cache.remove("k")
    #expect(try await cache.get("k") == "k 2")
    door.open()
    #expect(try await old.value == "k 1")
    // The old result came later and did not replace the newer one.
    #expect(try await cache.get("k") == "k 2")
    #expect(source.calls == 2)
  }

  @Test func `a fetch that began during a write is not joined after it`() async throws {
    let shelf = ShelfLevel(["k": "old"])
    let cache = shelf.pooled()
    let writing = Door()
    let reading = Door()
    await shelf.hold(.remove, at: writing)
    await shelf.hold(.get, at: reading)
    let writer = Task { try await cache.remove("k") }
    while await shelf.calls[.remove] == nil { await Task.yield() }
    // Has read the old value, and has not ended.
    let old = Task { try await cache.get("k") }
    while await shelf.calls[.get] == nil { await Task.yield() }
    writing.open()
    try await writer.value
    await shelf.hold(.get, at: nil)
    #expect(try await cache.get("k") == nil)
    reading.open()
    #expect(try await old.value == "old")
  }

  @Test func `what is in memory starts no fetch and no task`() async throws {
    let source = SlowSource { _, _ in nil }
    let memory = MemoryLevel<String, String>()
    memory["a"] = "1"
    let cache = memory.compose(source).pooled()
    #expect(cache.getIfReady("a") == "1")
    #expect(try await cache.get("a") == "1")
    #expect(source.calls == 0)
  }

  @Test func `ten thousand immediate cancellations all end cancelled, and leave no fetch`()
    async throws
  {
    let door = Door()
    let source = SlowSource { key, _ in
      try await door.pass()
      return key
    }
    let cache = source.pooled()
    let tasks = (0..<10_000).map { number in
      let task = Task { try await cache.get("k\(number % 7)") }
      task.cancel()
      return task
    }
    for task in tasks {
      switch await task.result {
      case .failure(let error): #expect(error is CancellationError)
      case .success: Issue.record("a cancelled call gave a value")
      }
    }
    #expect(cache.fetchCount == 0)
    while source.running > 0 { await Task.yield() }
    door.open()
    #expect(try await cache.get("k1") == "k1")
  }

  @Test func `cancelling while the fetch succeeds ends each call exactly once`() async throws {
    let source = SlowSource { key, _ in
      await Task.yield()
      return key
    }
    let cache = source.pooled()
    var values = 0
    var cancelled = 0
    for round in 0..<10_000 {
      // A continuation resumed twice would end the process, one never resumed would hang here.
      let task = Task { try await cache.get("k") }
      let canceller = Task.detached {
        if round % 3 != 0 { await Task.yield() }
        task.cancel()
      }
      switch await task.result {
      case .success(let value):
        #expect(value == "k")
        values += 1
      case .failure(let error):
        #expect(error is CancellationError)
        cancelled += 1
      }
      await canceller.value
    }
    #expect(values + cancelled == 10_000)
    #expect(cache.fetchCount == 0)
  }

  @Test func `a thousand concurrent gets end on a small pool`() async throws {
    let time = ManualTime()
    let source = SlowSource { key, _ in
      // Asleep, not blocking: a pool of two threads must be enough.
      try await time.sleep(for: .seconds(1))
      return key
    }
    let cache = MemoryLevel<String, String>(countLimit: 2_000).compose(ShelfLevel())
      .compose(source.capped(concurrent: 100)).pooled()
    let all = Task {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1_000 {
          group.addTask { try await cache.get("k\(number)") == "k\(number)" }
        }
        return try await group.reduce(true) { $0 && $1 }
      }
    }
    for _ in 0..<10 {
      await time.untilAsleep(100)
      time.advance(by: .seconds(1))
    }
    #expect(try await all.value)
    #expect(source.mostRunning == 100)
  }
}

@Suite struct CappedSourceTests {
  @Test func `never more than the cap run at a time, and all have their turn`() async throws {
    let source = SlowSource { key, _ in
      for _ in 0..<5 { await Task.yield() }
      return key
    }
    let capped = source.capped(concurrent: 3)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { try await capped.get("\(number)") == "\(number)" }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(source.calls == 200)
    #expect(source.mostRunning == 3)
  }

  @Test func `who is cancelled in the queue ends at once and costs no turn`() async throws {
    let door = Door()
    let source = SlowSource { key, _ in
      try await door.pass()
      return key
    }
    let capped = source.capped(concurrent: 1)
    let first = Task { try await capped.get("a") }
    await source.untilCalled()
    let waiting = (0..<100).map { number in Task { try await capped.get("\(number)") } }
    for _ in 0..<300 { await Task.yield() }
    for task in waiting.dropLast() { task.cancel() }
    for task in waiting.dropLast() {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    door.open()
    #expect(try await first.value == "a")
    #expect(try await waiting[99].value == "99")
    #expect(source.calls == 2)
  }

  @Test func `an error gives the turn back`() async throws {
    let capped = SlowSource { _, _ in throw TestFailure() }.capped(concurrent: 1)
    for _ in 0..<3 { await #expect(throws: TestFailure.self) { try await capped.get("a") } }
  }

  @Test func `a cap of zero is refused with a sentence`() async {
    await #expect(processExitsWith: .failure) {
      _ = ClosureSource<Int, Int> { $0 }.capped(concurrent: 0)
    }
  }
}
