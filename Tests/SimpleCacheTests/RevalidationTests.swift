import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct RevalidationTests {
  private let time = ManualTime()
  private let kept = MemoryLevel<URL, Data>()

  private func server(_ control: String) throws -> LoopbackServer {
    try LoopbackServer { request, connection in
      let headers = ["ETag: \"v1\"", "Cache-Control: \(control)"]
      if request.headers["if-none-match"] == "\"v1\"" {
        connection.send("HTTP/1.1 304 X\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n")
      } else {
        connection.answer(headers: headers, body: "page")
      }
    }
  }

  private func fetcher() -> NetworkFetcher {
    NetworkFetcher(revalidating: kept, clock: time.clock)
  }

  @Test func `within max-age nobody is asked, after it only whether it has changed`() async throws {
    let server = try server("max-age=60")
    let fetcher = fetcher()
    for _ in 0..<3 { #expect(try await fetcher.get(server.url("/")) == Data("page".utf8)) }
    #expect(server.requests.count == 1)
    time.advance(by: .seconds(60))
    for _ in 0..<3 { #expect(try await fetcher.get(server.url("/")) == Data("page".utf8)) }
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
  }

  @Test func `the level in front keeps a response no longer than max-age`() async throws {
    let server = try server("max-age=60")
    let front = MemoryLevel<URL, Data>(clock: time.clock)
    let cache = front.compose(fetcher())
    _ = try await cache.get(server.url("/"))
    time.advance(by: .seconds(59))
    #expect(front[server.url("/")] != nil)
    time.advance(by: .seconds(1))
    #expect(front[server.url("/")] == nil)
  }

  @Test func `no-cache asks each time, no-store keeps nothing anywhere`() async throws {
    for (control, isKept) in [("no-cache", true), ("max-age=60, no-store", false)] {
      let server = try server(control)
      let front = MemoryLevel<URL, Data>(clock: time.clock)
      let cache = front.compose(fetcher())
      for _ in 0..<2 { #expect(try await cache.get(server.url("/")) == Data("page".utf8)) }
      #expect(server.requests.count == 2)
      #expect(front.count == 0)
      #expect((kept[server.url("/")] != nil) == isKept)
    }
  }

  @Test func `Last-Modified serves where there is no ETag`() async throws {
    let date = "Wed, 21 Oct 2015 07:28:00 GMT"
    let server = try LoopbackServer { request, connection in
      if request.headers["if-modified-since"] == date {
        connection.send("HTTP/1.1 304 X\r\n\r\n")
      } else {
        connection.answer(headers: ["Last-Modified: \(date)"], body: "page")
      }
    }
    let fetcher = fetcher()
    for _ in 0..<2 { #expect(try await fetcher.get(server.url("/")) == Data("page".utf8)) }
    #expect(server.requests.count == 2)
  }

  @Test func `a wall clock set back makes a response stale, not fresh for longer`() async throws {
    let server = try server("max-age=60")
    let fetcher = fetcher()
    _ = try await fetcher.get(server.url("/"))
    time.setWall(by: -1_000)
    _ = try await fetcher.get(server.url("/"))
    #expect(server.requests.count == 2)
  }

  @Test func `a kept response that is damaged is asked for again`() async throws {
    let server = try server("max-age=60")
    let fetcher = fetcher()
    let url = server.url("/")
    _ = try await fetcher.get(url)
    let whole = try #require(kept[url])
    for length in 0..<min(40, whole.count) {
      kept[url] = whole.prefix(length)
      #expect(try await fetcher.get(url) == Data("page".utf8))
    }
    #expect(server.requests.count == 41)
  }

  @Test func `what is kept is no larger than the limit either`() async throws {
    let server = try server("max-age=60")
    _ = try await fetcher().get(server.url("/"))
    let limited = NetworkFetcher(revalidating: kept, sizeLimit: 3, clock: time.clock)
    let error = await #expect(throws: CacheError.self) { try await limited.get(server.url("/")) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `the configuration that a fetcher is given stays as it is`() {
    let configuration = URLSessionConfiguration.ephemeral
    let policy = configuration.requestCachePolicy
    _ = NetworkFetcher(configuration: configuration)
    #expect(configuration.requestCachePolicy == policy)
    #expect(policy != .reloadIgnoringLocalCacheData)
  }

  @Test(arguments: [
    "max-age=99999999999999999999999999", "max-age=\"60\"", "MAX-AGE = 60", "max-age=60, max-age=0",
  ])
  func `unusual spellings of max-age are understood`(control: String) async throws {
    let server = try server(control)
    let fetcher = fetcher()
    for _ in 0..<2 { _ = try await fetcher.get(server.url("/")) }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "max-age=inf", "max-age=1e400", "max-age=", "max-age", "max-age=-1", "max-age=6 0x",
    "max-age=0, max-age=60", "no-cache, max-age=60", "max-age=60, no-cache", "max-age=60, no-store",
  ])
  func `what is no number of seconds, or forbidden, is asked for again`(control: String)
    async throws
  {
    let server = try server(control)
    let fetcher = fetcher()
    _ = try await fetcher.get(server.url("/"))
    time.advance(by: .seconds(6))
    _ = try await fetcher.get(server.url("/"))
    #expect(server.requests.count == 2)
  }
}
