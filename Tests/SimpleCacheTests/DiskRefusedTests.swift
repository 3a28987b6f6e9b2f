import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import TestSupport
import Testing

/// What a level does that can neither write nor, at worst, remove.
@Suite struct DiskRefusedTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `a subscript that cannot keep a value does not leave the one before it`() async throws
  {
    try await level().set("old", forKey: "a")
    var full = DiskCalls.system
    full.file.write = { _, _, _ in -Int(ENOSPC) }
    let level = level(calls: full)
    level["a"] = "new"
    #expect(level["a"] == nil)
    #expect(level.statistics.errors == 1)
    #expect(try files == [])
  }

  @Test func `a set that fails throws, and leaves the old value or none`() async throws {
    try await level().set("old", forKey: "a")
    var full = DiskCalls.system
    full.file.write = { _, _, _ in -Int(ENOSPC) }
    let level = level(calls: full)
    let error = await #expect(throws: CacheError.self) { try await level.set("new", forKey: "a") }
    #expect(error?.description.contains("No space left") == true)
    #expect([nil, "old"].contains(try await level.get("a")))
  }

  @Test func `a foreign file larger than memory is a miss, and removed`() async throws {
    let level = level()
    level["b"] = "1"
    let file = try #require(level.url(forKey: "a"))
    try Data("foreign".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    // Sparse: it takes no room.
    try handle.truncate(atOffset: 1 << 42)
    try handle.close()
    #expect(try await level.get("a") == nil)
    #expect(level.statistics.errors == 0)
    #expect(try files.count == 1)
  }

  @Test func `a damaged entry is a miss for which the next level is asked, and is replaced`()
    async throws
  {
    let disk = level()
    try await disk.set("old", forKey: "a")
    try Data("garbage".utf8).write(to: try #require(disk.url(forKey: "a")))
    let source = SlowSource { key, _ in "fetched \(key)" }
    let both = disk.compose(source)
    #expect(try await both.get("a") == "fetched a")
    #expect(try await level().get("a") == "fetched a")
    #expect(source.calls == 1)
    #expect(disk.statistics.errors == 0)
  }
}
