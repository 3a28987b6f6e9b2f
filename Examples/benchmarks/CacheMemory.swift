import Foundation
import SimpleCache
import Synchronization

/// Everything about caches in memory: the price of a call, and the hit ratios of the eviction orders.
func cacheBenchmarks(_ bench: Bench) async throws -> [Row] {
  let subjects = CacheSubjects()
  return try readRows(bench, subjects) + writeRows(bench, subjects)
    + (try await composedRows(bench)) + hitRatioRows(bench)
}

/// Ten thousand entries, and an order in which to ask for them.
struct CacheSubjects {
  static let count = 10_000

  /// Of up to 14 bytes, which a `String` holds in itself.
  let keys = (0..<count).map { inlineText("key-\($0 &* 7_919)") }
  /// Too long for that: each is an object, whose bytes have to be fetched and references counted.
  let addresses = (0..<count).map { "https://example.com/pictures/\($0 &* 7_919)" }
  let values = (0..<count).map { CacheBox($0) }
  /// Forty times as many as there is room for, so that each is gone when it comes again.
  let newKeys = (0..<400_000).map { inlineText("new-\($0 &* 7_919)") }
  /// Random, and long enough that the processor cannot learn it; small numbers, so that the order
  /// does not push the entries out of the processor's caches.
  let order: [UInt16]

  init() {
    var random = TraceRandom(seed: 9)
    order = (0..<100_000).map { _ in UInt16(random.next() % UInt64(Self.count)) }
  }

  func texts(countLimit: Int? = nil) -> MemoryLevel<String, CacheBox> {
    let level = MemoryLevel<String, CacheBox>(countLimit: countLimit)
    for (key, value) in zip(keys, values) { level[key] = value }
    return level
  }

  func pictures() -> MemoryLevel<String, CacheBox> {
    let level = MemoryLevel<String, CacheBox>()
    for (key, value) in zip(addresses, values) { level[key] = value }
    return level
  }

  func numbers(countLimit: Int? = nil) -> MemoryLevel<Int, Int> {
    let level = MemoryLevel<Int, Int>(countLimit: countLimit)
    for number in 0..<Self.count { level[number] = number }
    return level
  }

  func plainTexts(capacity: Int) -> PlainLRU<String, CacheBox> {
    let cache = PlainLRU<String, CacheBox>(capacity: capacity)
    for (key, value) in zip(keys, values) { cache.set(value, forKey: key) }
    return cache
  }

  func plainNumbers(capacity: Int) -> PlainLRU<Int, Int> {
    let cache = PlainLRU<Int, Int>(capacity: capacity)
    for number in 0..<Self.count { cache.set(number, forKey: number) }
    return cache
  }

  /// A body that does something with the entries in their order.
  func inOrder(_ body: @escaping (Int) -> Void) -> Measure.Body {
    var place = 0
    return { [order] times in
      for _ in 0..<times {
        place = place + 1 == order.count ? 0 : place + 1
        body(Int(order[place]))
      }
    }
  }

  /// The same on two threads, each of which does half of it.
  func onTwoThreads(_ body: @escaping @Sendable (Int) -> Void) -> Measure.Body {
    { [order] times in
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        var place = thread * order.count / 2
        for _ in 0..<(times + 1) / 2 {
          place = place + 1 == order.count ? 0 : place + 1
          body(Int(order[place]))
        }
      }
    }
  }
}

/// A short text as it is kept wherever it comes from but an interpolation, which makes an object of it.
private func inlineText(_ text: String) -> String { String(decoding: text.utf8, as: UTF8.self) }

/// A value that is an object, as pictures are.
final class CacheBox: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Keeps the optimiser from dropping a result, at less than the price of `blackHole`.
@inline(never)
func keep<Value>(_ value: Value) {}

