import CacheTestSupport
import Foundation
import LoopbackServer
import SimpleCache
import TestSupport
import Testing

/// The ready-made caches, over a server of this machine.
///
/// They are in the folder of this machine's caches: each test has a folder of its own there, and
/// removes it.
@Suite struct CacheProviderTests {
  private let name = "SimpleCacheTests-\(UUID().uuidString)"

  private func removeFolder(_ name: String? = nil) throws {
    let disk = DiskLevel<URL, Data>(named: name ?? self.name)
    let file = try #require(disk.url(forKey: URL(filePath: "/")))
    try FileManager.default.removeItem(at: file.deletingLastPathComponent())
  }

  @Test func `data is fetched once, then served from memory, and from disk after a restart`()
    async throws
  {
    let server = try LoopbackServer { request, connection in
      connection.answer(body: "the page \(request.path)")
    }
    let url = server.url("/1")
    let cache = CacheProvider.data(named: name)
    let pages = try await withThrowingTaskGroup(of: Data?.self) { group in
      for _ in 0..<50 { group.addTask { try await cache.get(url) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(pages == Array(repeating: Data("the page /1".utf8), count: 50))
    #expect(server.requests.count == 1)
    server.stop()
    #expect(try await cache.get(url) == Data("the page /1".utf8))
    let restarted = CacheProvider.data(named: name)
    #expect(try await restarted.get(url) == Data("the page /1".utf8))
    let error = await #expect(throws: CacheError.self) {
      try await restarted.get(server.url("/2"))
    }
    #expect(error?.code == .unreachable)
    try await restarted.remove(url)
    await #expect(throws: CacheError.self) { try await restarted.get(url) }
    try removeFolder()
  }

  @Test func `JSON is decoded, kept decoded, and an answer that is none is not kept`() async throws
  {
    let server = try LoopbackServer { request, connection in
      connection.answer(body: request.path == "/good" ? #"["a", "b"]"# : "<html>")
    }
    let cache = CacheProvider.json(named: name, as: [String].self)
    #expect(try await cache.get(server.url("/good")) == ["a", "b"])
    for _ in 0..<2 {
      let error = await #expect(throws: CacheError.self) {
        try await cache.get(server.url("/bad"))
      }
      #expect(error?.code == .untransformable)
    }
    #expect(server.requests.map(\.path) == ["/good", "/bad", "/bad"])
    server.stop()
    let restarted = CacheProvider.json(named: name, as: [String].self)
    #expect(try await restarted.get(server.url("/good")) == ["a", "b"])
    try removeFolder()
  }

  /// Known fault: I130 (the expiry did not reach the memory part).
  @Test func `what was fetched is fetched again after seven days, whatever was read meanwhile`()
    async throws
  {
    let time = ManualTime()
    let server = try LoopbackServer { _, connection in connection.answer(body: "page") }
    defer { server.stop() }
    let source = SlowSource { key, number in "\(key) \(number)" }
    let data = CacheProvider.data(named: name, clock: time.clock)
    let texts = CacheProvider.codable(named: name + "-texts", from: source, clock: time.clock)
    for day in 0..<8 {
      _ = try await data.get(server.url("/1"))
      #expect(try await texts.get("a") == (day < 7 ? "a 1" : "a 2"))
      time.advance(by: .seconds(86_400))
    }
    #expect(server.requests.count == 2)
    try removeFolder()
    try removeFolder(name + "-texts")
  }

  @Test func `what a program shares is one cache for each folder, also of another`() async throws {
    let server = try LoopbackServer { _, connection in connection.answer(body: #"["a"]"#) }
    defer { server.stop() }
    let url = server.url("/1")
    let names = (name, name + "-json", name + "-texts")
    func read() async throws {
      #expect(try await CacheProvider.sharedData(named: names.0).get(url) != nil)
      let lists = CacheProvider.sharedJSON(named: names.1, as: [String].self)
      #expect(try await lists.get(url) == ["a"])
      let texts = CacheProvider.sharedCodable(
        named: names.2,
        from: CacheProvider.sharedData(named: names.0).transformValues(StringTransformer()))
      #expect(try await texts.get(url) == #"["a"]"#)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await read() } }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 2)
    for name in [names.0, names.1, names.2] { try removeFolder(name) }
  }
}
