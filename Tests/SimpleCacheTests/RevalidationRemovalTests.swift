import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

/// What is removed from a composition is asked for again, although a fetcher is no level.
@Suite struct RevalidationRemovalTests {
  private let kept = MemoryLevel<URL, Data>()

  private func fetcher() -> NetworkFetcher { NetworkFetcher(revalidating: kept) }

  private func server() throws -> LoopbackServer {
    try LoopbackServer { request, connection in
      connection.answer(headers: ["Cache-Control: max-age=60"], body: request.path)
    }
  }

  private func check(
    _ cache: some CacheLevel<URL, Data>, _ server: LoopbackServer
  ) async throws {
    let (one, other) = (server.url("/1"), server.url("/2"))
    for url in [one, other, one] { _ = try await cache.get(url) }
    #expect(server.requests.count == 2)
    try await cache.remove(one)
    #expect(kept[one] == nil && kept[other] != nil)
    _ = try await cache.get(one)
    #expect(server.requests.count == 3)
    try await cache.removeAll()
    #expect(kept.count == 0)
    for url in [one, other] { _ = try await cache.get(url) }
    #expect(server.requests.count == 5)
  }

  @Test func `what was removed is asked for again, also from behind what a fetcher is made into`()
    async throws
  {
    try await check(MemoryLevel().compose(fetcher()), server())
    try await check(MemoryLevel().compose(fetcher()).pooled(), server())
    try await check(MemoryLevel().compose(MemoryLevel()).compose(fetcher()), server())
    try await check(MemoryLevel().compose(MemoryLevel().compose(fetcher())), server())
    let same = ClosureTransformer { (data: Data) in data }
    let made = fetcher().transformValues(same).postProcess(same).pooled().capped(concurrent: 1)
      .timeout(.seconds(300)).retry(1).observed().conditioned { _ in true }.normalize()
    try await check(MemoryLevel().compose(made), server())
    let keyed = fetcher().transformKeys { (key: URL) in key }
      .conditionedValueTransformation(ConditionedTransformer { (data: Data, _: URL) in data })
      .conditionedPostProcess(ConditionedTransformer { (data: Data, _: URL) in data })
    try await check(MemoryLevel().compose(keyed), server())
    let switched = switchLevels(fetcher(), fetcher()) { url in
      url.path.hasSuffix("1") ? .first : .second
    }
    try await check(MemoryLevel().compose(switched), server())
  }

  @Test func `what was removed is asked for again from behind lists of keys`() async throws {
    let server = try server()
    let cache = MemoryLevel<[URL], [Data]>().compose(fetcher().allBatch())
    let urls = [server.url("/1"), server.url("/2")]
    _ = try await cache.get(urls)
    try await cache.remove(urls)
    #expect(kept.count == 0)
    _ = try await cache.get(urls)
    try await cache.removeAll()
    #expect(kept.count == 0)
  }

  @Test func `what is set makes a fetcher forget what it kept of before`() async throws {
    let server = try server()
    let (memory, url) = (MemoryLevel<URL, Data>(), server.url("/"))
    let cache = memory.compose(fetcher())
    _ = try await cache.get(url)
    try await cache.set(Data("mine".utf8), forKey: url)
    #expect(kept.count == 0)
    #expect(try await cache.get(url) == Data("mine".utf8))
    memory.removeAll()
    _ = try await cache.get(url)
    #expect(server.requests.count == 2)
  }

  @Test func `what was removed goes from a level behind a source that only reads`() async throws {
    let source = SlowSource { key, number in "\(key) \(number)" }
    let bytes = MemoryLevel<String, String>()
    let cache = MemoryLevel<String, String>().compose(
      bytes.compose(source).transformValues(ClosureTransformer { (text: String) in text + "!" }))
    #expect(try await cache.get("k") == "k 1!")
    try await cache.remove("k")
    #expect(bytes["k"] == nil)
    #expect(try await cache.get("k") == "k 2!")
    try await cache.removeAll()
    #expect(try await cache.get("k") == "k 3!")
    try await cache.set("mine", forKey: "k")
    #expect(bytes["k"] == nil)
  }

  @Test func `after a remove nobody joins a fetch of a pool behind that began before`() async throws
  {
    let door = Door()
    let source = SlowSource { key, number in
      if number == 1 { try await door.pass() }
      return "\(key) \(number)"
    }
    let memory = MemoryLevel<String, String>()
    let cache = memory.compose(source.pooled())
    let old = Task { try await cache.get("k") }
    await source.untilCalled()
    try await cache.remove("k")
    #expect(try await cache.get("k") == "k 2")
    door.open()
    _ = try await old.value
    #expect(memory["k"] == "k 2")
  }

  @Test func `an older fetch does not replace what a later one has kept`() async throws {
    let door = DispatchSemaphore(value: 0)
    let asked = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      asked.add(true)
      let number = asked.all.count
      // A thread of the server's own.
      if number == 1 { door.wait() }
      connection.answer(headers: ["Cache-Control: max-age=60"], body: "\(number)")
    }
    let (fetcher, url) = (fetcher(), server.url("/"))
    let old = Task { try await fetcher.get(url) }
    await asked.wait(for: 1)
    #expect(try await fetcher.refreshedEntry(for: url)?.value == Data("2".utf8))
    door.signal()
    #expect(try await old.value == Data("1".utf8))
    #expect(try await fetcher.get(url) == Data("2".utf8))
    #expect(server.requests.count == 2)
  }

  @Test func `a fetch that began before a remove is not kept after it`() async throws {
    let door = DispatchSemaphore(value: 0)
    let asked = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      asked.add(true)
      // A thread of the server's own.
      if asked.all.count == 1 { door.wait() }
      connection.answer(headers: ["Cache-Control: max-age=60"], body: "\(asked.all.count)")
    }
    let url = server.url("/")
    let cache = MemoryLevel<URL, Data>().compose(fetcher())
    let read = Task { try await cache.get(url) }
    await asked.wait(for: 1)
    try await cache.remove(url)
    door.signal()
    _ = try await read.value
    #expect(kept[url] == nil)
    _ = try await cache.get(url)
    #expect(server.requests.count == 2)
  }

  @Test func `a response that cannot be removed makes the remove fail, and is told`() async throws {
    let events = Collected<CacheEvent<URL>>()
    let cache = MemoryLevel<URL, Data>().compose(
      NetworkFetcher(revalidating: StubbornLevel()), onEvent: { events.add($0) })
    let url = try #require(URL(string: "http://127.0.0.1/"))
    let error = await #expect(throws: CacheError.self) { try await cache.remove(url) }
    #expect(error?.level == "NetworkFetcher")
    #expect(error?.underlying as? TestFailure == TestFailure())
    await #expect(throws: CacheError.self) { try await cache.removeAll() }
    #expect(events.all.count == 2)
  }

  @Test func `removing over a fetcher that keeps nothing is no error`() async throws {
    let server = try server()
    let cache = MemoryLevel<URL, Data>().compose(NetworkFetcher())
    for count in 1...2 {
      _ = try await cache.get(server.url("/"))
      #expect(server.requests.count == count)
      try await cache.remove(server.url("/"))
    }
    try await cache.removeAll()
  }
}

private struct StubbornLevel: CacheLevel {
  func get(_ key: URL) -> Data? { nil }
  func set(_ value: Data, forKey key: URL) {}
  func remove(_ key: URL) throws { throw TestFailure() }
  func removeAll() throws { throw TestFailure() }
}
