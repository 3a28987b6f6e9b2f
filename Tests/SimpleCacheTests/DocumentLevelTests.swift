import CacheTestSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// Caches in the backends of SimpleStore.
@Suite struct DocumentLevelTests {
  private let folder = TemporaryFolder()

  @Test func `a document level keeps the laws`() async throws {
    let laws = CacheLevelLaws(keys: ["a", "b", "", "A"], values: ["1", "2", "3", "4"]) {
      DocumentLevel<String>(.json(at: folder.file("\(UUID().uuidString).json")))
    }
    try await laws.checkAll()
    try await CacheLevelLaws(keys: ["a", "b", "c"], values: [1, 2, 3]) {
      MemoryLevel<String, Int>().compose(DocumentLevel<Int>(MemoryBackend()))
    }.checkAll()
  }

  /// What is damaged can be fetched again, but a hand may have written it: it is kept, elsewhere.
  @Test(arguments: [0, 1, 2])
  func `a damaged document is a miss, and the first change moves it aside`(change: Int) async throws
  {
    let file = folder.file("\(change)/cache.json")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try file.write("{")
    let level = DocumentLevel<String>(.json(at: file))
    #expect(try await level.get("a") == nil)
    #expect(try file.text == "{")
    switch change {
    case 0: try await level.set("1", forKey: "a")
    case 1: try await level.remove("a")
    default: try await level.removeAll()
    }
    #expect(try await level.get("a") == (change == 0 ? "1" : nil))
    try await level.set("2", forKey: "b")
    #expect(try await level.get("b") == "2")
    let others = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path
    ).filter { $0.hasPrefix("cache.json.damaged-") }
    try #require(others.count == 1)
    #expect(try file.deletingLastPathComponent().appending(path: others[0]).text == "{")
  }

  @Test func `a damaged document that cannot be moved aside stays until everything is removed`()
    async throws
  {
    let backend = DamagedBackend()
    let level = DocumentLevel<String>(backend)
    #expect(try await level.get("a") == nil)
    await #expect(throws: CacheError.self) { try await level.set("1", forKey: "a") }
    await #expect(throws: CacheError.self) { try await level.remove("a") }
    #expect(throws: StoreError.self) { try backend.load() }
    try await level.removeAll()
    try await level.set("1", forKey: "a")
    #expect(try await level.get("a") == "1")
  }

  @Test func `a document that cannot be read is an error, and stays`() async throws {
    let level = DocumentLevel<String>(.json(at: folder.url))
    await #expect(throws: CacheError.self) { try await level.get("a") }
    await #expect(throws: CacheError.self) { try await level.set("1", forKey: "a") }
    await #expect(throws: CacheError.self) { try await level.removeAll() }
  }

  @Test func `a ready-made cache asks its source once`() async throws {
    let name = "SimpleCacheTests-\(UUID().uuidString)"
    let source = SlowSource { key, _ in "value of \(key)" }
    let cache = CacheProvider.codable(named: name, from: source)
    let disk = DiskLevel<String, Data>(named: name)
    let file = try #require(disk.url(forKey: "a"))
    // The folder of the caches of this machine: a folder of its own, removed again.
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let value = try await cache.get("a")
          #expect(value == "value of a")
        }
      }
      try await group.waitForAll()
    }
    #expect(source.calls == 1)
    let second = CacheProvider.codable(named: name, from: source)
    #expect(try await second.get("a") == "value of a")
    #expect(source.calls == 1)
  }
}

/// Holds what is no document, and cannot move it aside.
private final class DamagedBackend: StoreBackend {
  let identity = StoreIdentity()
  private let saved = Guarded<StoreDocument?>(nil)

  func load() throws(StoreError) -> StoreDocument? {
    guard let document = saved.withLock({ $0 }) else {
      throw StoreError(.damaged, "It is damaged. Remove it.")
    }
    return document
  }

  func save(_ document: StoreDocument) throws(StoreError) { saved.withLock { $0 = document } }
}
