import CacheTestSupport
import Foundation
import SimpleCache
import Testing

@Suite struct MemoryLevelLimitTests {
  @Test func `the oldest entry goes when the cost limit is reached`() {
    let level = MemoryLevel<String, Data>(costLimit: 20)
    for key in ["a", "b", "c"] { level[key] = Data(count: 10) }
    #expect(Set(level.keys) == ["b", "c"])
    #expect(level.totalCost == 20)
  }

  @Test func `the least recently used goes when the count limit is reached`() {
    let level = MemoryLevel<String, Int>(countLimit: 3)
    for number in 0...4 { level["k\(number)"] = number }
    #expect(level["k0"] == nil && level["k1"] == nil)
    #expect(level["k2"] == 2 && level["k3"] == 3 && level["k4"] == 4)
    _ = level["k2"]
    level["k5"] = 5
    #expect(level["k3"] == nil)
    #expect(Set(level.keys) == ["k2", "k4", "k5"])
  }

  @Test func `setting a key again is a use of it`() {
    let level = MemoryLevel<String, Int>(countLimit: 2)
    level["a"] = 1
    level["b"] = 2
    level["a"] = 3
    level["c"] = 4
    #expect(Set(level.keys) == ["a", "c"])
  }

  @Test func `overwriting a key counts it once`() {
    let level = MemoryLevel<String, Data>(costLimit: 1_000)
    for _ in 0..<3 { level["a"] = Data(count: 100) }
    #expect(level.totalCost == 100)
    #expect(level.count == 1)
  }

  @Test func `costs are given back on replacement, removal and removeAll`() {
    let level = MemoryLevel<String, Int>(costLimit: 100)
    level.set(1, forKey: "a", cost: 90)
    level.set(1, forKey: "a", cost: 10)
    #expect(level.totalCost == 10)
    level.set(1, forKey: "b", cost: 50)
    level.remove("a")
    #expect(level.totalCost == 50)
    level.removeAll()
    #expect(level.totalCost == 0)
    for number in 0..<10 { level.set(number, forKey: "k\(number)", cost: 10) }
    #expect(level.count == 10)
    #expect(level.totalCost == 100)
  }

  @Test func `a limit of zero keeps nothing, and nil everything`() {
    let none = MemoryLevel<Int, Int>(countLimit: 0)
    none[1] = 1
    #expect(none[1] == nil && none.count == 0)
    let costless = MemoryLevel<Int, Int>(costLimit: 0)
    costless.set(1, forKey: 1, cost: 1)
    costless.set(2, forKey: 2, cost: 0)
    #expect(costless.keys == [2])
    let all = MemoryLevel<Int, Int>()
    for number in 0..<5_000 { all[number] = number }
    #expect(all.count == 5_000)
    #expect((0..<5_000).allSatisfy { all[$0] == $0 })
  }

  @Test func `a negative limit is refused with a sentence`() async {
    await #expect(processExitsWith: .failure) { _ = MemoryLevel<Int, Int>(countLimit: -1) }
    await #expect(processExitsWith: .failure) { _ = MemoryLevel<Int, Int>(costLimit: -1) }
  }

  @Test func `what costs more than the limit is not kept, nor what it replaced`() {
    let events = Collected<CacheEvent<String>>()
    let level = MemoryLevel<String, Int>(costLimit: 10, onEvent: { events.add($0) })
    level.set(1, forKey: "a", cost: 5)
    level.set(2, forKey: "a", cost: 11)
    #expect(level["a"] == nil)
    #expect(level.totalCost == 0)
    #expect(events.all.contains { if case .evicted("a", .tooCostly) = $0 { true } else { false } })
  }

  @Test func `huge and negative costs do no harm`() {
    let level = MemoryLevel<Int, Int>(costLimit: .max)
    for number in 0..<10 { level.set(number, forKey: number, cost: .max) }
    #expect(level.totalCost >= 0)
    level.set(1, forKey: 1, cost: .min)
    #expect(level[1] == 1)
    let unlimited = MemoryLevel<Int, Int>()
    for number in 0..<10 { unlimited.set(number, forKey: number, cost: .max) }
    #expect(unlimited.count == 10)
  }

