import CacheTestSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// The disk level, looked at from outside: by another level on the folder, and at the files.
@Suite struct DiskLevelTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `a disk level and a memory level over it keep the laws`() async throws {
    let laws = CacheLevelLaws(keys: ["a", "b", "", "A"], values: ["1", "2", "3", "4"]) {
      DiskLevel<String, String>(
        directory: folder.file(UUID().uuidString), countLimit: 4, sizeLimit: 40, coding: .text)
    }
    try await laws.checkAll()
    try await CacheLevelLaws(keys: ["a", "b", "", "A"], values: ["1", "2", "3", "4"]) {
      MemoryLevel<String, String>().compose(
        DiskLevel(
          directory: folder.file(UUID().uuidString), expiry: .sliding(.seconds(100)),
          coding: .text))
    }.checkAll()
  }

  @Test func `a folder that is deleted is made again, with nothing in it`() async throws {
    let level = level(countLimit: 100)
    for key in ["a", "b"] { try await level.set("1", forKey: key) }
    try FileManager.default.removeItem(at: folder.file("cache"))
    #expect(try await level.get("a") == nil)
    #expect(try await level.sizeInBytes == 0)
    for key in ["c", "d"] { try await level.set("1", forKey: key) }
    try FileManager.default.removeItem(at: folder.file("cache"))
    try await level.set("12", forKey: "e")
    #expect(try await level.sizeInBytes == 2)
    #expect(try await level.keys == ["e"])
    try FileManager.default.removeItem(at: folder.file("cache"))
    let other = self.level()
    try await other.set("3", forKey: "f")
    #expect(try await level.get("f") == "3")
    try await level.remove("f")
    #expect(try await other.get("f") == nil)
  }

  @Test func `what another process sets is found, counted and limited`() async throws {
    let one = level(countLimit: 5)
    let two = level(countLimit: 5)
    for number in 0..<5 {
      try await one.set("1", forKey: "one \(number)")
      #expect(two["one \(number)"] == "1")
    }
    #expect(try await two.count == 5)
    try await two.removeAll()
    #expect(try await one.get("one 1") == nil)
    for number in 0..<5 { try await two.set("2", forKey: "two \(number)") }
    time.advance(by: .seconds(6))
    try await one.set("1", forKey: "last")
    #expect(try files.count == 5)
  }

  @Test func `what another process sets, removes or lets expire is known at once`() async throws {
    let one = level(countLimit: 5)
    let two = level(expiry: .seconds(3))
    for key in ["a", "b"] { try await one.set("1", forKey: key) }
    #expect(try await one.contains("a"))
    try await two.set("2", forKey: "new")
    #expect(try await one.contains("new"))
    try await two.remove("a")
    #expect(try await one.contains("a") == false)
    try await two.set("2", forKey: "b")
    time.advance(by: .seconds(4))
    #expect(try await one.contains("b") == false)
    #expect(try await one.contains("new") == false)
    try await one.set("1", forKey: "c")
    try FileManager.default.removeItem(at: folder.file("cache"))
    #expect(try await one.contains("c") == false)
    try await two.set("2", forKey: "c")
    #expect(try await one.contains("c"))
  }

  @Test func `init touches nothing, and reading makes nothing`() async throws {
    let level = level(countLimit: 3)
    #expect(level["a"] == nil)
    #expect(try await level.count == 0)
    try await level.remove("a")
    try await level.removeAll()
    #expect(try folder.allNames == [])
  }

  @Test func `what ended writers left behind goes, what others write stays`() async throws {
    try await level().set("1", forKey: "a")
    try folder.file("cache/.tmp-999999999-abc-1").write("left")
    try folder.file("cache/.tmp-\(getppid())-abc-1").write("being written")
    #expect(try await level().count == 1)
    #expect(try files.filter { $0.hasPrefix(".tmp") } == [".tmp-\(getppid())-abc-1"])
  }

  @Test func `values of every kind come back`() async throws {
    struct Page: Codable, Equatable { var title: String }
    let pages = DiskLevel<Int, Page>(directory: folder.file("pages"), coding: .json)
    try await pages.set(Page(title: "é"), forKey: 1)
    #expect(pages[1] == Page(title: "é"))
    let lists = DiskLevel<Int, [String: Int]>(directory: folder.file("lists"), coding: .storeValue)
    try await lists.set(["a": 1], forKey: 1)
    #expect(lists[1] == ["a": 1])
    let dates = DiskLevel<Int, [Date]>(directory: folder.file("dates"), coding: .propertyList)
    try await dates.set([Date(timeIntervalSince1970: 1)], forKey: 1)
    #expect(dates[1] == [Date(timeIntervalSince1970: 1)])
    let bytes = DiskLevel<Int, Data>(directory: folder.file("bytes"))
    for size in [0, 1, 4_096, 4_097, 3_000_000] {
      let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
      bytes[size] = data
      #expect(bytes[size] == data)
      #expect(bytes[size]?.startIndex == 0)
    }
    // Written as something else: a miss, and removed.
    let wrong = DiskLevel<Int, Page>(directory: folder.file("bytes"), coding: .json)
    #expect(try await wrong.get(4_096) == nil)
    #expect(bytes[4_096] == nil)
  }

  @Test func `a level without a folder says why`() async throws {
    let level = DiskLevel<String, Data>(named: "a/b")
    await #expect(throws: CacheError.self) { try await level.get("a") }
    await #expect(throws: CacheError.self) { try await level.set(Data(), forKey: "a") }
    #expect(level["a"] == nil)
    #expect(level.statistics.errors == 3)
    let web = try #require(URL(string: "https://example.com\(folder.file("web").systemPath)"))
    let remote = DiskLevel<String, Data>(directory: web)
    let error = await #expect(throws: CacheError.self) { try await remote.set(Data(), forKey: "a") }
    #expect(error?.description.contains("'https://example.com/") == true)
    #expect(try folder.allNames == [])
  }

  @Test func `removing what has expired does not get in the way of a hundred others`() async throws
  {
    let level = level(countLimit: 50, expiry: .seconds(1_000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await level.set("\(number)", forKey: "\(number % 60)")
          if let value = try await level.get("\(number % 60)"), let read = Int(value) {
            #expect(read % 60 == number % 60)
          }
          if number % 10 == 0 { try await level.removeExpired() }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await level.count <= 50)
    #expect(try await level.count == (try files.count))
  }
}