private func readRows(_ bench: Bench, _ subjects: CacheSubjects) throws -> [Row] {
  let keys = subjects.keys
  let texts = subjects.texts()
  let numbers = subjects.numbers()
  let limited = subjects.texts(countLimit: CacheSubjects.count)
  let addresses = subjects.addresses
  let pictures = subjects.pictures()
  let dictionary = Mutex(Dictionary(uniqueKeysWithValues: zip(keys, subjects.values)))
  let numberDictionary = Mutex(
    [Int: Int](uniqueKeysWithValues: (0..<CacheSubjects.count).map { ($0, $0) }))
  let foundation = NSCache<NSString, CacheBox>()
  let bridged = keys.map { $0 as NSString }
  for (key, value) in zip(bridged, subjects.values) { foundation.setObject(value, forKey: key) }

  let get = subjects.inOrder { keep(texts[keys[$0]]) }
  let getNumber = subjects.inOrder { keep(numbers[$0]) }
  let textPairs = try bench.measure.pairs(
    get, subjects.inOrder { place in keep(dictionary.withLock { $0[keys[place]] }) })
  let numberPairs = try bench.measure.pairs(
    getNumber, subjects.inOrder { place in keep(numberDictionary.withLock { $0[place] }) })
  let plainTexts = subjects.plainTexts(capacity: CacheSubjects.count)
  let plainNumbers = subjects.plainNumbers(capacity: CacheSubjects.count)
  let limitedPairs = try bench.measure.pairs(
    subjects.inOrder { keep(limited[keys[$0]]) }, get)
  return [
    Row(
      "get, String key, 10,000 entries", against: nil, Spread(textPairs.map(\.0)), .nanoseconds,
      goal: .atMost(45)),
    Row(
      "get, Int key, 10,000 entries", against: nil, Spread(numberPairs.map(\.0)), .nanoseconds,
      goal: .atMost(30)),
    Row(
      "get, String key", against: "a Dictionary behind a Mutex",
      Spread(textPairs.map { $0.0 / $0.1 })),
    Row(
      "get, Int key", against: "a Dictionary behind a Mutex",
      Spread(numberPairs.map { $0.0 / $0.1 })),
    Row(
      "get, String key", against: "a plain LRU behind a Mutex",
      try bench.measure.ratio(get, to: subjects.inOrder { keep(plainTexts.get(keys[$0])) }),
      goal: PlainLRUGoal.getText),
    Row(
      "get, Int key", against: "a plain LRU behind a Mutex",
      try bench.measure.ratio(getNumber, to: subjects.inOrder { keep(plainNumbers.get($0)) }),
      goal: PlainLRUGoal.getNumber),
    Row(
      "get, an address of 37 bytes as key", against: "a text of 12 bytes",
      try bench.measure.ratio(subjects.inOrder { keep(pictures[addresses[$0]]) }, to: get)),
    Row(
      "get, String key, with a count limit", against: "without",
      Spread(limitedPairs.map { $0.0 / $0.1 })),
    Row(
      "get, String key", against: "NSCache",
      try bench.measure.ratio(
        subjects.inOrder { keep(foundation.object(forKey: bridged[$0])) }, to: get),
      .timesAsFast, goal: .atLeast(8)),
    Row(
      "as many gets on two threads, String key", against: "on one",
      try bench.measure.withLongSamples.ratio(
        subjects.onTwoThreads { keep(texts[keys[$0]]) }, to: get),
      goal: .atMost(1)),
    Row(
      "as many gets on two threads, Int key", against: "on one",
      try bench.measure.withLongSamples.ratio(
        subjects.onTwoThreads { keep(numbers[$0]) }, to: getNumber),
      goal: .atMost(1)),
  ]
}

private func writeRows(_ bench: Bench, _ subjects: CacheSubjects) throws -> [Row] {
  let keys = subjects.keys
  let values = subjects.values
  let full = subjects.texts(countLimit: CacheSubjects.count)
  let fullNumbers = subjects.numbers(countLimit: CacheSubjects.count)
  let texts = subjects.texts()
  let dictionary = Mutex(Dictionary(uniqueKeysWithValues: zip(keys, values)))
  let fresh = subjects.newKeys
  let plain = subjects.plainTexts(capacity: CacheSubjects.count)
  let plainNumbers = subjects.plainNumbers(capacity: CacheSubjects.count)
  // Each goes through the new keys on its own.
  func eachNew(_ body: @escaping (String, CacheBox) -> Void) -> Measure.Body {
    var place = 0
    return { times in
      for _ in 0..<times {
        place = place + 1 == fresh.count ? 0 : place + 1
        body(fresh[place], values[place % values.count])
      }
    }
  }
  func eachNewNumber(_ body: @escaping (Int) -> Void) -> Measure.Body {
    var number = CacheSubjects.count
    return { times in
      for _ in 0..<times {
        number += 1
        body(number)
      }
    }
  }
  let evictingTexts = try bench.measure.pairs(
    eachNew { full[$0] = $1 }, eachNew { plain.set($1, forKey: $0) })
  let evictingNumbers = try bench.measure.pairs(
    eachNewNumber { fullNumbers[$0] = $0 }, eachNewNumber { plainNumbers.set($0, forKey: $0) })
  return [
    Row(
      "set with eviction, String key", against: nil, Spread(evictingTexts.map(\.0)), .nanoseconds,
      goal: .atMost(120)),
    Row(
      "set with eviction, Int key", against: nil, Spread(evictingNumbers.map(\.0)), .nanoseconds,
      goal: .atMost(120)),
    Row(
      "set with eviction, String key", against: "a plain LRU behind a Mutex",
      Spread(evictingTexts.map { $0.0 / $0.1 }), goal: PlainLRUGoal.evictText),
    Row(
      "set with eviction, Int key", against: "a plain LRU behind a Mutex",
      Spread(evictingNumbers.map { $0.0 / $0.1 }), goal: PlainLRUGoal.evictNumber),
    Row(
      "set over an old entry, String key", against: "a Dictionary behind a Mutex",
      try bench.measure.ratio(
        subjects.inOrder { texts[keys[$0]] = values[$0] },
        to: subjects.inOrder { place in
          dictionary.withLock { $0[keys[place]] = values[place] }
        })),
  ]
}
