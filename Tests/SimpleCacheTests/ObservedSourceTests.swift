import CacheTestSupport
import Testing

@testable import SimpleCache

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
    await evicted.wait(for: 5)
    continuation.yield(.critical)
    await evicted.wait(for: 10)
    #expect(level?.count == 0)
    weak let released = level
    level = nil
    continuation.yield(.warning)
    await trimming.value
    #expect(released == nil)
  }

  @Test func `of the signals that nobody has heard yet the worst is told`() async {
    let (signals, continuation) = AsyncStream.makeStream(
      of: MemoryPressure.self, bufferingPolicy: .bufferingNewest(1))
    var iterator = signals.makeAsyncIterator()
    for pressure in [MemoryPressure.warning, .critical, .warning, .warning] {
      pressure.tell(to: continuation)
    }
    #expect(await iterator.next() == .critical)
    MemoryPressure.warning.tell(to: continuation)
    continuation.finish()
    #expect(await iterator.next() == .warning)
    #expect(await iterator.next() == nil)
  }
}
