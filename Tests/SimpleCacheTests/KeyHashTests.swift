import Testing

@testable import SimpleCache

@Suite struct KeyHashTests {
  private let hash = KeyHash()

  @Test func `every spelling of a key finds the same entry`() {
    let level = MemoryLevel<String, Int>()
    let pairs = [
      ("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"),
      ("5 K; a long key that is ASCII", "5 \u{212A}\u{37E} a long key that is ASCII"),
      ("\u{C5}", "\u{212B}"),
    ]
    for (one, other) in pairs {
      #expect(one == other)
      level[one] = 1
      #expect(level[other] == 1)
      level.remove(other)
      #expect(level[one] == nil)
    }
  }

  @Test func `no other character is equal to one in ASCII`() {
    let ascii = (0..<128).map { String(Character(Unicode.Scalar(UInt8($0)))) }
    var found: [UInt32] = []
    for number in UInt32(128)...0x10FFFF {
      guard let scalar = Unicode.Scalar(number), scalar.properties.isFullCompositionExclusion
      else { continue }
      if ascii.contains(String(Character(scalar))) { found.append(number) }
    }
    #expect(found == [0x037E, 0x1FEF, 0x212A])
  }

  @Test func `keys of every length have hashes of their own`() {
    var seen: Set<UInt64> = []
    for length in 0..<100 {
      let zeros = String(repeating: "0", count: length)
      #expect(seen.insert(hash.of(zeros)).inserted)
      for position in 0..<length {
        var text = Array(zeros.utf8)
        text[position] = UInt8(ascii: "1")
        #expect(seen.insert(hash.of(String(decoding: text, as: UTF8.self))).inserted)
      }
    }
  }

  @Test func `numbers in sequence spread evenly over groups and places`() {
    var groups = [Int](repeating: 0, count: 16)
    var places = [Int](repeating: 0, count: 64)
    for number in 0..<16_000 {
      let value = hash.of(number)
      groups[Int(truncatingIfNeeded: value >> 32) & 15] += 1
      places[Int(truncatingIfNeeded: value) & 63] += 1
    }
    #expect(groups.allSatisfy { (700...1_300).contains($0) })
    #expect(places.allSatisfy { (150...350).contains($0) })
  }

  @Test func `strings bridged or sliced from others are the same keys`() {
    let level = MemoryLevel<String, Int>()
    level["a key of more than fifteen bytes"] = 7
    let sliced = String("xx a key of more than fifteen bytes".dropFirst(3))
    #expect(level[sliced] == 7)
  }
}

@Suite struct SlotIndexTests {
  @Test func `entries are found, and only they, whatever is added and removed`() {
    var table = EntryTable<Int, Int>()
    var model: [Int: Int] = [:]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<30_000 {
      let key = Int.random(in: 0..<300, using: &random)
      // Few different hashes, so that searches run into one another.
      let hash = UInt64(key % 37) &* 0x0101_0101
      if let slot = table.find(key, hash: hash) {
        #expect(model[key] != nil)
        if Bool.random() {
          _ = table.remove(slot)
          model[key] = nil
        }
      } else {
        #expect(model[key] == nil)
        table.insert(key, forKey: key, hash: hash, cost: 0, times: .never, rule: .leastRecent)
        model[key] = key
      }
    }
    #expect(table.count == model.count)
    #expect(Set(table.keys) == Set(model.keys))
  }
}

@Suite struct EvictionRuleTests {
  /// The share of hits on a sequence of keys, reading each and setting what is missing.
  private func hits(_ keys: [Int], room: Int) -> Double {
    let level = MemoryLevel<Int, Int>(countLimit: room)
    let hits = keys.count { key in
      if level[key] != nil { return true }
      level[key] = key
      return false
    }
    return Double(hits) / Double(keys.count)
  }

  @Test func `a loop somewhat longer than the cache is mostly hits after a while`() {
    // Exact LRU has none at all.
    #expect(hits((0..<60_000).map { $0 % 250 }, room: 200) > 0.6)
  }

  @Test func `a scan does not empty the cache for good`() {
    var keys: [Int] = []
    for round in 0..<60 {
      keys += (0..<1_000).map { $0 % 150 }
      keys += (0..<400).map { 1_000_000 + round * 400 + $0 }
    }
    // The scans themselves are 29 in 100 requests.
    #expect(hits(keys, room: 200) > 0.6)
  }

  @Test func `a small cache stays exactly LRU`() {
    #expect(hits((0..<20_000).map { $0 % 12 }, room: 10) == 0)
  }

  @Test func `a window that moves on is served as by LRU`() {
    let keys = (0..<40_000).map { $0 / 4 - ($0 * 7_919) % 150 }
    #expect(hits(keys, room: 200) > 0.7)
  }
}
