import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Two servers on one machine are two origins: their ports differ.
@Suite struct NetworkRedirectTests {
  private let secrets = [
    "Authorization": "Bearer secret", "Cookie": "session=secret", "X-API-Key": "secret",
    "Proxy-Authorization": "Basic secret",
  ]
  private let harmless = [
    "Accept": "text/plain", "Accept-Language": "tlh", "Accept-Encoding": "identity",
    "User-Agent": "Klingon/1",
  ]

  private func target() throws -> LoopbackServer {
    try LoopbackServer { _, connection in
      connection.answer(headers: ["ETag: \"v1\""], body: "elsewhere")
    }
  }

  private func check(_ request: LoopbackServer.Request?, has secret: Bool) throws {
    let request = try #require(request)
    for (name, value) in secrets {
      #expect(request.headers[name.lowercased()] == (secret ? value : nil), "\(name)")
    }
    for (name, value) in harmless {
      #expect(request.headers[name.lowercased()] == value, "\(name)")
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `headers that may be secret do not follow to another origin`(status: Int) async throws {
    let target = try target()
    let server = try LoopbackServer { _, connection in
      connection.answer(status, headers: ["Location: \(target.url("/there"))"])
    }
    let fetcher = NetworkFetcher(headers: secrets.merging(harmless) { $1 })
    #expect(try await fetcher.get(server.url("/")) == Data("elsewhere".utf8))
    try check(server.requests.first, has: true)
    try check(target.requests.first, has: false)
  }

  @Test func `headers of the configuration do not follow to another origin either`() async throws {
    let target = try target()
    let server = try LoopbackServer { _, connection in
      connection.answer(302, headers: ["Location: \(target.url("/there"))"])
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = secrets.merging(["user-agent": "Klingon/0"]) { $1 }
    let fetcher = NetworkFetcher(headers: harmless, configuration: configuration)
    _ = try await fetcher.get(server.url("/"))
    try check(server.requests.first, has: true)
    try check(target.requests.first, has: false)
  }

  @Test func `headers follow within the origin, however the address is spelt`() async throws {
    let server = try LoopbackServer { request, connection in
      switch request.path {
      case "/1/first": connection.answer(302, headers: ["Location: second?a=b"])
      case "/1/second?a=b": connection.answer(302, headers: ["Location: ../third"])
      case "/third":
        let host = request.headers["host"] ?? ""
        connection.answer(302, headers: ["Location: HTTP://\(host)/last#part"])
      default: connection.answer(body: request.path)
      }
    }
    let fetcher = NetworkFetcher(headers: secrets.merging(harmless) { $1 })
    #expect(try await fetcher.get(server.url("/1/first")) == Data("/last".utf8))
    #expect(server.requests.count == 4)
    for request in server.requests { try check(request, has: true) }
  }

  @Test func `headers that were left behind do not come back with the way home`() async throws {
    let addresses = Collected<URL>()
    let server = try LoopbackServer { request, connection in
      if request.path == "/home" {
        connection.answer(body: "home")
      } else {
        connection.answer(302, headers: ["Location: \(addresses.all[0])"])
      }
    }
    let target = try LoopbackServer { _, connection in
      connection.answer(302, headers: ["Location: \(server.url("/home"))"])
    }
    addresses.add(target.url("/there"))
    let fetcher = NetworkFetcher(headers: secrets.merging(harmless) { $1 })
    #expect(try await fetcher.get(server.url("/")) == Data("home".utf8))
    try check(server.requests.last, has: false)
  }

  @Test func `validators go only to the address that gave them`() async throws {
    let target = try target()
    let isMoved = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      if isMoved.all.isEmpty {
        connection.answer(
          headers: ["ETag: \"v1\"", "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"], body: "here")
      } else {
        connection.answer(302, headers: ["Location: \(target.url("/there"))"])
      }
    }
    let fetcher = NetworkFetcher(revalidating: MemoryLevel<URL, Data>())
    #expect(try await fetcher.get(server.url("/")) == Data("here".utf8))
    isMoved.add(true)
    #expect(try await fetcher.get(server.url("/")) == Data("elsewhere".utf8))
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
    #expect(target.requests.last?.headers["if-none-match"] == nil)
    #expect(target.requests.last?.headers["if-modified-since"] == nil)

    // Now the tag is the other server's: this one, where it could mean something else, is not told.
    #expect(try await fetcher.get(server.url("/")) == Data("elsewhere".utf8))
    #expect(server.requests.last?.headers["if-none-match"] == nil)
    #expect(target.requests.last?.headers["if-none-match"] == "\"v1\"")
  }

  @Test func `twenty redirects are followed, one more is an error that says so`() async throws {
    let server = try LoopbackServer { request, connection in
      guard let rest = Int(request.path.dropFirst()), rest > 0 else {
        return connection.answer(body: "arrived")
      }
      connection.answer(302, headers: ["Location: /\(rest - 1)"])
    }
    let fetcher = NetworkFetcher()
    #expect(try await fetcher.get(server.url("/20")) == Data("arrived".utf8))
    let error = try await #require(throws: CacheError.self) {
      try await fetcher.get(server.url("/21"))
    }
    #expect(error.code == .status)
    #expect(error.status == 302)
    #expect(error.key == server.url("/21").absoluteString)
    #expect(error.message.contains("20 redirects"))
    #expect(!error.isTransient)
    #expect(server.requests.count == 42)
  }

  @Test(arguments: [
    "file:///etc/hostname", "ftp://127.0.0.1/", "data:,x", "mailto:a@b.c", "http:///nowhere", "",
    "http://[", "//",
  ])
  func `a redirect to what is not HTTP is an error, and not followed`(location: String) async throws
  {
    let server = try LoopbackServer { request, connection in
      connection.answer(302, headers: ["Location: \(location)"])
    }
    let error = try await #require(throws: CacheError.self) {
      try await NetworkFetcher().get(server.url("/"))
    }
    #expect(error.code == .status)
    #expect(error.status == 302)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [300, 302, 305, 306])
  func `a redirect that leads nowhere is an error with its status`(status: Int) async throws {
    let server = try LoopbackServer { request, connection in
      let isFollowed = status == 302
      connection.answer(status, headers: isFollowed ? [] : ["Location: /other"], body: "a page")
    }
    let error = try await #require(throws: CacheError.self) {
      try await NetworkFetcher().get(server.url("/"))
    }
    #expect(error.code == .status)
    #expect(error.status == status)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "/%zz?%zz#%zz", "http://a b/", "?", "#", "://", ":80", "/\u{7F}", "/\u{E4}?\u{E4}", "//:0",
    "http://127.0.0.1:99999/", "http://127.0.0.1:-1/", "http://%00/", "/a//b/../../../..", "[]",
    "/[?]",
    "http:", "http:/x", "http:x", "\\\\evil", "/;x=1?a=b;c",
  ])
  func `a strange address in a redirect ends in a value or an error`(location: String) async throws
  {
    let server = try LoopbackServer { request, connection in
      if request.path == "/start" {
        connection.answer(302, headers: ["Location: \(location)"])
      } else {
        connection.answer(body: "found")
      }
    }
    do {
      #expect(
        try await NetworkFetcher(timeout: .seconds(300)).get(server.url("/start"))
          == Data("found".utf8))
    } catch {
      #expect(error is CacheError)
    }
  }

  @Test func `a circle can be left at any moment`() async throws {
    let asked = Collected<Bool>()
    let server = try LoopbackServer { _, connection in
      asked.add(true)
      connection.answer(302, headers: ["Location: /again"])
    }
    let fetcher = NetworkFetcher()
    let url = server.url("/")
    for number in 1...100 {
      let read = Task { try await fetcher.get(url) }
      await asked.wait(for: asked.all.count + number % 5)
      read.cancel()
      await #expect(throws: (any Error).self) { try await read.value }
    }
  }
}
