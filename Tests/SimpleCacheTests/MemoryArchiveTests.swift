import CacheTestSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// Caches in memory that come back after a restart.
@Suite struct MemoryArchiveTests {
  private let folder = TemporaryFolder()
  private let time = ManualTime()
  private let backend = MemoryBackend()

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

  @Test func `an archive knows what each entry costs`() throws {
    let level = MemoryLevel<Int, Int>(costLimit: 100)
    level.set(1, forKey: 1, cost: 90)
    level.set(2, forKey: 2, cost: 0)
    try level.archive(to: backend)
    let restored = try MemoryLevel<Int, Int>(unarchiving: backend, costLimit: 100)
    #expect(restored.totalCost == 90)
    restored.set(3, forKey: 3, cost: 11)
    #expect(restored.totalCost == 11)
    #expect(Set(restored.keys) == [2, 3])
    let smaller = try MemoryLevel<Int, Int>(unarchiving: backend, costLimit: 89)
    #expect(smaller.keys == [2])
  }

  @Test func `an archive without costs is read, and costs what the level says`() throws {
    try MemoryLevel<Int, String>().archive(to: backend)
    try backend.save([
      "archived": Date().storeValue,
      "entries": .array([
        .dictionary([
          "key": Data([1, 0, 0, 0, 0, 0, 0, 0]).storeValue, "value": "twelve bytes".storeValue,
        ])
      ]),
    ])
    let restored = try MemoryLevel<Int, String>(unarchiving: backend, costLimit: 100)
    #expect(restored.count == 1)
    #expect(restored.totalCost == 12)
  }

  @Test func `what slides goes on sliding from the time it has left`() throws {
    let level = MemoryLevel<Int, Int>(expiry: .sliding(.seconds(10)), clock: time.clock)
    level[1] = 1
    // As from a level behind, where it ends in 15 seconds.
    level.setEntry(
      CacheEntry(2, deadline: time.clock.monotonic().advanced(by: .seconds(15))), forKey: 2)
    time.advance(by: .seconds(6))
    try level.archive(to: backend)
    for expiry in [CacheExpiry.never, .sliding(.seconds(10))] {
      let time = ManualTime()
      time.advance(by: .seconds(6))
      let restored = try MemoryLevel<Int, Int>(
        unarchiving: backend, expiry: expiry, clock: time.clock)
      #expect(restored.count == 2)
      time.advance(by: .seconds(3))
      #expect(restored[1] == 1 && restored[2] == 2)
      time.advance(by: .seconds(6))
      #expect(restored[1] == 1)
      #expect(restored[2] == nil)
      time.advance(by: .seconds(9))
      #expect(restored[1] == 1)
      time.advance(by: .seconds(10))
      #expect(restored[1] == nil)
    }
    let unread = try MemoryLevel<Int, Int>(unarchiving: backend, clock: time.clock)
    time.advance(by: .seconds(4))
    #expect(unread.count == 0)
  }

  @Test func `what slides ends when the level that it came into says`() throws {
    let level = MemoryLevel<Int, Int>(expiry: .sliding(.seconds(10)), clock: time.clock)
    level[1] = 1
    try level.archive(to: backend)
    let restored = try MemoryLevel<Int, Int>(
      unarchiving: backend, expiry: .seconds(12), clock: time.clock)
    time.advance(by: .seconds(9))
    #expect(restored[1] == 1)
    time.advance(by: .seconds(3))
    #expect(restored[1] == nil)
  }

  @Test func `of a large level the entries used last come back into a smaller one`() throws {
    let level = MemoryLevel<Int, Int>()
    for number in 0..<4_096 { level[number] = number }
    try level.archive(to: backend)
    let restored = try MemoryLevel<Int, Int>(unarchiving: backend, countLimit: 1_024)
    #expect(restored.count == 1_024)
    // Each of 16 groups knows its own order only.
    #expect(restored.keys.filter { $0 >= 2_600 }.count > 1_000)
    let large = try MemoryLevel<Int, Int>(unarchiving: backend)
    large.trim(keeping: 0.25)
    #expect(large.keys.filter { $0 >= 2_600 }.count > 1_000)
  }

  @Test func `a damaged file that is archived over is moved aside`() throws {
    let file = folder.file("archive.json")
    try Data("{ broken".utf8).write(to: file)
    let level = MemoryLevel<Int, Int>()
    level[1] = 1
    try level.archive(to: .json(at: file))
    let aside = try #require(folder.allNames.first { $0.hasPrefix("archive.json.damaged-") })
    #expect(try Data(contentsOf: folder.file(aside)) == Data("{ broken".utf8))
    #expect(try MemoryLevel<Int, Int>(unarchiving: .json(at: file))[1] == 1)
  }
}
