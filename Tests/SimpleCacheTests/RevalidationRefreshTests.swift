import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

/// What is fresh to a revalidating fetcher: what the server has said just now.
@Suite struct RevalidationRefreshTests {
  private let time = ManualTime()
  private let kept = MemoryLevel<URL, Data>()
  private let version = Collected<Int>()

  /// A page that has changed whenever `version` has.
  private func server() throws -> LoopbackServer {
    let version = version
    return try LoopbackServer { request, connection in
      let number = version.all.count + 1
      let headers = ["ETag: \"v\(number)\"", "Cache-Control: max-age=60"]
      if request.headers["if-none-match"] == "\"v\(number)\"" {
        connection.answer(304, headers: headers)
      } else {
        connection.answer(headers: headers, body: "page \(number)")
      }
    }
  }

  private func fetcher() -> NetworkFetcher {
    NetworkFetcher(revalidating: kept, clock: time.clock)
  }

  private func read(
    _ source: some RefreshableSource<URL, Data>, _ url: URL
  ) async throws -> [CachedOrFresh<String>] {
    var values: [CachedOrFresh<String>] = []
    for try await value in source.cachedThenFresh(url) {
      let text = String(decoding: value.value, as: UTF8.self)
      if case .cached = value { values.append(.cached(text)) } else { values.append(.fresh(text)) }
    }
    return values
  }

  @Test func `a fresh value is asked for, also within max-age`() async throws {
    let server = try server()
    let url = server.url("/")
    let cache = MemoryLevel<URL, Data>(clock: time.clock).compose(fetcher()).pooled()
    #expect(try await read(cache, url) == [.fresh("page 1")])
    #expect(try await read(cache, url) == [.cached("page 1"), .fresh("page 1")])
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
    #expect(server.requests.last?.headers["cache-control"] == "no-cache")
    version.add(2)
    #expect(try await read(cache, url) == [.cached("page 1"), .fresh("page 2")])
    #expect(try await cache.get(url) == Data("page 2".utf8))
    #expect(server.requests.count == 3)
  }

  @Test func `what the fetcher keeps is cached, as long as it is fresh`() async throws {
    let server = try server()
    let url = server.url("/")
    _ = try await fetcher().get(url)
    let cache = MemoryLevel<URL, Data>(clock: time.clock).compose(fetcher())
    #expect(try await read(cache, url) == [.cached("page 1"), .fresh("page 1")])
    time.advance(by: .seconds(60))
    #expect(try await read(cache, url) == [.fresh("page 1")])
    #expect(server.requests.count == 3)
  }

  @Test func `offline, what is kept is cached, and asking for what is fresh fails`() async throws {
    let server = try server()
    let url = server.url("/")
    _ = try await fetcher().get(url)
    server.stop()
    var iterator = fetcher().cachedThenFresh(url).makeAsyncIterator()
    #expect(try await iterator.next() == .cached(Data("page 1".utf8)))
    let error = await #expect(throws: CacheError.self) { try await iterator.next() }
    #expect(error?.code == .unreachable)
    #expect(try await fetcher().get(url) == Data("page 1".utf8))
  }

  @Test func `what is made of a fetcher knows cached from fresh as well`() async throws {
    let server = try server()
    let url = server.url("/")
    _ = try await fetcher().get(url)
    let marked = ClosureTransformer { (data: Data) in data + Data("!".utf8) }
    let cache = MemoryLevel<URL, Data>(clock: time.clock)
      .compose(fetcher().transformValues(marked).retry(1).timeout(.seconds(300))).normalize()
    #expect(try await read(cache, url) == [.cached("page 1!"), .fresh("page 1!")])
    #expect(server.requests.count == 2)
  }

  @Test func `what must be confirmed each time, or is another request's, is not cached`()
    async throws
  {
    let server = try LoopbackServer { _, connection in
      connection.answer(headers: ["ETag: \"v1\"", "Cache-Control: no-cache"], body: "page")
    }
    let url = server.url("/")
    _ = try await fetcher().get(url)
    #expect(kept.count == 1)
    #expect(try await fetcher().cachedEntry(for: url)?.value == nil)
    let other = try self.server()
    _ = try await fetcher().get(other.url("/"))
    let stranger = NetworkFetcher(
      revalidating: kept, headers: ["Authorization": "x"], clock: time.clock)
    #expect(try await stranger.cachedEntry(for: other.url("/"))?.value == nil)
  }

  @Test func `a fetcher that keeps nothing has nothing cached`() async throws {
    let server = try server()
    let fetcher = NetworkFetcher()
    #expect(try await read(fetcher, server.url("/")) == [.fresh("page 1")])
    #expect(try await read(fetcher, server.url("/")) == [.fresh("page 1")])
    #expect(server.requests.count == 2)
  }
}
