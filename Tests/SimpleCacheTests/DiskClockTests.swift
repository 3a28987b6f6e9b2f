import CacheTestSupport
import Foundation
import SimpleCache
import TestSupport
import Testing

/// What a folder holds when somebody sets the clock back.
@Suite struct DiskClockTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `what was set after the clock was set back is newer than what was set before`()
    async throws
  {
    let level = level(countLimit: 3)
    for key in ["a", "b", "c"] { try await level.set("1", forKey: key) }
    time.setWall(by: -100)
    try await level.set("1", forKey: "d")
    time.advance(by: .seconds(6))
    try await level.set("1", forKey: "e")
    #expect(try await level.keys == ["c", "d", "e"])
    #expect(try await self.level().keys == ["c", "d", "e"])
    // The clock comes to where it was.
    time.advance(by: .seconds(200))
    #expect(try await level.keys == ["c", "d", "e"])
  }

  @Test func `the order of use stays when the clock is set back between two uses`() async throws {
    let level = level(countLimit: 3)
    for key in ["a", "b", "c"] {
      try await level.set("1", forKey: key)
      time.advance(by: .seconds(50))
    }
    time.setWall(by: -80)
    #expect(try await level.keys == ["a", "b", "c"])
    try await level.set("1", forKey: "d")
    #expect(try await level.keys == ["b", "c", "d"])
    #expect(level["b"] == "1")
    time.advance(by: .seconds(6))
    try await level.set("1", forKey: "e")
    #expect(try await level.keys == ["d", "b", "e"])
  }

  @Test func `what is from the future and expires at all is in no count`() async throws {
    let level = level()
    try await level.set("1", forKey: "a", expiry: .sliding(.seconds(Int64.max)))
    try await level.set("1", forKey: "b")
    time.setWall(by: -60)
    #expect(try await level.keys == ["b"])
    #expect(try await level.contains("a") == false)
    #expect(try await self.level().keys == ["b"])
  }

  @Test func `what another process sets after the clock was set back is no older entry`()
    async throws
  {
    let one = level(expiry: .sliding(.seconds(10)))
    let two = level(expiry: .sliding(.seconds(10)))
    for key in ["a", "b"] { try await one.set("1", forKey: key) }
    time.setWall(by: -100)
    for key in ["a", "b"] { try await two.set("2", forKey: key) }
    #expect(one["a"] == "2")
    #expect(try await one.keys.contains("b"))
    #expect(try await one.count == 2)
    #expect(one["b"] == "2")
  }
}
