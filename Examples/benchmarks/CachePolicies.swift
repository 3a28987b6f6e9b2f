import Foundation

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

/// An eviction policy reduced to what a hit ratio needs: asked for a key, it says whether it had it,
/// and has it afterwards if it cares to.
protocol TracedPolicy: AnyObject {
  init(capacity: Int)
  func access(_ key: Int) -> Bool
}

/// The keys in order of last use or of coming; O(1) by a linked list in two arrays.
struct KeyList {
  private var next: [Int: Int] = [:]
  private var previous: [Int: Int] = [:]
  private(set) var newest: Int?
  private(set) var oldest: Int?
  private var members: Set<Int> = []

  var count: Int { members.count }
  func contains(_ key: Int) -> Bool { members.contains(key) }
  func newer(than key: Int) -> Int? { previous[key] }

  mutating func pushNewest(_ key: Int) {
    members.insert(key)
    if let newest {
      next[key] = newest
      previous[newest] = key
    } else {
      oldest = key
    }
    newest = key
  }

  mutating func remove(_ key: Int) {
    guard members.remove(key) != nil else { return }
    let after = next.removeValue(forKey: key)
    let before = previous.removeValue(forKey: key)
    if let before { next[before] = after } else { newest = after }
    if let after { previous[after] = before } else { oldest = before }
  }

  mutating func popOldest() -> Int? {
    guard let key = oldest else { return nil }
    remove(key)
    return key
  }
}

/// Least recently used.
final class TracedLRU: TracedPolicy {
  private let capacity: Int
  private var list = KeyList()
  init(capacity: Int) { self.capacity = capacity }

  func access(_ key: Int) -> Bool {
    let hit = list.contains(key)
    if hit { list.remove(key) } else if list.count == capacity { _ = list.popOldest() }
    list.pushNewest(key)
    return hit
  }
}

/// SIEVE (Zhang et al., NSDI 2024): a hit sets a bit; a hand walks from the oldest and takes the
/// first without.
final class TracedSIEVE: TracedPolicy {
  private let capacity: Int
  private var list = KeyList()
  private var visited: Set<Int> = []
  private var hand: Int?
  init(capacity: Int) { self.capacity = capacity }

  func access(_ key: Int) -> Bool {
    if list.contains(key) {
      visited.insert(key)
      return true
    }
    if list.count == capacity {
      var candidate = hand ?? list.oldest
      while let current = candidate, visited.remove(current) != nil {
        candidate = list.newer(than: current) ?? list.oldest
      }
      if let current = candidate {
        hand = list.newer(than: current)
        list.remove(current)
      }
    }
    list.pushNewest(key)
    return false
  }
}

/// S3-FIFO (Yang et al., SOSP 2023): a small queue for newcomers, a main queue, and the names of
/// those that left the small one.
final class TracedS3FIFO: TracedPolicy {
  private let capacity: Int
  private let smallCapacity: Int
  private var small = KeyList()
  private var main = KeyList()
  private var ghosts = KeyList()
  private var frequency: [Int: Int] = [:]
  init(capacity: Int) {
    self.capacity = capacity
    smallCapacity = max(1, capacity / 10)
  }

  func access(_ key: Int) -> Bool {
    if frequency[key] != nil {
      frequency[key] = min(3, frequency[key, default: 0] + 1)
      return true
    }
    while small.count + main.count >= capacity { evict() }
    if ghosts.contains(key) {
      ghosts.remove(key)
      main.pushNewest(key)
    } else {
      small.pushNewest(key)
    }
    frequency[key] = 0
    return false
  }

  private func evict() {
    if small.count >= smallCapacity || main.count == 0 {
      while let key = small.popOldest() {
        if frequency[key, default: 0] > 1 {
          main.pushNewest(key)
          frequency[key] = 0
          if main.count > capacity - smallCapacity { return evictMain() }
        } else {
          frequency[key] = nil
          ghosts.pushNewest(key)
          if ghosts.count > capacity { _ = ghosts.popOldest() }
          return
        }
      }
    } else {
      evictMain()
    }
  }

  private func evictMain() {
    while let key = main.popOldest() {
      let uses = frequency[key, default: 0]
      guard uses > 0 else {
        frequency[key] = nil
        return
      }
      frequency[key] = uses - 1
      main.pushNewest(key)
    }
  }
}

/// W-TinyLFU (Einziger et al., ACM ToS 2017; as in Caffeine): a window in order of use, and a main
/// part into which its victim comes only by having been asked for more often than the other's. The
/// window's share is fixed, or climbs to where hits are more.
class TracedTinyLFU: TracedPolicy {
  private let capacity: Int
  private var window = KeyList()
  private var probation = KeyList()
  private var protected = KeyList()
  private var sketch: FrequencySketch
  private var windowCapacity: Int
  private let climbs: Bool
  private var hits = 0
  private var asked = 0
  private var lastRatio = 0.0
  private var step: Double

