import CacheTestSupport
import Foundation
import SimpleCache
import Testing

@Suite struct TransformationTests {
  private let number = TwoWayClosureTransformer<String, Int>(
    transform: { text in
      guard let number = Int(text) else { throw TestFailure("no number") }
      return number
    },
    inverseTransform: { number in
      guard number >= 0 else { throw TestFailure("negative") }
      return String(number)
    })

  @Test func `a value that cannot be converted back fails the set and changes nothing`()
    async throws
  {
    let shelf = ShelfLevel(["a": "1"])
    let level = shelf.transformValues(number)
    let error = await #expect(throws: CacheError.self) { try await level.set(-1, forKey: "a") }
    #expect(error?.code == .untransformable && error?.key == "a")
    #expect(error?.level == "ShelfLevel" && error?.underlying as? TestFailure != nil)
    #expect(await shelf.values == ["a": "1"])
    #expect(await shelf.calls.isEmpty)
  }

  @Test func `a value that cannot be converted is a typed error, and is asked for once`()
    async throws
  {
    let source = SlowSource { _, _ in "no number" }
    let cache = MemoryLevel<String, Int>().compose(source.transformValues(number)).pooled()
    let error = await #expect(throws: CacheError.self) { try await cache.get("a") }
    #expect(error?.code == .untransformable)
    #expect(source.calls == 1)
  }

  @Test func `a key that cannot be converted is a typed error, and nothing is asked`() async throws
  {
    let source = SlowSource { key, _ in key }
    let byNumber = source.transformKeys { (key: Int) -> String in
      if key < 0 { throw TestFailure() }
      return "k\(key)"
    }
    #expect(try await byNumber.get(1) == "k1")
    let error = await #expect(throws: CacheError.self) { try await byNumber.get(-1) }
    #expect(error?.code == .untransformable && error?.key == "-1")
    #expect(source.calls == 1)
  }

  @Test func `a condition that says no is a miss, one that throws an error`() async throws {
    let source = SlowSource { key, _ in key }
    let conditioned = source.conditioned { key in
      if key == "bad" { throw TestFailure() }
      return key.hasPrefix("a")
    }
    #expect(try await conditioned.get("abc") == "abc")
    #expect(try await conditioned.get("xyz") == nil)
    let error = await #expect(throws: CacheError.self) { try await conditioned.get("bad") }
    #expect(error?.code == .refused)
    #expect(source.calls == 1)
  }

  @Test func `postprocessing touches what is read, not what is set`() async throws {
    let shelf = ShelfLevel()
    let level = shelf.postProcess { $0.uppercased() }.conditionedPostProcess { "\($1): \($0)" }
    try await level.set("x", forKey: "a")
    #expect(await shelf.values == ["a": "x"])
    #expect(try await level.get("a") == "a: X")
  }

  @Test func `a conditioned value transformation knows the key, both ways`() async throws {
    let shelf = ShelfLevel()
    let transformer = TwoWayConditionedTransformer<String, String, Int>(
      transform: { text, key in (Int(text) ?? 0) - key.count },
      inverseTransform: { number, key in String(number + key.count) })
    let level = shelf.conditionedValueTransformation(transformer)
    try await level.set(5, forKey: "abc")
    #expect(await shelf.values == ["abc": "8"])
    #expect(try await level.get("abc") == 5)
  }

  @Test func `transformers compose, invert and take conditions`() async throws {
    let text = StringTransformer()
    let both = text.compose(number)
    #expect(try await both.transform(Data("42".utf8)) == 42)
    #expect(try await both.inverseTransform(7) == Data("7".utf8))
    #expect(try await both.invert().transform(7) == Data("7".utf8))
    let short = text.conditioned { $0.count < 3 }
    #expect(try await short.transform(Data("ab".utf8)) == "ab")
    await #expect(throws: CacheError.self) { try await short.transform(Data("abc".utf8)) }
    await #expect(throws: CacheError.self) { try await short.inverseTransform("abc") }
    #expect(throws: CacheError.self) { try text.transform(Data([0xFF])) }
  }

