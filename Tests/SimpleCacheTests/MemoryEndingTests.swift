import CacheTestSupport
import SimpleCache
import Testing

/// What values do when they leave a level in memory.
@Suite struct MemoryEndingTests {
  /// A mutex that its owner takes again ends the process, or never comes back.
  @Test func `a value may use the level when it ends, however it has to go`() {
    let level = MemoryLevel<Int, Lingering>(countLimit: 1_500, costLimit: 100_000)
    let ended = Collected<Int>()
    func value(_ number: Int) -> Lingering {
      Lingering { [weak level] in
        _ = level?[number]
        level?.remove(-1)
        ended.add(number)
      }
    }
    level[1] = value(1)
    level[1] = value(2)
    #expect(ended.all == [1])
    level.remove(1)
    #expect(ended.all == [1, 2])
    level.set(value(3), forKey: 3, cost: 60_000)
    level.set(value(4), forKey: 3, cost: 100_000)
    level.set(value(5), forKey: 5, cost: 100_000)
    #expect(ended.all == [1, 2, 3, 4])
    level.removeAll()
    #expect(ended.all == [1, 2, 3, 4, 5])
    for number in 0..<2_000 { level[number] = value(number) }
    level.trim(keeping: 0.5)
    level.removeAll()
    #expect(ended.all.count == 2_005)
    level.set(value(6), forKey: 6, cost: 100_001)
    #expect(ended.all.last == 6)
  }

  @Test func `a value may use the level when it ends because its time is over`() {
    let time = ManualTime()
    let level = MemoryLevel<Int, Lingering>(
      countLimit: 10, expiry: .seconds(1), clock: time.clock)
    let ended = Collected<Int>()
    for number in 0..<10 {
      level[number] = Lingering { [weak level] in
        _ = level?[number]
        ended.add(number)
      }
    }
    time.advance(by: .seconds(2))
    #expect(level[0] == nil)
    #expect(ended.all == [0])
    level.set(Lingering {}, forKey: 10)
    level.removeExpired()
    #expect(Set(ended.all) == Set(0..<10))
    #expect(level.count == 1)
    #expect(level.statistics.expirations == 10)
  }
}

/// A value that does something when it ends.
private final class Lingering: Sendable {
  private let end: @Sendable () -> Void
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}