  init(capacity: Int, share: Double, climbs: Bool) {
    self.capacity = capacity
    self.climbs = climbs
    windowCapacity = max(1, Int(Double(capacity) * share))
    step = -0.0625 * Double(capacity)
    sketch = FrequencySketch(capacity: capacity)
  }
  required convenience init(capacity: Int) {
    self.init(capacity: capacity, share: 0.01, climbs: false)
  }

  func access(_ key: Int) -> Bool {
    sketch.add(key)
    asked += 1
    defer { climb() }
    if window.contains(key) {
      window.remove(key)
      window.pushNewest(key)
    } else if protected.contains(key) {
      protected.remove(key)
      protected.pushNewest(key)
    } else if probation.contains(key) {
      probation.remove(key)
      protected.pushNewest(key)
      demote()
    } else {
      window.pushNewest(key)
      drain()
      return false
    }
    hits += 1
    return true
  }

  private func demote() {
    while protected.count > (capacity - windowCapacity) * 4 / 5, let key = protected.popOldest() {
      probation.pushNewest(key)
    }
  }

  private func drain() {
    while window.count > windowCapacity, let candidate = window.popOldest() {
      probation.pushNewest(candidate)
      guard window.count + probation.count + protected.count > capacity else { continue }
      let victim = probation.oldest ?? candidate
      let loser = sketch.count(candidate) > sketch.count(victim) ? victim : candidate
      probation.remove(loser)
    }
    // The window has just grown: what it gains the other part loses.
    while window.count + probation.count + protected.count > capacity {
      if probation.popOldest() == nil, protected.popOldest() == nil { _ = window.popOldest() }
    }
  }

  /// Caffeine's hill climbing: every ten capacities, go on in the same direction if hits rose.
  private func climb() {
    guard climbs, asked >= capacity * 10 else { return }
    let ratio = Double(hits) / Double(asked)
    let change = ratio - lastRatio
    if change < 0 { step = -step }
    if abs(change) >= 0.05 { step = (step < 0 ? -0.0625 : 0.0625) * Double(capacity) }
    windowCapacity = max(1, min(capacity * 4 / 5, windowCapacity + Int(step)))
    step *= 0.98
    lastRatio = ratio
    hits = 0
    asked = 0
    demote()
    while window.count > windowCapacity, let key = window.popOldest() { probation.pushNewest(key) }
  }
}

final class TracedAdaptiveTinyLFU: TracedTinyLFU {
  required convenience init(capacity: Int) {
    self.init(capacity: capacity, share: 0.01, climbs: true)
  }
}

/// Four-bit counts of how often a key was asked for, halved every ten capacities.
struct FrequencySketch {
  private var counters: [UInt8]
  private let mask: Int
  private var additions = 0
  private let limit: Int

  init(capacity: Int) {
    var size = 64
    while size < capacity * 8 { size *= 2 }
    counters = Array(repeating: 0, count: size)
    mask = size - 1
    limit = capacity * 10
  }

  private func slots(_ key: Int) -> [Int] {
    var random = TraceRandom(seed: UInt64(bitPattern: Int64(key)))
    let mixed = random.next()
    return (0..<4).map { Int(truncatingIfNeeded: mixed >> (UInt64($0) * 16) ^ mixed >> 40) & mask }
  }

  mutating func add(_ key: Int) {
    for slot in slots(key) where counters[slot] < 15 { counters[slot] += 1 }
    additions += 1
    guard additions >= limit else { return }
    additions /= 2
    for slot in counters.indices { counters[slot] >>= 1 }
  }

  func count(_ key: Int) -> UInt8 { slots(key).map { counters[$0] }.min() ?? 0 }
}

/// What no policy can beat: throws out the key that is asked for last of all (Belady 1966).
func optimalHits(_ keys: [Int], capacity: Int) -> Int {
  var following = Array(repeating: Int.max, count: keys.count)
  var last: [Int: Int] = [:]
  for position in keys.indices.reversed() {
    following[position] = last[keys[position]] ?? Int.max
    last[keys[position]] = position
  }
  var nextUse: [Int: Int] = [:]
  // A heap of (next use, key), furthest first; stale pairs are skipped when they come up.
  var heap: [(use: Int, key: Int)] = []
  func push(_ pair: (use: Int, key: Int)) {
    heap.append(pair)
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2].use < heap[child].use {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }
  func pop() -> (use: Int, key: Int)? {
    guard let top = heap.first else { return nil }
    let end = heap.removeLast()
    guard !heap.isEmpty else { return top }
    heap[0] = end
    var parent = 0
    while true {
      var largest = parent
      for child in [parent * 2 + 1, parent * 2 + 2]
      where child < heap.count && heap[child].use > heap[largest].use { largest = child }
      guard largest != parent else { return top }
      heap.swapAt(parent, largest)
      parent = largest
    }
  }
  var hits = 0
  for (position, key) in keys.enumerated() {
    if nextUse[key] != nil {
      hits += 1
    } else if nextUse.count == capacity {
      while let worst = pop() {
        guard nextUse[worst.key] == worst.use else { continue }
        nextUse[worst.key] = nil
        break
      }
    }
    nextUse[key] = following[position]
    push((following[position], key))
  }
  return hits
}
