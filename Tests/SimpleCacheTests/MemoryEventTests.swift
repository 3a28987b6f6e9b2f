import CacheTestSupport
import Foundation
import SimpleCache
import Testing

@Suite struct MemoryLevelEventTests {
  @Test func `hits, misses, sets and evictions are told, after the locks`() {
    let told = Collected<String>()
    let level = MemoryLevel<String, Int>(
      countLimit: 1,
      onEvent: { event in
        switch event {
        case .hit(let key): told.add("hit \(key)")
        case .miss(let key): told.add("miss \(key)")
        case .set(let key): told.add("set \(key)")
        case .evicted(let key, let reason): told.add("evicted \(key) \(reason)")
        case .expired(let key): told.add("expired \(key)")
        case .failed: told.add("failed")
        }
      })
    _ = level["a"]
    level["a"] = 1
    _ = level["a"]
    level["b"] = 2
    #expect(told.all == ["miss a", "set a", "hit a", "evicted a countLimit", "set b"])
  }

  @Test func `a handler may use the level`() {
    let box = Collected<MemoryLevel<Int, Int>>()
    let level = MemoryLevel<Int, Int>(
      countLimit: 10,
      onEvent: { event in
        if case .evicted(let key, _) = event { box.all.first?.remove(key + 1) }
      })
    box.add(level)
    for number in 0..<20 { level[number] = number }
    #expect(level.count <= 10)
  }

  @Test func `statistics count what happened`() {
    let level = MemoryLevel<Int, Int>(countLimit: 2)
    for number in 0..<3 { level[number] = number }
    _ = level[0]
    _ = level[2]
    let counts = level.statistics
    #expect(counts.sets == 3 && counts.evictions == 1 && counts.hits == 1 && counts.misses == 1)
    #expect(counts.hitRatio == 0.5)
  }
}
