import Foundation
import SimpleCache
import Synchronization

/// Everything about caches: the price of a call, and the hit ratios of the eviction orders.
func cacheBenchmarks(_ bench: Bench) async -> [Row] {
  memoryLevelPrices()
  await composedPrices()
  hitRatios()
  return []
}

/// Nanoseconds per call of the memory level and of what else there is, interleaved: each round runs
/// all of them, and the median round counts.
func memoryLevelPrices() {
  let entries = 10_000
  let keys = (0..<entries).map { "key-\($0 &* 7_919)" }
  let bridged = keys.map { $0 as NSString }
  let values = (0..<entries).map { CacheBox($0) }
  var random = TraceRandom(seed: 9)
  let order = (0..<200_000).map { _ in Int(random.next() % UInt64(entries)) }

  let texts = MemoryLevel<String, CacheBox>()
  let numbers = MemoryLevel<Int, Int>()
  let limited = MemoryLevel<String, CacheBox>(countLimit: entries)
  let limitedNumbers = MemoryLevel<Int, Int>(countLimit: entries)
  let foundation = NSCache<NSString, CacheBox>()
  let dictionary = Mutex<[String: CacheBox]>([:])
  for position in 0..<entries {
    texts[keys[position]] = values[position]
    limited[keys[position]] = values[position]
    numbers[position] = position
    limitedNumbers[position] = position
    foundation.setObject(values[position], forKey: bridged[position])
    dictionary.withLock { $0[keys[position]] = values[position] }
  }
  let fresh = (0..<400_000).map { "new-\($0 &* 7_919)" }
  var freshNumber = 1_000_000
  var freshText = 0

  let both = { (body: @escaping @Sendable (Int) -> Void) in
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for position in order[(thread * order.count / 2)..<((thread + 1) * order.count / 2)] {
        body(position)
      }
    }
  }
  let cases: [(String, Int, () -> Void)] = [
    ("get, String key", order.count, { for i in order { keep(texts[keys[i]]) } }),
    ("get, String key, count limit", order.count, { for i in order { keep(limited[keys[i]]) } }),
    ("get, Int key", order.count, { for i in order { keep(numbers[i]) } }),
    ("get, String key, two threads", order.count, { both { keep(texts[keys[$0]]) } }),
    ("get, Int key, two threads", order.count, { both { keep(numbers[$0]) } }),
    (
      "get, Dictionary behind Mutex", order.count,
      {
        for i in order { keep(dictionary.withLock { $0[keys[i]] }) }
      }
    ),
    (
      "get, NSCache", order.count,
      { for i in order { keep(foundation.object(forKey: bridged[i])) } }
    ),
    (
      "set over existing, String key", order.count,
      { for i in order { texts[keys[i]] = values[i] } }
    ),
    (
      "set with eviction, String key", 20_000,
      {
        for _ in 0..<20_000 {
          limited[fresh[freshText % fresh.count]] = values[freshText % entries]
          freshText += 1
        }
      }
    ),
    ("refill", entries, { for i in 0..<entries { limited[keys[i]] = values[i] } }),
    (
      "set with eviction, Int key", 20_000,
      {
        for _ in 0..<20_000 {
          limitedNumbers[freshNumber] = freshNumber
          freshNumber += 1
        }
      }
    ),
  ]
  var results = Array(repeating: [Double](), count: cases.count)
  for _ in 0..<9 {
    for (number, (_, calls, body)) in cases.enumerated() {
      let clock = ContinuousClock()
      let taken = clock.measure(body)
      results[number].append(taken / .nanoseconds(1) / Double(calls))
    }
  }
  for (number, (name, _, _)) in cases.enumerated() where name != "refill" {
    let median = results[number].sorted()[results[number].count / 2]
    print(
      name.padding(toLength: 34, withPad: " ", startingAt: 0), String(format: "%7.1f ns", median))
  }
}

/// A value that is an object, as pictures are.
final class CacheBox: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Keeps the optimiser from dropping a result.
@inline(never)
func keep<Value>(_ value: Value) {}

/// What `await` and three composed levels add to a hit in memory, interleaved.
func composedPrices() async {
  let entries = 10_000
  let memory = MemoryLevel<Int, Int>(countLimit: entries)
  for number in 0..<entries { memory[number] = number }
  let nothing = ClosureSource<Int, Int> { _ in nil }
  let composed = memory.compose(MemoryLevel<Int, Int>()).compose(nothing)
  let pooled = composed.pooled()
  var random = TraceRandom(seed: 9)
  let order = (0..<200_000).map { _ in Int(random.next() % UInt64(entries)) }
  let clock = ContinuousClock()
  var results: [String: [Double]] = [:]
  for _ in 0..<9 {
    let plain = clock.measure { for i in order { keep(memory.get(i)) } }
    results["hit, plain call", default: []].append(plain / .nanoseconds(1))
    do {
      let three = try await clock.measure { for i in order { keep(try await composed.get(i)) } }
      results["hit, three composed levels", default: []].append(three / .nanoseconds(1))
      let shared = try await clock.measure { for i in order { keep(try await pooled.get(i)) } }
      results["hit, composed and pooled", default: []].append(shared / .nanoseconds(1))
    } catch {
      print("a level failed: \(error)")
    }
  }
  for (name, times) in results.sorted(by: { $0.key < $1.key }) {
    let median = times.sorted()[times.count / 2] / Double(order.count)
    print(
      name.padding(toLength: 34, withPad: " ", startingAt: 0), String(format: "%7.1f ns", median))
  }
}
