import Observation
import SimpleStore
import Synchronization

/// Telling of changes, and reads that are tracked.
func observationBenchmarks(_ bench: Bench) throws -> [Row] {
  try notifyRows(bench) + trackedReadRows(bench)
}

/// What a save does for observers, when there are none; and a save into memory, which is nothing
/// but the store's own work, with and without them.
private func notifyRows(_ bench: Bench) throws -> [Row] {
  let plain = SimpleStore<SmallItem>(.memory)
  let unobserved: Measure.Body = { count in
    for age in 0..<count { plain.age = age }
  }
  let nobody = Row(
    "0 observers, of a save", against: "calls of nothing",
    Spread(
      try bench.measure.pairs(
        { plain.tellWhoListens(times: $0) }, { for _ in 0..<$0 { blackHole(()) } }
      ).map { $0 - $1 }), .nanoseconds, goal: .atMost(5))
  return try [nobody]
    + [1, 100].map { count in
      let store = SimpleStore<SmallItem>(.memory)
      let observations = (0..<count).map { _ in store.observe(\.age) { _, new in blackHole(new) } }
      let row = Row(
        "a save with \(count) observers", against: "a save without observers",
        try bench.measure.ratio(
          { count in for age in 0..<count { store.age = age } }, to: unobserved))
      withExtendedLifetime(observations) {}
      return row
    }
}

private func trackedReadRows(_ bench: Bench) throws -> [Row] {
  let store = SimpleStore<SmallItem>(.memory)
  let locked = Mutex(42)
  let lockedInteger: Measure.Body = { count in
    for _ in 0..<count { blackHole(locked.withLock { $0 }) }
  }
  return [
    Row(
      "store.age, not tracked", against: "an Int behind a Mutex",
      try bench.measure.ratio({ for _ in 0..<$0 { blackHole(store.age) } }, to: lockedInteger),
      goal: .atMost(3)),
    Row(
      "store.age, tracked", against: "an Int behind a Mutex",
      try bench.measure.ratio(
        { count in
          withObservationTracking {
            for _ in 0..<count { blackHole(store.age) }
          } onChange: {
          }
        }, to: lockedInteger)),
  ]
}
