import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// How the time of a file comes to say when its entry was last used.
@Suite struct DiskTimeTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  /// A level with the clocks of the system, as programs have it.
  private func ordinary(
    countLimit: Int? = nil, expiry: CacheExpiry = .never, calls: DiskCalls = .system
  ) -> DiskLevel<String, String> {
    DiskLevel(
      directory: folder.file("cache"), countLimit: countLimit, expiry: expiry, coding: .text,
      calls: calls)
  }

  @Test func `what was set at once one after the other keeps its order after a restart`()
    async throws
  {
    let first = ordinary()
    let keys = (0..<60).map { "\($0 * 7 % 60)" }
    for key in keys { first[key] = "v" }
    #expect(try await ordinary().keys == keys)
    #expect(try await ordinary(countLimit: 5).keys == Array(keys.suffix(5)))
  }

  @Test func `the file's own time is left where it is right`() async throws {
    let count = Guarded(0)
    var calls = DiskCalls.system
    calls.setTime = { descriptor, time in
      count.withLock { $0 += 1 }
      return DiskCalls.system.setTime(descriptor, time)
    }
    try await ordinary(calls: calls).set("v", forKey: "plain")
    #expect(count.withLock { $0 } == 0)
    // Its life is counted from that time by every process.
    try await ordinary(expiry: .sliding(.seconds(60)), calls: calls).set("v", forKey: "sliding")
    #expect(count.withLock { $0 } == 1)
    // The clock of the level is years behind that of the file system.
    try await level(calls: calls).set("v", forKey: "other clock")
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `a file system that does not tell is told the time`() async throws {
    let count = Guarded(0)
    var calls = DiskCalls.system
    calls.file.status = { [system = calls.file.status] descriptor, status in
      let result = system(descriptor, &status)
      return status.mode & 0o170_000 == 0o100_000 ? -EIO : result
    }
    calls.setTime = { descriptor, time in
      count.withLock { $0 += 1 }
      return DiskCalls.system.setTime(descriptor, time)
    }
    try await ordinary(calls: calls).set("v", forKey: "a")
    #expect(count.withLock { $0 } == 1)
    #expect(ordinary()["a"] == "v")
  }

  @Test func `a leftover under a name that is used again is in nobody's way`() async throws {
    let names = Guarded<[String]>([])
    var calls = DiskCalls.system
    calls.file.renameAt = { [system = calls.file.renameAt] directory, from, to in
      names.withLock { $0.append(from) }
      return system(directory, from, to)
    }
    let level = ordinary(calls: calls)
    for key in ["a", "b"] { try await level.set("1", forKey: key) }
    let used = names.withLock { $0 }
    #expect(used.count == 2 && used[0] == used[1])
    try Data().write(to: folder.file("cache").appending(path: used[0]))
    for key in ["a", "b"] { try await level.set("2", forKey: key) }
    #expect(level["a"] == "2" && level["b"] == "2")
    #expect(names.withLock { $0[2] } != used[0])
  }
}
