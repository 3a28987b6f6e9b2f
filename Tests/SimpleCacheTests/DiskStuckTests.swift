import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// Entries whose files cannot be removed.
@Suite struct DiskStuckTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  /// Where one file, or any, cannot be removed.
  private func stuck(_ file: String? = nil) -> DiskCalls {
    var calls = DiskCalls.system
    calls.file.unlinkAt = { [system = calls.file.unlinkAt] directory, name, flags in
      name == file ?? name ? -EROFS : system(directory, name, flags)
    }
    return calls
  }

  private func name(_ key: String) throws -> String {
    try #require(level().url(forKey: key)).lastPathComponent
  }

  @Test func `what has expired is in no count and no list also where it cannot be removed`()
    async throws
  {
    try await level().set("1", forKey: "a", expiry: .seconds(1))
    try await level().set("22", forKey: "b")
    time.advance(by: .seconds(2))
    let level = level(calls: stuck())
    for _ in 0..<2 {
      #expect(try await level.keys == ["b"])
      #expect(try await level.count == 1)
      #expect(try await level.sizeInBytes == 2)
      #expect(try await level.contains("a") == false)
    }
    #expect(level.statistics.errors == 0 && level.statistics.expirations == 0)
    await #expect(throws: CacheError.self) { try await level.removeExpired() }
    #expect(try files.count == 2)
  }

  @Test func `all that can be removed is, whatever cannot`() async throws {
    for key in ["a", "b", "c"] { try await level().set("1", forKey: key, expiry: .seconds(1)) }
    time.advance(by: .seconds(2))
    let level = level(calls: stuck(try name("a")))
    await #expect(throws: CacheError.self) { try await level.removeExpired() }
    #expect(try files == [name("a")])
    #expect(level.statistics.expirations == 2)
  }

  @Test func `an entry that cannot be removed does not keep others from being set`() async throws {
    let before = level()
    try await before.set("1", forKey: "a", expiry: .seconds(1))
    for key in ["b", "c"] { try await before.set("1", forKey: key) }
    time.advance(by: .seconds(2))
    let level = level(countLimit: 3, calls: stuck(try name("a")))
    try await level.set("1", forKey: "d")
    #expect(try await level.keys == ["c", "d"])
    // Its file counts: the folder holds no more than it may.
    #expect(try files.count == 3)
  }

  @Test func `a folder with more than it may hold is counted also where nothing can be removed`()
    async throws
  {
    for key in ["a", "b", "c"] { try await level().set("1", forKey: key) }
    let level = level(countLimit: 2, calls: stuck())
    #expect(try await level.count == 3)
    #expect(try await level.contains("a"))
    await #expect(throws: CacheError.self) { try await level.set("1", forKey: "d") }
  }

  @Test func `what has expired and could not be removed goes before what is valid, once it can`()
    async throws
  {
    let isStuck = Guarded(true)
    var calls = DiskCalls.system
    calls.file.unlinkAt = { [system = calls.file.unlinkAt, stuck = try name("a")] in
      $1 == stuck && isStuck.withLock { $0 } ? -EROFS : system($0, $1, $2)
    }
    let level = level(countLimit: 3, calls: calls)
    for key in ["b", "c"] { try await level.set("1", forKey: key) }
    try await level.set("1", forKey: "a", expiry: .seconds(1))
    time.advance(by: .seconds(2))
    // The least recently used one goes in place of it.
    try await level.set("1", forKey: "d")
    #expect(level["b"] == nil && level["c"] == "1")
    isStuck.withLock { $0 = false }
    try await level.set("1", forKey: "e")
    #expect(level["c"] == "1" && level["d"] == "1" && level["e"] == "1")
    #expect(level.statistics.expirations == 1)
  }
}
