import Foundation
import SimpleCache

/// Hit ratios of the memory level against plain LRU; a table shows, in percent, what other orders
/// and the best possible one would have had.
func hitRatioRows(_ bench: Bench) -> [Row] {
  var rows: [Row] = []
  for capacity in [100, 1_000] {
    let columns = ["LRU", "SIEVE", "S3-FIFO", "W-TinyLFU", "adaptive", "ours", "optimum"]
    say("hits in percent, with room for \(capacity)")
    say(line("", columns))
    for trace in CacheTrace.all(capacity: capacity, length: capacity * (bench.isQuick ? 100 : 300))
    {
      var hits = [
        TracedLRU(capacity: capacity) as any TracedPolicy, TracedSIEVE(capacity: capacity),
        TracedS3FIFO(capacity: capacity), TracedTinyLFU(capacity: capacity),
        TracedAdaptiveTinyLFU(capacity: capacity), TracedMemoryLevel(capacity: capacity),
      ].map { policy in trace.keys.count { policy.access($0) } }
      hits.append(optimalHits(trace.keys, capacity: capacity))
      let percent = hits.map {
        String(format: "%.1f", Double($0) / Double(trace.keys.count) * 100)
      }
      say(line(trace.name, percent))
      // A trace on which LRU has no hit at all counts as if it had one.
      let ratio = Double(hits[5]) / Double(max(1, hits[0]))
      rows.append(
        Row(
          "\(trace.name), room for \(capacity)", against: "LRU", Spread([ratio]), .timesTheHits,
          goal: .atLeast(0.995)))
    }
    say("")
  }
  return rows
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
