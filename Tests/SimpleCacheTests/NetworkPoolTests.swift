import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

@Suite struct NetworkPoolTests {
  @Test func `a read and a refresh of a pool share one request`() async throws {
    let door = DispatchSemaphore(value: 0)
    let asked = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      asked.add(true)
      // A thread of the server's own.
      door.wait()
      connection.answer(body: "page")
    }
    let url = server.url("/")
    let cache = MemoryLevel<URL, Data>().compose(NetworkFetcher()).pooled()
    let refresh = Task { try await cache.refreshedEntry(for: url)?.value }
    await asked.wait(for: 1)
    let read = Task { try await cache.get(url) }
    while cache.fetchCount < 2 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    for _ in 0..<2 { door.signal() }
    #expect(try await refresh.value == Data("page".utf8))
    #expect(try await read.value == Data("page".utf8))
    #expect(server.requests.count == 1)
  }
}
