import Testing

@testable import SimpleCache

@Suite struct EntryGroupsTests {
  @Test func `a look at all groups sees each entry once, also if they are split meanwhile`() {
    let groups = EntryGroups<Int, Int>()
    for number in 0..<100 {
      let hash = groups.keyHash.of(number)
      groups.withTable(of: hash) {
        $0.insert(number, forKey: number, hash: hash, cost: 0, times: .never, rule: .leastRecent)
      }
    }
    var keys: [Int] = []
    groups.forEach {
      keys += $0.keys
    } after: {
      groups.split()
    }
    #expect(keys.sorted() == Array(0..<100))
    keys = []
    groups.forEach { keys += $0.keys }
    #expect(keys.sorted() == Array(0..<100))
  }
}