  @Test(arguments: [1, 2, 63, 64, 100, 1_023, 1_024, 1_025, 3_000])
  func `the count limit holds after every insert, and no more is evicted than must be`(limit: Int) {
    let level = MemoryLevel<Int, Int>(countLimit: limit)
    for number in 0..<(limit * 3 + 5) {
      level[number] = number
      #expect(level.count == min(number + 1, limit))
      #expect(level[number] == number)
    }
    #expect(level.keys.count == limit)
  }

  @Test func `the cost limit holds after every insert`() {
    let level = MemoryLevel<Int, Int>(costLimit: 10_000) { value in value % 97 }
    for number in 0..<20_000 {
      level[number] = number &* 31
      let cost = level.totalCost
      #expect(cost <= 10_000)
    }
    #expect(level.keys.reduce(0) { $0 + ($1 &* 31) % 97 } == level.totalCost)
  }

  @Test func `the cost limit holds when several threads make room at once`() {
    let level = MemoryLevel<Int, Int>(costLimit: 10)
    // So many that they are kept in groups, each with its own lock.
    for number in 0..<1_100 { level.set(number, forKey: number, cost: 0) }
    level.removeAll()
    for round in 0..<2_000 {
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        level.set(round, forKey: round * 8 + thread, cost: 6)
      }
      #expect(level.keys.count == 1)
      #expect(level.totalCost == 6)
    }
  }

  @Test func `limits and counts hold under many threads`() {
    let level = MemoryLevel<Int, Int>(countLimit: 2_000, costLimit: 50_000) { _ in 20 }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<20_000 {
        let key = (step &* 7_919 &+ thread &* 104_729) % 6_000
        switch step % 8 {
        case 0...2: level[key] = key
        case 3: level.remove(key)
        case 4 where step % 4_000 == 4: level.removeAll()
        default: if let value = level[key], value != key { Issue.record("another key's value") }
        }
        if step % 64 == 0, level.count > 2_000 { Issue.record("over the limit") }
      }
    }
    #expect(level.count == level.keys.count)
    #expect(level.totalCost == level.count * 20)
    #expect(level.count <= 2_000)
  }

  @Test func `a level that has become small is exactly LRU again`() {
    let level = MemoryLevel<Int, Int>(costLimit: 100)
    // A loop longer than the cache, for which the least recently used is the wrong one to go.
    for _ in 0..<60 {
      for number in 0..<150 where level[number] == nil {
        level.set(number, forKey: number, cost: 1)
      }
    }
    for number in 1_000..<1_200 { level.set(number, forKey: number, cost: 10) }
    #expect(Set(level.keys) == Set(1_190..<1_200))
    _ = level[1_190]
    level.set(0, forKey: 0, cost: 10)
    #expect(Set(level.keys) == Set(1_192..<1_200).union([1_190, 0]))
  }

  @Test func `trimming keeps the share asked for, the most recent`() {
    let events = Collected<CacheEvent<Int>>()
    let level = MemoryLevel<Int, Int>(countLimit: 100, onEvent: { events.add($0) })
    for number in 0..<100 { level[number] = number }
    level.trim(keeping: .nan)
    #expect(level.count == 100)
    level.trim(keeping: 0.25)
    #expect(Set(level.keys) == Set(75..<100))
    level.trim(keeping: -1)
    #expect(level.count == 0)
    let evicted = events.all.count {
      if case .evicted(_, .memoryPressure) = $0 { true } else { false }
    }
    #expect(evicted == 100)
  }
}

@Suite struct MemoryLevelExpiryTests {
  private let time = ManualTime()

  private func level(_ expiry: CacheExpiry, countLimit: Int? = nil) -> MemoryLevel<String, Int> {
    MemoryLevel(countLimit: countLimit, expiry: expiry, clock: time.clock)
  }

  @Test func `an entry is a miss from its deadline on`() {
    let level = level(.seconds(1))
    level["a"] = 1
    time.advance(by: .milliseconds(999))
    #expect(level["a"] == 1)
    time.advance(by: .milliseconds(1))
    #expect(level["a"] == nil)
  }

