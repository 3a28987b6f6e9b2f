import CacheTestSupport
import Foundation
import SimpleCache
import SimpleStore
import Synchronization
import TestSupport
import Testing

/// The disk level, looked at from outside: by another level on the folder, and at the files.
@Suite struct DiskLevelTests {
  private let folder = TemporaryFolder()
  private let time = ManualTime()

  private func level(
    countLimit: Int? = nil, sizeLimit: Int? = nil, expiry: CacheExpiry = .never
  ) -> DiskLevel<String, String> {
    DiskLevel(
      directory: folder.file("cache"), countLimit: countLimit, sizeLimit: sizeLimit,
      expiry: expiry, coding: .text, clock: time.clock)
  }

  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").systemPath).sorted()
    }
  }

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

  @Test func `every text is a key, and nothing outside the folder is touched`() async throws {
    let keys = [
      "", "../x", "../../evil", "/etc/x", "a\0b", "a", "A", ".", "..", "A.1", "A.2",
      String(repeating: "k", count: 4_000) + "1", String(repeating: "k", count: 4_000) + "2",
    ]
    for key in keys { try await level().set("value of \(key)", forKey: key) }
    for key in keys { #expect(level()[key] == "value of \(key)") }
    #expect(try folder.allNames == ["cache"])
    let digits = Set("0123456789abcdef")
    for name in try files { #expect(name.count == 32 && Set(name).isSubset(of: digits)) }
    #expect(try files.count == keys.count)
    #expect(Set(try await level().keys) == Set(keys))
    #expect(try files.contains(level().url(forKey: "../x")?.lastPathComponent ?? ""))
  }

  @Test func `texts that are equal are one key, however they are spelt`() async throws {
    try await level().set("1", forKey: "caf\u{e9}")
    try await level().set("2", forKey: "cafe\u{301}")
    #expect(level()["caf\u{e9}"] == "2")
    #expect(try await level().count == 1)
  }

  @Test func `keys are found again by other processes`() {
    // The names are part of the format: FNV-1a 128 of the key's bytes.
    let texts = DiskLevel<String, Data>(directory: folder.url)
    #expect(
      texts.url(forKey: "")?.lastPathComponent == "6c62272e07bb014262b821756295c58d")
    #expect(
      texts.url(forKey: "a")?.lastPathComponent == "d228cb696f1a8caf78912b704e4a8964")
    let numbers = DiskLevel<Int, Data>(directory: folder.url)
    #expect(numbers.url(forKey: 1) != numbers.url(forKey: 2))
  }

  @Test func `keys of each kind come back as they were`() {
    #expect(Int(stableBytes: (-5).stableBytes) == -5)
    #expect(URL(stableBytes: URL(filePath: "/a b").stableBytes) == URL(filePath: "/a b"))
    let id = UUID()
    #expect(UUID(stableBytes: id.stableBytes) == id)
    #expect("".stableBytes(of: ["ab", "c"]) != "".stableBytes(of: ["a", "bc"]))
    #expect(String.parts(of: "".stableBytes(of: ["ab", "", "c"])) == ["ab", "", "c"])
    #expect(String.parts(of: [255, 255, 255, 255, 255, 255, 255, 255, 1]) == nil)
    #expect(Int(stableBytes: [1]) == nil && UUID(stableBytes: []) == nil)
  }

  @Test func `a file that is damaged in any byte, or cut anywhere, is a miss and is removed`()
    async throws
  {
    try await level().set("value", forKey: "key")
    let file = try #require(level().url(forKey: "key"))
    let whole = try file.bytes
    var broken = whole.indices.map { place in
      var bytes = whole
      bytes[place] ^= 0x10
      return bytes
    }
    broken += whole.indices.map { Array(whole[..<$0]) }
    broken += [whole + [0], Array("foreign".utf8), Array(repeating: 0xff, count: 10_000)]
    for bytes in broken {
      try Data(bytes).write(to: file)
      #expect(try await level().get("key") == nil)
      #expect(try files == [])
    }
    try Data(whole).write(to: file)
    #expect(level()["key"] == "value")
  }

  @Test func `a file under the name of another key is a miss`() async throws {
    try await level().set("value", forKey: "key")
    let file = try #require(level().url(forKey: "key"))
    let other = try #require(level().url(forKey: "other"))
    try FileManager.default.copyItem(at: file, to: other)
    #expect(try await level().get("other") == nil)
    #expect(try await level().keys == ["key"])
  }

  @Test func `links are not followed, and other files stay`() async throws {
    let outside = folder.file("outside")
    try outside.write("precious")
    try await level().set("value", forKey: "key")
    let file = try #require(level().url(forKey: "key"))
    let other = try #require(level().url(forKey: "other"))
    try FileManager.default.removeItem(at: file)
    for link in [file, other] {
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
    }
    try folder.file("cache/README").write("mine")
    #expect(try await level().get("key") == nil)
    #expect(try await level().count == 0)
    #expect(try files == ["README"])
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: outside)
    try await level().set("new", forKey: "key")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    #expect(try await level().get("other") == nil)
    try await level().remove("key")
    #expect(try outside.text == "precious")
    try FileManager.default.removeItem(at: other)
    try await level().removeAll()
    #expect(try files == ["README"])
  }

  @Test func `the least recently used goes first, and only as many as must`() async throws {
    let bySize = level(sizeLimit: 20)
    for key in ["a", "b", "c"] {
      time.advance(by: .seconds(2))
      try await bySize.set("0123456789", forKey: key)
    }
    #expect(try await bySize.keys == ["b", "c"])
    time.advance(by: .seconds(2))
    #expect(bySize["b"] != nil)
    try await bySize.set("0", forKey: "d")
    #expect(Set(try await bySize.keys) == ["b", "d"])
    #expect(try await bySize.sizeInBytes == 11)
  }

  @Test func `a hit counts after a restart too`() async throws {
    let first = level()
    for key in ["a", "b", "c"] { try await first.set("1", forKey: key) }
    #expect(try await level().keys == ["a", "b", "c"])
    time.advance(by: .seconds(2))
    #expect(level()["a"] == "1")
    time.advance(by: .seconds(2))
    let restarted = level(countLimit: 3)
    try await restarted.set("1", forKey: "d")
    let kept = try await restarted.keys
    #expect(kept == ["c", "a", "d"])
  }

  @Test func `a hit in memory counts on disk, now and after a restart`() async throws {
    let disk = level(countLimit: 3)
    let both = MemoryLevel<String, String>().compose(disk).compose(ClosureSource { _ in nil })
    for key in ["a", "b", "c"] { try await both.set("1", forKey: key) }
    time.advance(by: .seconds(2))
    #expect(try await both.get("a") == "1")
    #expect(disk.statistics.hits == 0)
    try await both.set("1", forKey: "d")
    #expect(try await disk.keys == ["c", "a", "d"])
    #expect(try await level().keys.suffix(2) == ["a", "d"])
  }

  @Test func `limits hold after every set, and after a restart`() async throws {
    let limited = level(countLimit: 10)
    for number in 0..<200 {
      limited["\(number)"] = "v"
      #expect(try files.count <= 10)
    }
    #expect(try await limited.count == 10)
    #expect(limited.statistics.evictions == 190)
    let smaller = level(countLimit: 4)
    #expect(try await smaller.keys == ["196", "197", "198", "199"])
    #expect(try files.count == 4)
  }

  @Test func `setting a key again counts once`() async throws {
    let level = level(sizeLimit: 150)
    for _ in 0..<3 { try await level.set(String(repeating: "x", count: 100), forKey: "a") }
    #expect(try await level.sizeInBytes == 100)
    #expect(try await level.count == 1)
    try await level.removeAll()
    #expect(try await level.sizeInBytes == 0)
  }

  @Test func `a limit of 0 keeps nothing, and what is too large is not kept`() async throws {
    for level in [level(countLimit: 0), level(sizeLimit: 0)] {
      try await level.set("", forKey: "a")
      #expect(try await level.get("a") == nil)
    }
    let small = level(sizeLimit: 3)
    try await small.set("123", forKey: "a")
    try await small.set("1234", forKey: "a")
    #expect(try await small.get("a") == nil)
    #expect(try await small.count == 0)
  }

  @Test func `what has expired is a miss, in no list, and its file goes`() async throws {
    let level = level(expiry: .seconds(1))
    try await level.set("1", forKey: "a")
    try await level.set("2", forKey: "b")
    time.advance(by: .milliseconds(999))
    #expect(level["a"] == "1")
    time.advance(by: .milliseconds(2))
    #expect(level["a"] == nil)
    #expect(try files.count == 1)
    #expect(try await level.contains("b") == false)
    #expect(try await level.count == 0)
    #expect(try files == [])
  }

  @Test func `a time of zero or less is over at once, and a huge one never overflows`() async throws
  {
    let level = level()
    for expiry in [CacheExpiry.seconds(0), .seconds(-5), .sliding(.zero), .at(.distantPast)] {
      try await level.set("old", forKey: "a")
      try await level.set("new", forKey: "a", expiry: expiry)
      #expect(level["a"] == nil)
      #expect(try files == [])
    }
    let huge = [
      CacheExpiry.seconds(.infinity), .days(1e300), .at(.distantFuture),
      .sliding(.seconds(Int64.max)),
    ]
    for expiry in huge {
      try await level.set("new", forKey: "a", expiry: expiry)
      #expect(level["a"] == "new")
      #expect(try await level.entry(for: "a")?.value == "new")
    }
  }

  @Test func `an entry that expires and is from the future has expired`() async throws {
    let level = level(expiry: .hours(1))
    try await level.set("1", forKey: "a")
    time.setWall(by: -60)
    #expect(try await level.get("a") == nil)
    #expect(try files == [])
  }

  @Test func `a sliding expiry counts from the last use, by another level too`() async throws {
    let one = level(expiry: .sliding(.seconds(10)))
    let two = level(expiry: .sliding(.seconds(10)))
    try await one.set("1", forKey: "a")
    for _ in 0..<3 {
      time.advance(by: .seconds(8))
      #expect(two["a"] == "1")
    }
    #expect(try await one.count == 1)
    time.advance(by: .seconds(11))
    #expect(try await one.count == 0)
  }

  @Test func `a promoted entry keeps the earlier expiry`() async throws {
    let memory = MemoryLevel<String, String>(expiry: .hours(1), clock: time.clock)
    let both = memory.compose(level(expiry: .seconds(10)))
    try await both.set("1", forKey: "a")
    memory.removeAll()
    time.advance(by: .seconds(6))
    #expect(try await both.get("a") == "1")
    time.advance(by: .seconds(5))
    #expect(memory["a"] == nil)
    let disk = level(expiry: .hours(1))
    let deadline = time.clock.monotonic().advanced(by: .seconds(1))
    try await disk.setEntry(CacheEntry("2", deadline: deadline), forKey: "b")
    time.advance(by: .milliseconds(1_001))
    #expect(disk["b"] == nil)
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
