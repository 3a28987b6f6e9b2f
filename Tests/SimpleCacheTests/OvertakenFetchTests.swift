import CacheTestSupport
import SimpleCache
import Testing

/// Of several fetches of one key at once, the newest value stays.
@Suite struct OvertakenFetchTests {
  private let memory = MemoryLevel<String, String>()

  @Test func `an older fetch does not replace a newer fresh value, in memory or on disk`()
    async throws
  {
    func check<Cache: RefreshableSource<String, String>>(
      _ make: (ShelfLevel, SlowSource) -> Cache
    ) async throws {
      let door = Door()
      let source = SlowSource { _, number in
        if number == 1 { try await door.pass() }
        return "v\(number)"
      }
      let disk = ShelfLevel()
      memory.removeAll()
      let cache = make(disk, source)
      let old = Task { try await cache.get("k") }
      await source.untilCalled()
      #expect(try await cache.refreshedEntry(for: "k")?.value == "v2")
      door.open()
      #expect(try await old.value == "v1")
      #expect(memory["k"] == "v2")
      #expect(await disk.values == ["k": "v2"])
    }
    try await check { memory.compose($0).compose($1) }
    try await check { memory.compose($0.compose($1)) }
  }

  @Test func `a newer fetch replaces what an older one stored meanwhile`() async throws {
    let doors = [Door(), Door()]
    let source = SlowSource { _, number in
      try await doors[number - 1].pass()
      return "v\(number)"
    }
    let disk = ShelfLevel()
    let cache = memory.compose(disk.compose(source))
    let old = Task { try await cache.get("k") }
    await source.untilCalled()
    let new = Task { try await cache.refreshedEntry(for: "k")?.value }
    await source.untilCalled(2)
    doors[0].open()
    #expect(try await old.value == "v1")
    #expect(memory["k"] == "v1")
    doors[1].open()
    #expect(try await new.value == "v2")
    #expect(memory["k"] == "v2")
    #expect(await disk.values == ["k": "v2"])
  }

  @Test func `what was read from disk during a refresh does not replace its value in memory`()
    async throws
  {
    let reading = Door()
    let disk = ShelfLevel(["k": "old"])
    let cache = memory.compose(disk.compose(SlowSource { _, _ in "new" }))
    let fetching = Door()
    await disk.hold(.set, at: fetching)
    let refresh = Task { try await cache.refreshedEntry(for: "k")?.value }
    while await disk.calls[.set] == nil { await Task.yield() }
    await disk.hold(.get, at: reading)
    // Has seen the old value when the refresh ends.
    let old = Task { try await cache.get("k") }
    while await disk.calls[.get] == nil { await Task.yield() }
    fetching.open()
    #expect(try await refresh.value == "new")
    reading.open()
    #expect(try await old.value == "old")
    #expect(memory["k"] == "new")
  }
}
