import CacheTestSupport
import Foundation
import SimpleCache
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// Caches in what needs all of Foundation.
struct CacheTests {
  @Test func `a level in UserDefaults keeps the laws`() async throws {
    let place = DefaultsPlace("cache")
    let laws = CacheLevelLaws(keys: ["a", "b", "", "A"], values: ["1", "2", "3", "4"]) {
      UserDefaultsLevel<String>(suite: place.suite, key: UUID().uuidString)
    }
    try await laws.checkAll()
  }

  @Test func `plain code reads what a level in UserDefaults keeps, beside its own defaults`()
    async throws
  {
    let place = DefaultsPlace("cache")
    let plain = try #require(UserDefaults(suiteName: place.suite))
    plain.set("mine", forKey: "other")
    let level = UserDefaultsLevel<Int>(suite: place.suite, key: "numbers")
    try await level.set(3, forKey: "three")
    #expect(plain.dictionary(forKey: "numbers") as? [String: Int] == ["three": 3])
    #expect(plain.string(forKey: "other") == "mine")
    try await level.removeAll()
    #expect(plain.string(forKey: "other") == "mine")
    #expect(try await level.get("three") == nil)
  }

  #if !canImport(Darwin)
    @Test func `two levels on one default, used at the same time, lose no entry of each other`()
      async throws
    {
      let place = DefaultsPlace("cache")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            let level = UserDefaultsLevel<Int>(suite: place.suite, key: "numbers")
            for round in 0..<25 { try await level.set(round, forKey: "\(task)-\(round)") }
          }
        }
        try await group.waitForAll()
      }
      #expect(place.plain.dictionary(forKey: "numbers")?.count == 100)
      #expect(place.names.filter { !$0.hasPrefix(".") } == ["\(place.suite).plist"])
      #expect(
        !place.names.contains { $0.contains(".plist.") && $0 != ".\(place.suite).plist.lock" })
    }
  #endif

  @Test func `a suite that cannot be is an error of each call`() async {
    let level = UserDefaultsLevel<Int>(suite: "../else", key: "numbers")
    await #expect(throws: CacheError.self) { try await level.get("a") }
    await #expect(throws: CacheError.self) { try await level.set(1, forKey: "a") }
  }

  @Test func `archived objects come back from a cache of bytes`() async throws {
    let folder = TemporaryFolder()
    let indexes = try StoreArchived(NSIndexSet(indexesIn: NSRange(location: 3, length: 4)))
    let single = DiskLevel<String, Data>(directory: folder.file("single"))
      .transformValues(KeyedArchiveTransformer<NSIndexSet>())
    try await single.set(indexes, forKey: "a")
    let back = try #require(try await single.get("a"))
    #expect(try back.object == NSIndexSet(indexesIn: NSRange(location: 3, length: 4)))

    let list = DiskLevel<String, Data>(directory: folder.file("list"))
      .transformValues(KeyedArchiveTransformer<NSIndexSet>.List())
    for value in [[], [indexes], [indexes, try StoreArchived(NSIndexSet(index: 9))]] {
      try await list.set(value, forKey: "a")
      #expect(try await list.get("a") == value)
    }
  }

  @Test func `bytes that are not those of an archive are an error, whichever byte is wrong`() throws
  {
    let whole = try KeyedArchiveTransformer<NSArray>()
      .inverseTransform(StoreArchived(["a", NSNumber(value: 3)] as NSArray))
    for count in 0..<whole.count { refuse(whole.prefix(count)) }
    for position in whole.indices {
      var changed = whole
      changed[position] ^= 0x41
      refuse(changed)
    }
    // An archive of another class.
    #expect(throws: CacheError.self) { try KeyedArchiveTransformer<NSURL>().transform(whole) }

    func refuse(_ data: Data) {
      #expect { try KeyedArchiveTransformer<NSArray>().transform(data) } throws: {
        ($0 as? CacheError)?.code == .untransformable
      }
      #expect { try KeyedArchiveTransformer<NSArray>.List().transform(data) } throws: {
        ($0 as? CacheError)?.code == .untransformable
      }
    }
  }
}