  @Test func `expired entries are in no count, cost or key list`() {
    let level = level(.seconds(1))
    level.set(1, forKey: "a", cost: 5)
    level.set(2, forKey: "b", cost: 7, expiry: .never)
    time.advance(by: .seconds(2))
    #expect(level.count == 1)
    #expect(level.totalCost == 7)
    #expect(level.keys == ["b"])
  }

  @Test(arguments: [CacheExpiry.seconds(0), .seconds(-5), .seconds(.nan), .at(.distantPast)])
  func `a time that is over at once is a miss, and removes what was there`(expiry: CacheExpiry) {
    let level = level(.never)
    level["a"] = 1
    level.set(2, forKey: "a", expiry: expiry)
    #expect(level["a"] == nil)
    #expect(level.count == 0)
  }

  @Test(arguments: [
    CacheExpiry.seconds(1e300), .days(.infinity), .after(.seconds(Int64.max)), .at(.distantFuture),
    .sliding(.seconds(Int64.max)), .at(Date(timeIntervalSince1970: 1e300)),
  ])
  func `a huge time does not overflow`(expiry: CacheExpiry) {
    let level = level(expiry)
    level["a"] = 1
    time.advance(by: .seconds(1_000_000))
    #expect(level["a"] == 1)
    #expect(level["a"] == 1)
  }

  @Test func `a sliding entry lives while it is read`() {
    let level = level(.sliding(.seconds(10)))
    level["a"] = 1
    for _ in 0..<5 {
      time.advance(by: .seconds(9))
      #expect(level["a"] == 1)
    }
    time.advance(by: .seconds(10))
    #expect(level["a"] == nil)
  }

  @Test func `reading does not slide an entry beyond the deadline it came with`() {
    let level = level(.sliding(.seconds(10)))
    let deadline = time.clock.monotonic().advanced(by: .seconds(15))
    level.setEntry(CacheEntry(1, deadline: deadline), forKey: "a")
    time.advance(by: .seconds(9))
    #expect(level["a"] == 1)
    time.advance(by: .seconds(5))
    #expect(level["a"] == 1)
    time.advance(by: .seconds(1))
    #expect(level["a"] == nil)
  }

  @Test func `the wall clock set back or forth does not touch what is in memory`() {
    let level = level(.seconds(10))
    level["a"] = 1
    time.setWall(by: -1_000_000)
    time.advance(by: .seconds(9))
    #expect(level["a"] == 1)
    time.setWall(by: 2_000_000)
    #expect(level["a"] == 1)
    time.advance(by: .seconds(1))
    #expect(level["a"] == nil)
  }

  @Test func `an expiry at a date ends there`() {
    let level = level(.at(time.clock.wall() + 5))
    level["a"] = 1
    time.advance(by: .seconds(4))
    #expect(level["a"] == 1)
    time.advance(by: .seconds(1))
    #expect(level["a"] == nil)
  }

  @Test func `an expired entry makes room before a living one`() {
    let level = level(.never, countLimit: 3)
    level["a"] = 1
    level["b"] = 2
    level.set(3, forKey: "c", expiry: .seconds(1))
    time.advance(by: .seconds(2))
    level["d"] = 4
    #expect(Set(level.keys) == ["a", "b", "d"])
  }

  @Test func `removeExpired frees what is over and tells it`() {
    let events = Collected<CacheEvent<String>>()
    let level = MemoryLevel<String, Int>(
      expiry: .seconds(1), clock: time.clock, onEvent: { events.add($0) })
    level["a"] = 1
    time.advance(by: .seconds(1))
    level.removeExpired()
    level.removeExpired()
    #expect(events.all.count { if case .expired("a") = $0 { true } else { false } } == 1)
    #expect(level.statistics.expirations == 1)
  }

  @Test func `removeExpired beside a hundred readers and writers ends`() {
    let level = MemoryLevel<Int, Int>(countLimit: 500, expiry: .seconds(0.000_1))
    DispatchQueue.concurrentPerform(iterations: 100) { thread in
      for step in 0..<200 {
        level[step] = thread
        _ = level[step &* 3]
        if thread % 10 == 0 { level.removeExpired() }
      }
    }
    #expect(level.count <= 500)
  }
}
