import CacheTestSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// Caches in the backends of SimpleStore.
@Suite struct DocumentLevelTests {
  private let folder = TemporaryFolder()
  private let time = ManualTime()

  @Test func `a document level keeps the laws`() async throws {
    let laws = CacheLevelLaws(keys: ["a", "b", "", "A"], values: ["1", "2", "3", "4"]) {
      DocumentLevel<String>(.json(at: folder.file("\(UUID().uuidString).json")))
    }
    try await laws.checkAll()
    try await CacheLevelLaws(keys: ["a", "b", "c"], values: [1, 2, 3]) {
      MemoryLevel<String, Int>().compose(DocumentLevel<Int>(MemoryBackend()))
    }.checkAll()
  }

  @Test func `a damaged document is an error and stays as it is`() async throws {
    let file = folder.file("cache.json")
    try file.write("{")
    let level = DocumentLevel<String>(.json(at: file))
    await #expect(throws: CacheError.self) { try await level.get("a") }
    await #expect(throws: CacheError.self) { try await level.set("1", forKey: "a") }
    #expect(try file.text == "{")
  }

  @Test func `a memory level comes back from an archive with keys and remaining expiry`() throws {
    let backend = FileBackend.plist(at: folder.file("archive.plist"), format: .binary)
    let level = MemoryLevel<Int, String>(countLimit: 10, clock: time.clock)
    level[1] = "for ever"
    level.set("ten seconds", forKey: 2, expiry: .seconds(10))
    level.set("one second", forKey: 3, expiry: .seconds(1))
    try level.archive(to: backend)
    time.advance(by: .seconds(6))
    let restored = try MemoryLevel<Int, String>(unarchiving: backend, clock: time.clock)
    #expect(Set(restored.keys) == [1, 2])
    #expect(restored[1] == "for ever" && restored[2] == "ten seconds")
    time.advance(by: .seconds(5))
    #expect(restored.keys == [1])
    time.setWall(by: -3_600)
    let early = try MemoryLevel<Int, String>(unarchiving: backend, clock: time.clock)
    #expect(early.keys == [1])
  }

  @Test func `archiving a level uses nothing in it`() throws {
    let level = MemoryLevel<Int, String>(
      countLimit: 2, expiry: .sliding(.seconds(10)), clock: time.clock)
    level[1] = "a"
    time.advance(by: .seconds(3))
    level[2] = "b"
    let backend = MemoryBackend()
    for _ in 0..<5 {
      time.advance(by: .seconds(1))
      try level.archive(to: backend)
    }
    #expect(level.statistics.hits == 0)
    time.advance(by: .seconds(2))
    #expect(level.keys == [2])
    level[3] = "c"
    level[4] = "d"
    #expect(Set(level.keys) == [3, 4])
    try level.archive(to: backend)
    let restored = try MemoryLevel<Int, String>(
      unarchiving: backend, countLimit: 2, clock: time.clock)
    restored[5] = "e"
    #expect(Set(restored.keys) == [4, 5])
  }

  @Test func `no archive is an empty level, a damaged one an error`() throws {
    let file = folder.file("archive.json")
    let empty = try MemoryLevel<Int, String>(unarchiving: .json(at: file))
    #expect(empty.count == 0)
    try file.write("[")
    #expect(throws: StoreError.self) {
      _ = try MemoryLevel<Int, String>(unarchiving: .json(at: file))
    }
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
