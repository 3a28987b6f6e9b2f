/// Sequences of keys on which eviction policies are compared, made from a seed so that every run
/// sees the same.
struct CacheTrace {
  let name: String
  let keys: [Int]

  /// The traces of the table, for a cache of `capacity` entries.
  static func all(capacity: Int, length: Int) -> [CacheTrace] {
    [
      zipf(exponent: 0.7, distinct: capacity * 20, length: length),
      zipf(exponent: 0.9, distinct: capacity * 20, length: length),
      zipf(exponent: 1.1, distinct: capacity * 20, length: length),
      loop(over: capacity * 5 / 4, length: length),
      loop(over: capacity * 2, length: length),
      scanMixed(capacity: capacity, length: length),
      shifting(capacity: capacity, length: length),
      recent(capacity: capacity, length: length),
      phases(capacity: capacity, length: length),
    ]
  }

  /// Popularity falls with the rank's power, as for pages and pictures.
  static func zipf(exponent: Double, distinct: Int, length: Int) -> CacheTrace {
    var random = TraceRandom(seed: 1)
    let ranks = ZipfRanks(exponent: exponent, distinct: distinct)
    return CacheTrace(
      name: "Zipf \(exponent)", keys: (0..<length).map { _ in ranks.next(&random) })
  }

  /// The same keys again and again, more of them than fit.
  static func loop(over distinct: Int, length: Int) -> CacheTrace {
    CacheTrace(name: "loop of \(distinct)", keys: (0..<length).map { $0 % distinct })
  }

  /// Popular keys, and every so often a run over keys that never come back.
  static func scanMixed(capacity: Int, length: Int) -> CacheTrace {
    var random = TraceRandom(seed: 2)
    let ranks = ZipfRanks(exponent: 0.9, distinct: capacity * 10)
    var keys: [Int] = []
    var fresh = 1 << 40
    while keys.count < length {
      for _ in 0..<(capacity * 4) { keys.append(ranks.next(&random)) }
      for _ in 0..<(capacity * 2) {
        keys.append(fresh)
        fresh += 1
      }
    }
    return CacheTrace(name: "Zipf 0.9 with scans", keys: Array(keys.prefix(length)))
  }

  /// Popular keys that are others after a while.
  static func shifting(capacity: Int, length: Int) -> CacheTrace {
    var random = TraceRandom(seed: 3)
    let ranks = ZipfRanks(exponent: 0.9, distinct: capacity * 10)
    let keys = (0..<length).map { position in
      ranks.next(&random) + position / (capacity * 10) * capacity * 3
    }
    return CacheTrace(name: "shifting Zipf 0.9", keys: keys)
  }

  /// A window of interest that moves on steadily: what LRU is made for.
  static func recent(capacity: Int, length: Int) -> CacheTrace {
    var random = TraceRandom(seed: 4)
    let keys = (0..<length).map { position in
      // Mostly close to the newest key, ever fewer further back.
      let distance = Int(Double(capacity) * 1.5 * random.unit() * random.unit())
      return position / 4 - distance + capacity * 2
    }
    return CacheTrace(name: "moving window", keys: keys)
  }

  /// Loops, popular keys and moving windows in turn.
  static func phases(capacity: Int, length: Int) -> CacheTrace {
    let part = length / 6
    let base = 1 << 30
    var keys: [Int] = []
    let parts = [
      zipf(exponent: 0.9, distinct: capacity * 10, length: part),
      recent(capacity: capacity, length: part), loop(over: capacity * 3 / 2, length: part),
    ]
    for round in 0..<6 { keys += parts[round % 3].keys.map { $0 + (round + 1) * base } }
    return CacheTrace(name: "phases in turn", keys: keys)
  }
}

/// SplitMix64: the same numbers on every machine.
struct TraceRandom {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// From 0 to below 1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}

/// Ranks from 0 with probability in proportion to `1 / (rank + 1) ^ exponent`.
struct ZipfRanks {
  private let cumulative: [Double]

  init(exponent: Double, distinct: Int) {
    var sum = 0.0
    cumulative = (1...distinct).map { rank in
      sum += power(Double(rank), -exponent)
      return sum
    }
  }

  func next(_ random: inout TraceRandom) -> Int {
    let target = random.unit() * cumulative[cumulative.count - 1]
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] < target { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
