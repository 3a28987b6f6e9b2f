import Foundation
import SimpleCache

/// Hit ratios, in percent, of the memory level and of the orders it could have used, on each trace.
func hitRatios() {
  for capacity in [100, 1_000] {
    let columns = ["LRU", "SIEVE", "S3-FIFO", "W-TinyLFU", "adaptive", "ours", "optimum"]
    print("\nhit ratios with room for \(capacity)")
    print(line("", columns))
    for trace in CacheTrace.all(capacity: capacity, length: capacity * 300) {
      var hits = [
        TracedLRU(capacity: capacity) as any TracedPolicy, TracedSIEVE(capacity: capacity),
        TracedS3FIFO(capacity: capacity), TracedTinyLFU(capacity: capacity),
        TracedAdaptiveTinyLFU(capacity: capacity), TracedMemoryLevel(capacity: capacity),
      ].map { policy in trace.keys.count { policy.access($0) } }
      hits.append(optimalHits(trace.keys, capacity: capacity))
      let percent = hits.map {
        String(format: "%.1f", Double($0) / Double(trace.keys.count) * 100)
      }
      print(line(trace.name, percent))
    }
  }
}

/// The level itself, used as it is meant: read, and set what was missing.
final class TracedMemoryLevel: TracedPolicy {
  private let level: MemoryLevel<Int, Int>
  init(capacity: Int) { level = MemoryLevel(countLimit: capacity) }

  func access(_ key: Int) -> Bool {
    if level[key] != nil { return true }
    level[key] = key
    return false
  }
}

private func line(_ name: String, _ columns: [String]) -> String {
  ([name.padding(toLength: 22, withPad: " ", startingAt: 0)]
    + columns.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 })
    .joined()
}