  @Test func `JSON and other Codable forms go both ways`() async throws {
    struct Page: Codable, Equatable, Sendable {
      var title: String
      var date: Date
    }
    let page = Page(title: "ä", date: Date(timeIntervalSince1970: 12.5))
    let json = JSONTransformer<Page>()
    #expect(try json.transform(json.inverseTransform(page)) == page)
    let plist = CodableTransformer<Page>(
      encode: { try PropertyListEncoder().encode($0) },
      decode: { try PropertyListDecoder().decode(Page.self, from: $0) })
    #expect(try plist.transform(plist.inverseTransform(page)) == page)
    #expect(throws: (any Error).self) { try json.transform(Data("{".utf8)) }
  }
}

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

@Suite struct CachedThenFreshTests {
  private func read<Source: RefreshableSource<String, String>>(
    _ source: Source
  ) async throws -> [CachedOrFresh<String>] {
    var values: [CachedOrFresh<String>] = []
    for try await value in source.cachedThenFresh("k") { values.append(value) }
    return values
  }

  @Test func `the cached value comes at once, the fetched one after it, and is stored`()
    async throws
  {
    let door = Door()
    let network = SlowSource { _, _ in
      try await door.pass()
      return "new"
    }
    let memory = MemoryLevel<String, String>()
    let disk = ShelfLevel(["k": "old"])
    let cache = memory.compose(disk).compose(network).pooled()
    var iterator = cache.cachedThenFresh("k").makeAsyncIterator()
    #expect(try await iterator.next() == .cached("old"))
    #expect(network.calls == 0)
    door.open()
    #expect(try await iterator.next() == .fresh("new"))
    #expect(try await iterator.next() == nil)
    #expect(memory["k"] == "new")
    #expect(await disk.values == ["k": "new"])
  }

  @Test func `levels composed from the right know cached from fresh as well`() async throws {
    let network = SlowSource { _, number in "new \(number)" }
    let memory = MemoryLevel<String, String>()
    let cache = memory.compose(ShelfLevel(["k": "old"]).compose(network))
    #expect(try await read(cache) == [.cached("old"), .fresh("new 1")])
    #expect(try await read(cache) == [.cached("new 1"), .fresh("new 2")])
  }

  @Test func `nothing cached gives only the fetched one`() async throws {
    let cache = MemoryLevel<String, String>().compose(SlowSource { _, _ in "new" })
    #expect(try await read(cache) == [.fresh("new")])
  }

  @Test func `offline, the cached value is given and then the error thrown`() async throws {
    let memory = MemoryLevel<String, String>()
    memory["k"] = "old"
    let cache = memory.compose(SlowSource { _, _ in throw TestFailure("offline") })
    var iterator = cache.cachedThenFresh("k").makeAsyncIterator()
    #expect(try await iterator.next() == .cached("old"))
    await #expect(throws: CacheError.self) { try await iterator.next() }
    #expect(memory["k"] == "old")
  }

  @Test func `a cache that fails does not keep the fresh value away`() async throws {
    let shelf = ShelfLevel()
    await shelf.fail(on: [.get])
    #expect(try await read(shelf.compose(SlowSource { _, _ in "new" })) == [.fresh("new")])
  }
}

@Suite struct TimedAndRetriedTests {
  private let time = ManualTime()

