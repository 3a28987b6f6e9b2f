import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// What a disk level tells and counts.
@Suite struct DiskEventTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()
  private let events = Collected<String>()

  /// A level that tells each event in a few words.
  private func telling(
    countLimit: Int? = nil, sizeLimit: Int? = nil, calls: DiskCalls = .system
  ) -> DiskLevel<String, String> {
    DiskLevel(
      directory: folder.file("cache"), countLimit: countLimit, sizeLimit: sizeLimit, coding: .text,
      clock: time.clock, calls: calls
    ) { [events] event in
      switch event {
      case .hit(let key): events.add("hit \(key)")
      case .miss(let key): events.add("miss \(key)")
      case .set(let key): events.add("set \(key)")
      case .evicted(let key, let reason): events.add("evicted \(key) \(reason)")
      case .expired(let key): events.add("expired \(key)")
      case .failed(let key, let error):
        events.add("failed \(key ?? "-") \((error as? CacheError)?.operation as Any)")
      }
    }
  }

  @Test func `everything that happens is told once, and counted`() async throws {
    let level = telling(countLimit: 2, sizeLimit: 10)
    #expect(try await level.get("a") == nil)
    try await level.set("1", forKey: "a")
    #expect(level["a"] == "1")
    try await level.set("2", forKey: "b", expiry: .seconds(1))
    try await level.set("3", forKey: "c")
    time.advance(by: .seconds(2))
    #expect(level["b"] == nil)
    try await level.set("12345678", forKey: "d")
    try await level.set("12345", forKey: "e")
    try await level.set("12345678901", forKey: "f")
    try await level.set("1", forKey: "g", expiry: .seconds(1))
    time.advance(by: .seconds(2))
    #expect(try await level.count == 1)
    let told = [
      "miss a", "set a", "hit a", "set b", "set c", "evicted a countLimit", "expired b", "miss b",
      "set d", "set e", "evicted c countLimit", "evicted d costLimit", "evicted f tooCostly",
      "set g", "expired g",
    ]
    #expect(events.all == told)
    var counts = CacheStatistics()
    (counts.hits, counts.misses, counts.sets) = (1, 2, 6)
    (counts.evictions, counts.expirations) = (4, 2)
    #expect(level.statistics == counts)
  }

  @Test func `each failure is told with what was being done`() async throws {
    try await level().set("1", forKey: "a")
    var calls = DiskCalls.system
    calls.file.openAt = { directory, name, flags, mode in
      flags & O_DIRECTORY != 0 ? DiskCalls.system.file.openAt(directory, name, flags, mode) : -EIO
    }
    calls.file.unlinkAt = { _, _, _ in -EIO }
    let level = telling(calls: calls)
    await #expect(throws: CacheError.self) { try await level.get("a") }
    await #expect(throws: CacheError.self) { try await level.set("2", forKey: "a") }
    await #expect(throws: CacheError.self) { try await level.remove("a") }
    await #expect(throws: CacheError.self) { try await level.removeAll() }
    #expect(level["a"] == nil)
    let operations: [CacheError.Operation] = [.get, .set, .remove]
    #expect(
      events.all == operations.map { "failed a \(Optional($0) as Any)" }
        + ["failed - \(Optional(CacheError.Operation.removeAll) as Any)"]
        + ["failed a \(Optional(CacheError.Operation.get) as Any)"])
    var counts = CacheStatistics()
    counts.errors = 5
    #expect(level.statistics == counts)
  }

  @Test func `what went for a value that could not be put in place is told`() async throws {
    var calls = DiskCalls.system
    let answer = Guarded<Int32>(0)
    calls.file.renameAt = { [system = calls.file.renameAt] directory, from, to in
      let code = answer.withLock { $0 }
      // A file that is gone is made again: only the first time it is.
      if code == -ENOENT { answer.withLock { $0 = 0 } }
      return code < 0 ? code : system(directory, from, to)
    }
    let level = telling(countLimit: 1, calls: calls)
    try await level.set("1", forKey: "a")
    answer.withLock { $0 = -EIO }
    await #expect(throws: CacheError.self) { try await level.set("2", forKey: "b") }
    #expect(try files == [])
    #expect(level.statistics.evictions == 1)
    #expect(events.all.contains("evicted a countLimit"))
    answer.withLock { $0 = 0 }
    try await level.set("3", forKey: "c")
    answer.withLock { $0 = -ENOENT }
    try await level.set("4", forKey: "d")
    #expect(level["d"] == "4")
    #expect(level.statistics.evictions == 2)
    #expect(events.all.contains("evicted c countLimit"))
  }
}
