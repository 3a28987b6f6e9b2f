import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct NetworkFetcherTests {
  private func failure(
    _ url: URL, by fetcher: NetworkFetcher = NetworkFetcher(timeout: .seconds(300))
  ) async -> CacheError? {
    do {
      _ = try await fetcher.get(url)
      return nil
    } catch {
      return error as? CacheError
    }
  }

  @Test func `the body of a good answer is given, and the headers are sent`() async throws {
    let server = try LoopbackServer { request, connection in
      connection.answer(body: "you asked for \(request.path)")
    }
    let fetcher = NetworkFetcher(headers: ["X-Test": "yes"])
    #expect(try await fetcher.get(server.url("/a")) == Data("you asked for /a".utf8))
    #expect(server.requests.first?.headers["x-test"] == "yes")
  }

  @Test(arguments: [204, 206, 299])
  func `any status of success is a value`(status: Int) async throws {
    let server = try LoopbackServer { _, connection in connection.answer(status) }
    #expect(try await NetworkFetcher().get(server.url("/")) == Data())
  }

  @Test(arguments: [304, 400, 404, 410, 500, 503])
  func `any other status is an error that says which`(status: Int) async throws {
    let server = try LoopbackServer { _, connection in
      connection.answer(status, body: status == 304 ? "" : "a page about it")
    }
    let error = await failure(server.url("/x"))
    #expect(error?.code == .status)
    #expect(error?.status == status)
    #expect(error?.key == server.url("/x").absoluteString)
    #expect(error?.level == "NetworkFetcher")
  }

  @Test func `redirects are followed, and a circle of them ends with an error`() async throws {
    let server = try LoopbackServer { request, connection in
      switch request.path {
      case "/old": connection.answer(302, headers: ["Location: /new"])
      case "/circle": connection.answer(302, headers: ["Location: /circle"])
      default: connection.answer(body: "new")
      }
    }
    #expect(try await NetworkFetcher().get(server.url("/old")) == Data("new".utf8))
    #expect(await failure(server.url("/circle")) != nil)
  }

  @Test func `a server that refuses is unreachable`() async throws {
    let server = try LoopbackServer { _, _ in }
    server.stop()
    let error = await failure(server.url("/"))
    #expect(error?.code == .unreachable)
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
    "HTTP/1.1", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
    "SSH-2.0-nonsense\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx", "HTTP/1.1 200 OK\r\nbad header\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    "HTTP/1.1 302 X\r\nLocation: file:///etc/hostname\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
  ])
  func `an answer that breaks off or is none is an error, never a value`(text: String) async throws
  {
    let server = try LoopbackServer { _, connection in connection.send(text) }
    #expect(await failure(server.url("/")) != nil)
  }

  @Test(arguments: [true, false])
  func `a body larger than the limit is an error, announced or not`(isAnnounced: Bool) async throws
  {
    let closed = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n")
      connection.send(isAnnounced ? "Content-Length: 100000000\r\n\r\n" : "\r\n")
      // Until the other side closes. A slow server: on Linux the session reads ahead of its delegate,
      // so on a busy machine a quick one would fill memory with many times the limit.
      for _ in 0..<100_000 {
        guard connection.send(Data(count: 2_048)) else { return closed.add(true) }
        usleep(1_000)
      }
      closed.add(false)
    }
    let error = await failure(server.url("/"), by: NetworkFetcher(sizeLimit: 1_000))
    #expect(error?.code == .tooLarge)
    await closed.wait(for: 1)
    #expect(closed.all == [true])
  }

  @Test func `a body of exactly the limit is a value`() async throws {
    let server = try LoopbackServer { _, connection in connection.answer(body: "12345") }
    #expect(try await NetworkFetcher(sizeLimit: 5).get(server.url("/")) == Data("12345".utf8))
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
  func `a server that is too slow ends with an error, and its connection is closed`(
    beginning: String
  ) async throws {
    let closed = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      connection.send(beginning)
      closed.add(connection.untilClosed())
    }
    let error = await failure(server.url("/"), by: NetworkFetcher(timeout: .milliseconds(100)))
    #expect(error?.code == .timedOut)
    await closed.wait(for: 1)
    #expect(closed.all == [true])
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
  func `cancelling ends the read at once and closes the connection`(beginning: String) async throws
  {
    let asked = Collected<Bool>()
    let closed = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      connection.send(beginning)
      asked.add(true)
      closed.add(connection.untilClosed())
    }
    let fetcher = NetworkFetcher(timeout: .seconds(300))
    let url = server.url("/")
    let task = Task { try await fetcher.get(url) }
    await asked.wait(for: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await closed.wait(for: 1)
    #expect(closed.all == [true])
  }

  @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "data:,x", "relative"])
  func `an address that is not HTTP is refused`(address: String) async throws {
    let error = await failure(try #require(URL(string: address)))
    #expect(error?.code == .unavailable)
  }

  @Test func `memory over disk over the network asks the server once`() async throws {
    let server = try LoopbackServer { _, connection in connection.answer(body: "page") }
    let disk = MemoryLevel<URL, Data>()
    let cache = MemoryLevel<URL, Data>(countLimit: 10).compose(disk).compose(NetworkFetcher())
      .pooled()
    let url = server.url("/")
    try await withThrowingTaskGroup(of: Data?.self) { group in
      for _ in 0..<50 { group.addTask { try await cache.get(url) } }
      for try await value in group { #expect(value == Data("page".utf8)) }
    }
    #expect(server.requests.count == 1)
    #expect(disk[url] == Data("page".utf8))
  }
}

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

  @Test func `the configuration that a fetcher is given stays as it is`() {
    let configuration = URLSessionConfiguration.ephemeral
    let policy = configuration.requestCachePolicy
    _ = NetworkFetcher(configuration: configuration)
    #expect(configuration.requestCachePolicy == policy)
    #expect(policy != .reloadIgnoringLocalCacheData)
  }

  @Test(arguments: [
    "max-age=99999999999999999999999999", "max-age=1e400", "max-age=\"60\"", "MAX-AGE = 60",
  ])
  func `unusual spellings of max-age are understood`(control: String) async throws {
    let server = try server(control)
    let fetcher = fetcher()
    for _ in 0..<2 { _ = try await fetcher.get(server.url("/")) }
    #expect(server.requests.count == 1)
  }
}
