import Foundation
import SimpleCache

/// What `await` and three composed levels add to a hit in memory.
func composedRows(_ bench: Bench) async throws -> [Row] {
  let subjects = CacheSubjects()
  let memory = subjects.numbers(countLimit: CacheSubjects.count)
  let nothing = ClosureSource<Int, Int> { _ in nil }
  let composed = memory.compose(MemoryLevel<Int, Int>()).compose(nothing)
  let pooled = composed.pooled()
  let order = subjects.order.prefix(20_000).map { Int($0) }
  let clock = ContinuousClock()
  var (three, shared): ([Double], [Double]) = ([], [])
  for _ in 0..<(bench.isQuick ? 21 : 201) {
    try Interruption.check()
    let plain = clock.measure { for number in order { keep(memory.get(number)) } }
    let composedTime = try await clock.measure {
      for number in order { keep(try await composed.get(number)) }
    }
    let pooledTime = try await clock.measure {
      for number in order { keep(try await pooled.get(number)) }
    }
    three.append(composedTime / plain)
    shared.append(pooledTime / plain)
  }
  return [
    Row(
      "hit in memory, await, three composed levels", against: "the plain call", Spread(three),
      goal: .atMost(2)),
    Row("the same, pooled", against: "the plain call", Spread(shared)),
  ]
}
