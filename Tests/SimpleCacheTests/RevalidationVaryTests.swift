import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One folder of responses, asked with different requests.
@Suite struct RevalidationVaryTests {
  private let time = ManualTime()
  private let kept = MemoryLevel<URL, Data>()

  private func fetcher(
    _ headers: [String: String] = [:], configuration: URLSessionConfiguration = .ephemeral
  ) -> NetworkFetcher {
    NetworkFetcher(
      revalidating: kept, headers: headers, configuration: configuration, clock: time.clock)
  }

  /// Says what it was asked with.
  private func server(_ vary: String, naming header: String) throws -> LoopbackServer {
    try LoopbackServer { request, connection in
      let headers = ["ETag: \"v1\"", "Cache-Control: max-age=60"]
      if request.headers["if-none-match"] != nil {
        connection.answer(304, headers: headers)
      } else {
        connection.answer(
          headers: headers + (vary.isEmpty ? [] : ["Vary: \(vary)"]),
          body: request.headers[header] ?? "nothing")
      }
    }
  }

  private func text(_ fetcher: NetworkFetcher, _ url: URL) async throws -> String? {
    try await fetcher.get(url).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: ["Accept-Language", "Origin, ACCEPT-language ,x"])
  func `a header that Vary names must be the same`(vary: String) async throws {
    let server = try server(vary, naming: "accept-language")
    let url = server.url("/")
    #expect(try await text(fetcher(["Accept-Language": "de"]), url) == "de")
    #expect(try await text(fetcher(["accept-language": "de"]), url) == "de")
    #expect(server.requests.count == 1)
    #expect(try await text(fetcher(["Accept-Language": "fr"]), url) == "fr")
    #expect(server.requests.count == 2)
    // What was kept for another request is not this one's to confirm.
    #expect(server.requests.last?.headers["if-none-match"] == nil)
    #expect(try await text(fetcher(), url) != "fr")
    #expect(server.requests.count == 3)
  }

  @Test func `Vary holds after a confirmation that does not repeat it`() async throws {
    let server = try server("Accept-Language", naming: "accept-language")
    let url = server.url("/")
    _ = try await text(fetcher(["Accept-Language": "de"]), url)
    time.advance(by: .seconds(60))
    #expect(try await text(fetcher(["Accept-Language": "de"]), url) == "de")
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
    #expect(try await text(fetcher(["Accept-Language": "fr"]), url) == "fr")
  }

  @Test func `Vary of a redirect holds for what it leads to`() async throws {
    let server = try LoopbackServer { request, connection in
      let language = request.headers["accept-language"] ?? ""
      if request.path == "/" {
        connection.answer(
          302,
          headers: [
            "Location: /\(language)", "Vary: Accept-Language", "Cache-Control: max-age=60",
          ])
      } else {
        connection.answer(headers: ["Cache-Control: max-age=60"], body: request.path)
      }
    }
    for language in ["de", "de", "fr"] {
      let fetcher = fetcher(["Accept-Language": language])
      #expect(try await text(fetcher, server.url("/")) == "/\(language)")
    }
    #expect(server.requests.count == 4)
  }

  @Test func `a header that Vary does not name may differ`() async throws {
    let server = try server("Accept-Language", naming: "accept-language")
    let url = server.url("/")
    _ = try await text(fetcher(["Accept-Language": "de", "User-Agent": "One"]), url)
    _ = try await text(fetcher(["Accept-Language": "de", "User-Agent": "Two"]), url)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["*", "Accept-Language, *"])
  func `what varies by everything is never fresh, but can be confirmed`(vary: String) async throws {
    let server = try server(vary, naming: "accept-language")
    let url = server.url("/")
    let fetcher = fetcher(["Accept-Language": "de"])
    for count in 1...2 {
      #expect(try await text(fetcher, url) == "de")
      #expect(server.requests.count == count)
    }
    #expect(server.requests.last?.headers["if-none-match"] == "\"v1\"")
    let front = MemoryLevel<URL, Data>(clock: time.clock)
    _ = try await front.compose(fetcher).get(url)
    #expect(front.count == 0)
  }

  @Test(arguments: ["Authorization", "Cookie", "X-API-Key"])
  func `another's secret never gets what was kept, whatever the server says`(name: String)
    async throws
  {
    let server = try server("", naming: name.lowercased())
    let url = server.url("/")
    let alice = fetcher([name: "Token of Alice"])
    for _ in 0..<2 { #expect(try await text(alice, url) == "Token of Alice") }
    #expect(server.requests.count == 1)
    #expect(try await text(fetcher([name: "Token of Bob"]), url) == "Token of Bob")
    #expect(server.requests.last?.headers["if-none-match"] == nil)
    #expect(try await text(fetcher(), url) == "nothing")
  }

  @Test func `a header of the configuration is one of the request`() async throws {
    let server = try server("", naming: "authorization")
    let url = server.url("/")
    for name in ["Alice", "Bob"] {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpAdditionalHeaders = ["Authorization": name]
      #expect(try await text(fetcher(configuration: configuration), url) == name)
    }
  }

  @Test func `secrets are not kept with the response`() async throws {
    let server = try server("Authorization, X-User", naming: "accept")
    let headers = ["Authorization": "Bearer 5ecret", "X-User": "Al1ce"]
    _ = try await fetcher(headers).get(server.url("/"))
    let bytes = try #require(kept[server.url("/")])
    let text = String(decoding: bytes, as: UTF8.self)
    for secret in ["5ecret", "Al1ce", Data("Bearer 5ecret".utf8).base64EncodedString()] {
      #expect(!text.contains(secret))
    }
  }

  @Test func `an answer that sets a cookie is that of a request without it`() async throws {
    let server = try LoopbackServer { request, connection in
      var headers = ["Cache-Control: max-age=60", "Vary: Cookie"]
      if request.headers["cookie"] == nil { headers.append("Set-Cookie: user=alice; Path=/") }
      connection.answer(headers: headers, body: request.headers["cookie"] ?? "nothing")
    }
    let fetcher = fetcher(configuration: .ephemeral)
    #expect(try await text(fetcher, server.url("/")) == "nothing")
    for _ in 0..<2 { #expect(try await text(fetcher, server.url("/")) == "user=alice") }
    #expect(server.requests.count == 2)
  }

  @Test func `what varies by cookies behind a redirect is asked for each time`() async throws {
    let server = try LoopbackServer { request, connection in
      if request.path == "/" {
        connection.answer(301, headers: ["Location: /page", "Cache-Control: max-age=60"])
      } else {
        connection.answer(headers: ["Cache-Control: max-age=60", "Vary: Cookie"], body: "page")
      }
    }
    let fetcher = fetcher()
    for _ in 0..<2 { #expect(try await text(fetcher, server.url("/")) == "page") }
    #expect(server.requests.count == 4)
  }

  @Test func `cookies of the session count where Vary names them`() async throws {
    let server = try server("Cookie", naming: "cookie")
    let url = server.url("/")
    let configuration = URLSessionConfiguration.ephemeral
    let fetcher = fetcher(configuration: configuration)
    for _ in 0..<2 { #expect(try await text(fetcher, url) == "nothing") }
    #expect(server.requests.count == 1)
    let cookie = try #require(
      HTTPCookie(properties: [
        .name: "user", .value: "alice", .domain: "127.0.0.1", .path: "/",
      ]))
    configuration.httpCookieStorage?.setCookie(cookie)
    for _ in 0..<2 { #expect(try await text(fetcher, url) == "user=alice") }
    #expect(server.requests.count == 2)
  }
}
