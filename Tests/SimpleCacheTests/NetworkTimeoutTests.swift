import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import Testing

@Suite struct NetworkTimeoutTests {
  @Test(arguments: [
    Duration.seconds(Int64.max), .seconds(1e15), .seconds(300) + .nanoseconds(1),
  ])
  func `any length of time can be given`(timeout: Duration) async throws {
    let server = try LoopbackServer { _, connection in connection.answer(body: "page") }
    #expect(try await NetworkFetcher(timeout: timeout).get(server.url("/")) == Data("page".utf8))
  }

  @Test(arguments: [Duration.zero, .nanoseconds(-1), .seconds(Int64.min)])
  func `no time at all is over at once, and nobody is asked`(timeout: Duration) async throws {
    let server = try LoopbackServer { _, connection in
      connection.answer(headers: ["Cache-Control: max-age=60"], body: "page")
    }
    let url = server.url("/")
    let kept = MemoryLevel<URL, Data>()
    for fetcher in [
      NetworkFetcher(timeout: timeout), NetworkFetcher(revalidating: kept, timeout: timeout),
    ] {
      let error = await #expect(throws: CacheError.self) { try await fetcher.get(url) }
      #expect(error?.code == .timedOut)
      #expect(error?.level == "NetworkFetcher")
      #expect(error?.key == url.absoluteString)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `the time is that of all redirects together`() async throws {
    let closed = Collected<Bool>()
    let server = try LoopbackServer { request, connection in
      guard request.path == "/slow" else {
        return connection.answer(302, headers: ["Location: /slow"])
      }
      closed.add(connection.untilClosed())
    }
    let error = await #expect(throws: CacheError.self) {
      try await NetworkFetcher(timeout: .milliseconds(200)).get(server.url("/"))
    }
    #expect(error?.code == .timedOut)
    await closed.wait(for: server.requests.count - 1)
    #expect(!closed.all.contains(false))
  }

  @Test(arguments: ["get", "set"])
  func `the time is also that of the level in which responses are kept`(call: String) async throws {
    let server = try LoopbackServer { _, connection in connection.answer(body: "page") }
    let responses = StuckResponses(call: call)
    let fetcher = NetworkFetcher(revalidating: responses, timeout: .milliseconds(200))
    let error = await #expect(throws: CacheError.self) { try await fetcher.get(server.url("/")) }
    #expect(error?.code == .timedOut)
    #expect(error?.level == "NetworkFetcher")
    responses.door.open()
  }

  @Test func `a negative limit of size is refused with a sentence`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = NetworkFetcher(sizeLimit: -1) }
    // An optimised program ends without the sentence.
    #if DEBUG
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("A size limit must not be negative; nil is no limit."))
    #else
      _ = result
    #endif
  }
}

/// A level in which one call does not end and does not react to a cancellation.
private struct StuckResponses: CacheLevel {
  let call: String
  let door = Door()

  func get(_ key: URL) async throws -> Data? {
    if call == "get" { try await door.passStubbornly() }
    return nil
  }

  func set(_ value: Data, forKey key: URL) async throws {
    if call == "set" { try await door.passStubbornly() }
  }

  func remove(_ key: URL) {}
  func removeAll() {}
}
