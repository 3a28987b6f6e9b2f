import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// Several levels with limits on one folder, as several processes have them: none looks at what the
/// others do but through the folder.
@Suite struct DiskSharedLimitTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `a count limit holds after every set, whoever sets`() async throws {
    let levels = (0..<3).map { _ in level(countLimit: 10) }
    for number in 0..<120 {
      levels[number % 3]["\(number)"] = "v"
      #expect(try files.count == min(10, number + 1))
      time.advance(by: .milliseconds(10))
    }
    #expect(levels.map(\.statistics.evictions).reduce(0, +) == 110)
    #expect(try await level().count == 10)
  }

  @Test func `a size limit holds after every set, also over entries of others`() async throws {
    let (one, two) = (level(sizeLimit: 100), level(sizeLimit: 100))
    for number in 0..<200 {
      let value = String(repeating: "x", count: number * 7 % 40)
      (number % 3 == 0 ? one : two)["\(number * 5 % 12)"] = value
      if number % 4 == 0 { (number % 8 == 0 ? one : two)["\(number % 12)"] = nil }
      #expect(try await level().sizeInBytes <= 100)
    }
    #expect(one.statistics.errors + two.statistics.errors == 0)
  }

  @Test func `no more goes than must`() throws {
    let (one, two) = (level(countLimit: 4), level(countLimit: 4))
    one["a"] = "1"
    two["b"] = "1"
    one["b"] = "2"
    two["a"] = "2"
    one["c"] = "1"
    two["c"] = nil
    one["d"] = "1"
    two["e"] = "1"
    #expect(one["a"] == "2" && two["b"] == "2" && two["d"] == "1" && one["e"] == "1")
    #expect(one.statistics.evictions + two.statistics.evictions == 0)
  }

  @Test func `a level that knows of none that others have set makes room among them`() throws {
    let (one, two) = (level(countLimit: 3), level(countLimit: 3))
    one["a"] = "1"
    one["a"] = nil
    for key in ["b", "c", "d"] {
      time.advance(by: .milliseconds(100))
      two[key] = "1"
    }
    one["e"] = "1"
    #expect(try files.count == 3)
    #expect(two["b"] == nil && two["c"] == "1" && two["d"] == "1" && two["e"] == "1")
  }

  @Test func `what others have removed makes room`() async throws {
    let (one, two) = (level(countLimit: 3), level(countLimit: 3))
    for key in ["a", "b", "c"] { one[key] = "1" }
    #expect(two["a"] == "1")
    try await two.removeAll()
    two["d"] = "1"
    for key in ["e", "f"] { one[key] = "1" }
    #expect(two["d"] == "1" && two["e"] == "1" && two["f"] == "1")
    #expect(one.statistics.evictions + two.statistics.evictions == 0)
  }

  @Test func `what has expired and goes by a read makes room`() async throws {
    let (one, two) = (level(countLimit: 2), level(countLimit: 2))
    try await one.set("1", forKey: "a", expiry: .seconds(1))
    try await two.set("1", forKey: "b")
    time.advance(by: .seconds(2))
    #expect(one["a"] == nil)
    one["c"] = "1"
    #expect(two["b"] == "1" && two["c"] == "1")
    #expect(try files.count == 2)
  }

  @Test func `what one has removed and another has seen gone is taken off once`() async throws {
    let one = level(countLimit: 3)
    try await one.set("1", forKey: "x", expiry: .seconds(1))
    for key in ["a", "b"] { one[key] = "1" }
    time.advance(by: .seconds(2))
    #expect(one["x"] == nil)
    let two = level(countLimit: 3)
    two["c"] = "1"
    one["d"] = "1"
    #expect(try files.count == 3)
    #expect(two["a"] == nil && two["b"] == "1" && two["c"] == "1" && two["d"] == "1")
  }

  @Test func `what another has set smaller is not taken off as it was before`() async throws {
    let (one, two) = (level(sizeLimit: 100), level(sizeLimit: 100))
    func text(_ count: Int) -> String { String(repeating: "x", count: count) }
    one["b"] = text(60)
    one["c"] = text(30)
    two["b"] = text(1)
    one["c"] = text(30)
    one["b"] = text(60)
    one["d"] = text(60)
    #expect(try await level().sizeInBytes <= 100)
    #expect(one["d"] == text(60))
  }

  @Test func `files that somebody removes by hand cost nobody an entry at the next look`() throws {
    let (one, two) = (level(countLimit: 3), level(countLimit: 3))
    for key in ["a", "b", "c"] { one[key] = "1" }
    for key in ["b", "c"] {
      try FileManager.default.removeItem(at: try #require(one.url(forKey: key)))
    }
    time.advance(by: .seconds(6))
    one["d"] = "1"
    two["e"] = "1"
    #expect(one["a"] == "1" && one["d"] == "1" && one["e"] == "1")
    #expect(one.statistics.evictions + two.statistics.evictions == 0)
  }

  @Test(arguments: ["", "nonsense", "link", "folder", "gone"])
  func `whatever becomes of the tally, the limits hold`(what: String) throws {
    let (one, two) = (level(countLimit: 3), level(countLimit: 3))
    for key in ["a", "b", "c"] { one[key] = "1" }
    two["d"] = "1"
    let tally = folder.file("cache/.tally")
    let outside = folder.file("outside")
    try Data("not ours".utf8).write(to: outside)
    switch what {
    case "link":
      try FileManager.default.removeItem(at: tally)
      try FileManager.default.createSymbolicLink(at: tally, withDestinationURL: outside)
    case "folder":
      try FileManager.default.removeItem(at: tally)
      try FileManager.default.createDirectory(at: tally, withIntermediateDirectories: false)
    case "gone": try FileManager.default.removeItem(at: tally)
    default: try Data(what.utf8).write(to: tally)
    }
    // Where there is no tally, each goes by its own look at the folder, at most five seconds old.
    let three = level(countLimit: 3)
    for (number, level) in [one, two, three, one, two, three].enumerated() {
      time.advance(by: .seconds(6))
      level["\(number)"] = "1"
      #expect(try files.count == 3)
    }
    #expect(try Data(contentsOf: outside) == Data("not ours".utf8))
    #expect([one, two, three].allSatisfy { $0.statistics.errors == 0 })
  }

  @Test func `a process that is killed before it has written the tally is found out`() throws {
    let isKilled = Guarded(false)
    var calls = DiskCalls.system
    calls.writeAt = { [system = calls.writeAt] descriptor, bytes, count, offset in
      // The lock is given back by the system; what comes before the tally is written.
      if count == 56, isKilled.withLock({ $0 }) { return count }
      return system(descriptor, bytes, count, offset)
    }
    let (one, two) = (level(countLimit: 3, calls: calls), level(countLimit: 3))
    for key in ["a", "b"] { one[key] = "1" }
    two["a"] = "2"
    isKilled.withLock { $0 = true }
    one["c"] = "1"
    two["d"] = "1"
    #expect(try files.count == 3)
    #expect(two["d"] == "1" && two.statistics.errors == 0)
  }

  @Test func `a process that is stopped while it changes the folder keeps nobody waiting for long`()
    throws
  {
    let one = level(countLimit: 3)
    for key in ["a", "b", "c"] { one[key] = "1" }
    var calls = DiskCalls.system
    let pauses = Guarded<Int64>(0)
    calls.tryLock = { _ in -EWOULDBLOCK }
    calls.pause = { pause in pauses.withLock { $0 += pause } }
    let two = level(countLimit: 3, calls: calls)
    for key in ["d", "e", "f"] { two[key] = "1" }
    #expect(try files.count == 3)
    #expect(two["f"] == "1" && two.statistics.errors == 0)
    let waited = pauses.withLock { $0 }
    #expect(waited >= 900_000_000 && waited < 3_000_000_000, "\(waited)")
  }
}