  @Test func `a fetch that ignores time is given up, and the next get starts a new one`()
    async throws
  {
    let door = Door()
    let source = SlowSource { key, number in
      if number == 1 { try await door.passStubbornly() }
      return "\(key) \(number)"
    }
    let cache = source.timeout(.seconds(1), clock: time).pooled()
    let task = Task { try await cache.get("k") }
    await source.untilCalled()
    await time.untilAsleep()
    time.advance(by: .seconds(1))
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? CacheError)?.code == .timedOut }
    #expect(try await cache.get("k") == "k 2")
    door.open()
    while source.running > 0 { await Task.yield() }
    #expect(source.cancellations == 1)
  }

  @Test func `cancelling a timed read ends it at once`() async throws {
    let door = Door()
    let source = SlowSource { _, _ in
      try await door.passStubbornly()
      return nil
    }
    let task = Task { try await source.timeout(.seconds(1), clock: time).get("k") }
    await source.untilCalled()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    door.open()
  }

  @Test func `errors are retried with growing pauses, and the last one is thrown`() async throws {
    let source = SlowSource { _, number in throw TestFailure("\(number)") }
    let retried = source.retry(
      3, backoff: .exponential(.seconds(1), limit: .seconds(3)), clock: time)
    let start = time.now
    let task = Task { try await retried.get("k") }
    for pause in [1, 2, 3] {
      await time.untilAsleep()
      time.advance(by: .seconds(pause))
    }
    await #expect(throws: TestFailure("4")) { try await task.value }
    #expect(source.calls == 4)
    #expect(start.duration(to: time.now) == .seconds(6))
  }

  @Test func `a success after errors is given, a miss is not repeated`() async throws {
    let source = SlowSource { key, number in
      if number < 3 { throw TestFailure() }
      return key == "none" ? nil : key
    }
    let retried = source.retry(5, backoff: .none, clock: time)
    #expect(try await retried.get("k") == "k")
    #expect(source.calls == 3)
    #expect(try await retried.get("none") == nil)
    #expect(source.calls == 4)
  }

  @Test func `what will be the same again is not repeated`() async throws {
    let source = SlowSource { _, _ in throw CacheError(.status, level: "x", status: 404) }
    let retried = source.retry(5, backoff: .none, clock: time)
    await #expect(throws: CacheError.self) { try await retried.get("k") }
    #expect(source.calls == 1)
  }

  @Test func `cancelling during a pause ends the read at once`() async throws {
    let source = SlowSource { _, _ in throw TestFailure() }
    let retried = source.retry(5, backoff: .constant(.seconds(1)), clock: time)
    let task = Task { try await retried.get("k") }
    await time.untilAsleep()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(source.calls == 1)
  }
}

@Suite struct ObservedSourceTests {
  @Test func `hits, misses, sets and errors are told and counted, cancellation is not`()
    async throws
  {
    let told = Collected<CacheEvent<String>>()
    let shelf = ShelfLevel()
    let level = shelf.observed { told.add($0) }
    #expect(try await level.get("a") == nil)
    try await level.set("1", forKey: "a")
    #expect(try await level.get("a") == "1")
    await shelf.fail(on: [.get])
    await #expect(throws: TestFailure.self) { try await level.get("a") }
    let counts = level.statistics
    #expect(counts.hits == 1 && counts.misses == 1 && counts.sets == 1 && counts.errors == 1)
    #expect(told.all.count == 4)
  }
}

@Suite struct CacheErrorTests {
  @Test(arguments: [
    (
      CacheError(.status, level: "NetworkFetcher", key: "k", status: 404),
      "NetworkFetcher: the server answered with status 404 for “k”"
    ),
    (
      CacheError(.failed, level: "Disk", underlying: TestFailure("x")),
      "Disk: failed (TestFailure(text: \"x\"))"
    ),
    (
      CacheError(.timedOut, level: "L", key: 5, message: "Try later."),
      "L: no answer in the time allowed for “5”. Try later."
    ),
  ])
  func `an error says level, reason, key and cause`(error: CacheError, text: String) {
    #expect(error.description == text)
  }

  @Test func `a long key is cut`() {
    let error = CacheError(.failed, level: "L", key: String(repeating: "x", count: 5_000))
    #expect(error.key?.count == 200)
  }
}

@Suite struct MemoryPressureTests {
  @Test func `signals trim the level, and do not keep it alive`() async throws {
    let (signals, continuation) = AsyncStream.makeStream(of: MemoryPressure.self)
    let evicted = Collected<Int>()
    var level: MemoryLevel<Int, Int>? = MemoryLevel(onEvent: { event in
      if case .evicted(let key, .memoryPressure) = event { evicted.add(key) }
    })
    for number in 0..<10 { level?[number] = number }
    let trimming = try #require(level).trim(on: signals)
    continuation.yield(.warning)
    while evicted.all.count < 5 { await Task.yield() }
    continuation.yield(.critical)
    while evicted.all.count < 10 { await Task.yield() }
    #expect(level?.count == 0)
    weak let released = level
    level = nil
    continuation.yield(.warning)
    await trimming.value
    #expect(released == nil)
  }
}
