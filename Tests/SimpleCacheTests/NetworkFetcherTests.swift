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

  @Test func `an address may be spelt in capitals, or relative to another`() async throws {
    let server = try LoopbackServer { request, connection in connection.answer(body: request.path) }
    let base = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/a/b"))
    #expect(try await NetworkFetcher().get(base) == Data("/a/b".utf8))
    let relative = try #require(URL(string: "../c?d%20e", relativeTo: base))
    #expect(try await NetworkFetcher().get(relative) == Data("/c?d%20e".utf8))
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
    // Nobody listens there, and the system does not give that port to the servers of other tests, as it
    // may one that was used before.
    let error = await failure(try #require(URL(string: "http://127.0.0.1:1/")))
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
