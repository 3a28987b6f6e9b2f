import CacheTestSupport
import SimpleCache
import SimpleStore
import Testing

/// One fetch for each key in flight, whether it is read or refreshed.
@Suite struct PooledRefreshTests {
  private let door = Door()
  private let memory = MemoryLevel<String, String>()

  private func source() -> SlowSource {
    SlowSource { [door] key, number in
      try await door.pass()
      return "\(key) \(number)"
    }
  }

  /// A cache in each way to build one.
  private func caches(
    _ disk: ShelfLevel, _ source: some CacheSource<String, String>
  ) -> [any RefreshableSource<String, String>] {
    let same = TwoWayClosureTransformer<String, String>(
      transform: { $0 }, inverseTransform: { $0 })
    return [
      memory.compose(disk).compose(source).pooled(),
      memory.compose(disk.compose(source)).pooled(),
      memory.compose(disk.compose(source.normalize())).normalize().pooled(),
      memory.compose(disk.compose(source.retry(1).capped(concurrent: 1)).observed())
        .transformKeys { (key: String) in key }.transformValues(same).timeout(.seconds(600))
        .pooled(),
    ]
  }

  /// Starts a call and lets it come as far as it can while nothing else ends.
  private func started<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async -> Task<Result, any Error> {
    let hasBegun = Guarded(false)
    let task = Task {
      hasBegun.withLock { $0 = true }
      return try await body()
    }
    while !hasBegun.withLock({ $0 }) { await Task.yield() }
    for _ in 0..<1_000 { await Task.yield() }
    return task
  }

  @Test(arguments: 0..<4)
  func `a refresh joins a get that has reached the source`(number: Int) async throws {
    let (source, disk) = (source(), ShelfLevel())
    let cache = caches(disk, source)[number]
    let get = Task { try await cache.get("k") }
    await source.untilCalled()
    let refresh = await started { try await cache.refreshedEntry(for: "k")?.value }
    door.open()
    #expect(try await get.value == "k 1")
    #expect(try await refresh.value == "k 1")
    #expect(source.calls == 1)
    #expect(await disk.calls[.set] == 1)
    #expect(memory["k"] == "k 1")
  }

  @Test(arguments: 0..<4)
  func `a get that misses joins a refresh`(number: Int) async throws {
    let (source, disk) = (source(), ShelfLevel())
    let cache = caches(disk, source)[number]
    let refresh = Task { try await cache.refreshedEntry(for: "k")?.value }
    await source.untilCalled()
    let get = await started { try await cache.get("k") }
    door.open()
    #expect(try await refresh.value == "k 1")
    #expect(try await get.value == "k 1")
    #expect(source.calls == 1)
    #expect(await disk.calls[.set] == 1)
  }

  @Test(arguments: 0..<4)
  func `a get beside a refresh is answered from the cache, the refresh never`(number: Int)
    async throws
  {
    let (source, disk) = (source(), ShelfLevel(["k": "old"]))
    let cache = caches(disk, source)[number]
    let reading = Door()
    await disk.hold(.get, at: reading)
    let get = Task { try await cache.get("k") }
    while await disk.calls[.get] == nil { await Task.yield() }
    let refresh = Task { try await cache.refreshedEntry(for: "k")?.value }
    await source.untilCalled()
    reading.open()
    // The door to the source is shut.
    #expect(try await get.value == "old")
    door.open()
    #expect(try await refresh.value == "k 1")
    #expect(source.calls == 1)
  }

  @Test func `who leaves leaves the other's fetch alone, and the last one cancels it`()
    async throws
  {
    let source = source()
    let cache = memory.compose(ShelfLevel()).compose(source).pooled()
    for leavesFirst in [true, false] {
      let calls = source.calls
      let get = Task { try await cache.get("k") }
      await source.untilCalled(calls + 1)
      let refresh = await started { try await cache.refreshedEntry(for: "k")?.value }
      (leavesFirst ? get : refresh).cancel()
      await #expect(throws: CancellationError.self) {
        try await (leavesFirst ? get : refresh).value
      }
      for _ in 0..<1_000 { await Task.yield() }
      #expect(source.running == 1)
      (leavesFirst ? refresh : get).cancel()
      await #expect(throws: CancellationError.self) {
        try await (leavesFirst ? refresh : get).value
      }
      while source.running > 0 { await Task.yield() }
      #expect(source.calls == calls + 1)
    }
    #expect(cache.fetchCount == 0)
    door.open()
    #expect(try await cache.get("k") == "k 3")
  }

  @Test func `nobody joins across a write, and an error is for both`() async throws {
    let failing = SlowSource { [door] key, number in
      if number == 1 { try await door.pass() }
      if number < 3 { throw TestFailure() }
      return "\(key) \(number)"
    }
    let cache = memory.compose(failing).pooled()
    let get = Task { try await cache.get("k") }
    await failing.untilCalled()
    let refresh = await started { try await cache.refreshedEntry(for: "k")?.value }
    try await cache.remove("k")
    await #expect(throws: CacheError.self) { try await cache.refreshedEntry(for: "k") }
    #expect(failing.calls == 2)
    door.open()
    await #expect(throws: CacheError.self) { try await get.value }
    await #expect(throws: CacheError.self) { try await refresh.value }
    #expect(try await cache.get("k") == "k 3")
  }
}
