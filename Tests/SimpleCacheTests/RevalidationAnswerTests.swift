import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

/// What a revalidating fetcher makes of the answers that servers give.
@Suite struct RevalidationAnswerTests {
  private let time = ManualTime()
  private let kept = MemoryLevel<URL, Data>()

  private func fetcher() -> NetworkFetcher {
    NetworkFetcher(revalidating: kept, clock: time.clock)
  }

  /// Answers one request after the other; the last answer stays.
  private func server(_ answers: [String]) throws -> LoopbackServer {
    let asked = Collected<Bool>()
    return try LoopbackServer { _, connection in
      asked.add(true)
      connection.send("HTTP/1.1 " + answers[min(asked.all.count, answers.count) - 1])
    }
  }

  private func page(_ body: String, _ headers: String...) -> String {
    let lines = ["200 OK", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  private func unchanged(_ headers: String...) -> String {
    (["304 Not Modified", "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private func text(_ fetcher: NetworkFetcher, _ url: URL) async throws -> String? {
    try await fetcher.get(url).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a weak tag serves as well, as the server wrote it`() async throws {
    let server = try server([page("page", "ETag: W/\"v,1\""), unchanged()])
    let fetcher = fetcher()
    for _ in 0..<3 { #expect(try await text(fetcher, server.url("/")) == "page") }
    #expect(server.requests.count == 3)
    #expect(server.requests.last?.headers["if-none-match"] == "W/\"v,1\"")
  }

  @Test func `a new answer replaces what was kept, its tag and its time`() async throws {
    let server = try server([
      page("old", "ETag: \"v1\"", "Cache-Control: max-age=60"),
      page("new", "ETag: \"v2\"", "Cache-Control: max-age=10"), unchanged(),
    ])
    let fetcher = fetcher()
    let url = server.url("/")
    #expect(try await text(fetcher, url) == "old")
    time.advance(by: .seconds(60))
    for _ in 0..<2 { #expect(try await text(fetcher, url) == "new") }
    #expect(server.requests.count == 2)
    time.advance(by: .seconds(10))
    #expect(try await text(fetcher, url) == "new")
    #expect(server.requests.count == 3)
    #expect(server.requests.last?.headers["if-none-match"] == "\"v2\"")
  }

  @Test func `a confirmation that names another tag does not make it that of the old body`()
    async throws
  {
    let server = try LoopbackServer { request, connection in
      switch request.headers["if-none-match"] {
      case nil: connection.answer(headers: ["ETag: \"v1\""], body: "old")
      // A server that looks at the date as well.
      case "\"v1\"": connection.answer(304, headers: ["ETag: \"v2\""])
      default: connection.answer(headers: ["ETag: \"v2\""], body: "new")
      }
    }
    let fetcher = fetcher()
    for _ in 0..<3 { #expect(try await text(fetcher, server.url("/")) == "old") }
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
  }

  @Test func `a new answer without a tag is not asked for with the old one`() async throws {
    let server = try server([page("old", "ETag: \"v1\""), page("new"), page("newest")])
    let fetcher = fetcher()
    for text in ["old", "new", "newest"] {
      #expect(try await self.text(fetcher, server.url("/")) == text)
    }
    #expect(server.requests.last?.headers["if-none-match"] == nil)
  }

  @Test func `the age that a response came with counts`() async throws {
    let server = try server([
      page("page", "ETag: \"v1\"", "Cache-Control: max-age=60", "Age: 50"), unchanged("Age: 0"),
    ])
    let fetcher = fetcher()
    let url = server.url("/")
    _ = try await fetcher.get(url)
    time.advance(by: .seconds(9))
    _ = try await fetcher.get(url)
    #expect(server.requests.count == 1)
    time.advance(by: .seconds(1))
    _ = try await fetcher.get(url)
    #expect(server.requests.count == 2)
    // Confirmed: the old max-age stands, the old age does not.
    time.advance(by: .seconds(59))
    #expect(try await text(fetcher, url) == "page")
    #expect(server.requests.count == 2)
    time.advance(by: .seconds(1))
    _ = try await fetcher.get(url)
    #expect(server.requests.count == 3)
  }

  @Test(arguments: ["nan", "-5", "soon", "1e400", "99999999999999999999", "50, 40"])
  func `an age that cannot be counted is never taken for youth`(age: String) async throws {
    let server = try server([page("page", "Cache-Control: max-age=60", "Age: \(age)")])
    let fetcher = fetcher()
    let url = server.url("/")
    _ = try await fetcher.get(url)
    time.advance(by: .seconds(15))
    _ = try await fetcher.get(url)
    #expect(server.requests.count == 2)
  }

  @Test func `an answer without a word about time leaves the one before in force`() async throws {
    let server = try server([
      page("page", "ETag: \"v1\"", "Cache-Control: max-age=60"), unchanged(),
    ])
    let fetcher = fetcher()
    let url = server.url("/")
    _ = try await fetcher.get(url)
    for count in 2...4 {
      time.advance(by: .seconds(60))
      for _ in 0..<2 { #expect(try await text(fetcher, url) == "page") }
      #expect(server.requests.count == count)
    }
  }

  @Test func `an answer that must not be stored takes away what was kept before`() async throws {
    let server = try server([
      page("old", "ETag: \"v1\""), page("secret", "Cache-Control: no-store"), page("next"),
    ])
    let fetcher = fetcher()
    let url = server.url("/")
    _ = try await fetcher.get(url)
    #expect(kept.count == 1)
    #expect(try await text(fetcher, url) == "secret")
    #expect(kept.count == 0)
    #expect(try await text(fetcher, url) == "next")
    #expect(server.requests.last?.headers["if-none-match"] == nil)
  }

  @Test func `time counts from when the request was sent`() async throws {
    let time = time
    let server = try LoopbackServer { _, connection in
      time.advance(by: .seconds(40))
      connection.answer(headers: ["Cache-Control: max-age=60"], body: "slow")
    }
    let front = MemoryLevel<URL, Data>(clock: time.clock)
    let cache = front.compose(fetcher())
    let url = server.url("/")
    _ = try await cache.get(url)
    time.advance(by: .seconds(19))
    _ = try await cache.get(url)
    #expect(server.requests.count == 1)
    time.advance(by: .seconds(1))
    #expect(front[url] == nil)
    _ = try await cache.get(url)
    #expect(server.requests.count == 2)
  }

  @Test func `a compressed body is given as it was, first and later`() async throws {
    let compressed = try #require(
      Data(base64Encoded: "H4sIAAAAAAAC/ytITE9VKBj6BAA6PAdDyAAAAA=="))
    let server = try LoopbackServer { request, connection in
      if request.headers["if-none-match"] != nil {
        connection.answer(304)
      } else {
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(compressed.count)\r\n"
            + "ETag: \"v1-gzip\"\r\nVary: Accept-Encoding\r\n\r\n")
        connection.send(compressed)
      }
    }
    let fetcher = fetcher()
    let whole = String(repeating: "page ", count: 40)
    for _ in 0..<3 { #expect(try await text(fetcher, server.url("/")) == whole) }
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1-gzip\"")
    let limited = NetworkFetcher(sizeLimit: 100)
    let error = await #expect(throws: CacheError.self) {
      try await limited.get(server.url("/"))
    }
    #expect(error?.code == .tooLarge)
  }

  /// `latest` leads to another version tomorrow, however long this version stays what it is.
  @Test(arguments: [
    ("302 Found", 0), ("307 Moved\r\nCache-Control: max-age=20", 20), ("301 Moved", 60),
    ("308 Moved\r\nCache-Control: max-age=90", 60), ("301 Moved\r\nCache-Control: no-store", 0),
  ])
  func `behind a redirect a response is fresh no longer than the redirect`(
    redirect: String, seconds: Int
  ) async throws {
    let server = try LoopbackServer { request, connection in
      if request.path == "/latest" {
        connection.send("HTTP/1.1 \(redirect)\r\nLocation: /v1\r\nContent-Length: 0\r\n\r\n")
      } else {
        connection.answer(headers: ["ETag: \"v1\"", "Cache-Control: max-age=60"], body: "v1")
      }
    }
    let fetcher = fetcher()
    let url = server.url("/latest")
    _ = try await fetcher.get(url)
    if seconds > 0 {
      time.advance(by: .seconds(seconds - 1))
      _ = try await fetcher.get(url)
      #expect(server.requests.count == 2)
      time.advance(by: .seconds(1))
    }
    #expect(try await text(fetcher, url) == "v1")
    #expect(server.requests.count == 4)
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
  }

  @Test func `a failing place for responses costs a question, never the value`() async throws {
    let server = try server([page("page", "ETag: \"v1\"", "Cache-Control: max-age=60")])
    let responses = FailingResponses()
    let fetcher = NetworkFetcher(revalidating: responses, clock: time.clock)
    for count in 1...3 {
      #expect(try await text(fetcher, server.url("/")) == "page")
      #expect(server.requests.count == count)
    }
    #expect(responses.calls.all.contains("set"))
  }

  @Test func `a response that replaces another and cannot be kept takes that one away`()
    async throws
  {
    let server = try server([
      page("old", "Cache-Control: max-age=60"), page("new", "Cache-Control: max-age=60"),
    ])
    let responses = FailingResponses(isEmpty: false)
    let fetcher = NetworkFetcher(revalidating: responses, clock: time.clock)
    #expect(try await text(fetcher, server.url("/")) == "old")
    responses.isFull.add(true)
    time.advance(by: .seconds(60))
    #expect(try await text(fetcher, server.url("/")) == "new")
    #expect(responses.calls.all.last == "remove")
  }
}

/// A place that reads nothing and keeps nothing, or one that keeps nothing more from a moment on.
private struct FailingResponses: CacheLevel {
  let kept = MemoryLevel<URL, Data>()
  let calls = Collected<String>()
  let isFull = Collected<Bool>()
  private let isEmpty: Bool

  init(isEmpty: Bool = true) { self.isEmpty = isEmpty }

  func get(_ key: URL) throws -> Data? {
    calls.add("get")
    if isEmpty { throw TestFailure() }
    return kept[key]
  }

  func set(_ value: Data, forKey key: URL) throws {
    calls.add("set")
    if isEmpty || !isFull.all.isEmpty { throw TestFailure() }
    kept[key] = value
  }

  func remove(_ key: URL) throws {
    calls.add("remove")
    if isEmpty { throw TestFailure() }
    kept[key] = nil
  }

  func removeAll() throws {}
}
