import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// What happens in a folder between two system calls of a level.
@Suite struct DiskRaceTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `an entry that is set while a read misses it counts for the limit`() async throws {
    let between = Between()
    var calls = DiskCalls.system
    calls.file.openAt = { directory, name, flags, mode in
      let result = DiskCalls.system.file.openAt(directory, name, flags, mode)
      if result == -ENOENT { between.run() }
      return result
    }
    let level = level(countLimit: 2, calls: calls)
    level["first"] = "1"
    between.next { level["a"] = "set during the miss" }
    #expect(level["a"] == nil)
    for number in 0..<3 {
      level["\(number)"] = "1"
      #expect(try files.count <= 2)
    }
    #expect(level.statistics.errors == 0)
  }

  @Test func `a value that is set while an older one is found unreadable stays`() async throws {
    let between = Between()
    let coding = EntryCoding<String>(encode: { Data($0.utf8) }) { data in
      between.run()
      if data == Data("old".utf8) { throw TestFailure() }
      return String(decoding: data, as: UTF8.self)
    }
    let level = DiskLevel<String, String>(directory: folder.file("cache"), coding: coding)
    try await level.set("old", forKey: "a")
    between.next { level["a"] = "new" }
    #expect(try await level.get("a") == nil)
    #expect(level["a"] == "new")
    try await level.set("old", forKey: "a")
    #expect(level["a"] == nil)
    #expect(try files == [])
  }

  @Test func `what another process has set anew does not go with what was there before`()
    async throws
  {
    // The same length, so that only times and inodes tell the one from the other.
    let one = level(countLimit: 3)
    let two = level()
    for key in ["a", "b"] { try await one.set("1", forKey: key, expiry: .seconds(10)) }
    #expect(try await one.count == 2)
    try await one.set("1", forKey: "c", expiry: .seconds(10))
    time.advance(by: .seconds(9))
    for key in ["a", "b", "c"] { try await two.set("2", forKey: key, expiry: .seconds(10)) }
    time.advance(by: .seconds(2))
    // By a look through the folder, by what has expired, and by a list.
    #expect(one["a"] == "2")
    #expect(try await one.count == 3)
    #expect(one["b"] == "2" && one["c"] == "2")
    #expect(one.statistics.expirations == 0)
  }

  @Test func `what another process has set anew does not go first`() async throws {
    let one = level(countLimit: 3)
    let two = level()
    for key in ["a", "b", "c"] { try await one.set("1", forKey: key, expiry: .seconds(10)) }
    time.advance(by: .seconds(4))
    try await two.set("2", forKey: "a", expiry: .seconds(10))
    // Within five seconds of the last look through the folder.
    try await one.set("1", forKey: "d")
    #expect(two["a"] == "2" && two["b"] == nil)
    try await two.set("2", forKey: "c", expiry: .seconds(100))
    time.advance(by: .milliseconds(900))
    try await one.set("1", forKey: "e")
    #expect(try files.count == 3)
    #expect(two["c"] == "2")
  }
}

/// Something to be done once, in the midst of something else.
private final class Between: Sendable {
  private let body = Guarded<(@Sendable () -> Void)?>(nil)

  func next(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

  func run() {
    let body = self.body.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
  }
}
