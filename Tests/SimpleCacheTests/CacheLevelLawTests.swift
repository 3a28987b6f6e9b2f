import CacheTestSupport
import SimpleCache
import Testing

/// Every level and every composition keeps the laws of `CacheLevel`.
@Suite struct CacheLevelLawTests {
  private static let keys = ["a", "b", "c", "d", "", "A"]
  private static let values = ["1", "2", "3", "4", "5", "6"]

  private func check(_ make: @escaping @Sendable () -> some CacheLevel<String, String>) async throws
  {
    try await CacheLevelLaws(keys: Self.keys, values: Self.values, make: make).checkAll()
  }

  private static func memory() -> MemoryLevel<String, String> { MemoryLevel() }

  @Test func `a memory level keeps the laws`() async throws {
    try await check { Self.memory() }
    try await check { MemoryLevel(countLimit: 6, costLimit: 6) }
    try await check { MemoryLevel(expiry: .seconds(1_000)) }
    try await check { MemoryLevel(expiry: .sliding(.seconds(1_000))) }
  }

  @Test func `a level written by a user keeps the laws`() async throws {
    try await check { ShelfLevel() }
  }

  @Test func `composed levels keep the laws`() async throws {
    try await check { Self.memory().compose(ShelfLevel()) }
    try await check { ShelfLevel().compose(Self.memory()) }
    try await check { Self.memory().compose(Self.memory()).compose(ShelfLevel()) }
    try await check { Self.memory().compose(Self.memory().compose(ShelfLevel())) }
  }

  @Test func `a level over a source that has nothing keeps the laws`() async throws {
    try await check { Self.memory().compose(ClosureSource { _ in nil }) }
  }

  @Test func `pooled, capped, timed, retried and observed levels keep the laws`() async throws {
    try await check { Self.memory().compose(ShelfLevel()).pooled() }
    try await check { ShelfLevel().capped(concurrent: 2) }
    try await check { ShelfLevel().timeout(.seconds(100)) }
    try await check { ShelfLevel().retry(1) }
    try await check { ShelfLevel().observed() }
    try await check { Self.memory().conditioned { _ in true } }
    try await check { ShelfLevel().normalize() }
  }

  @Test func `transformed levels keep the laws`() async throws {
    let reversed = TwoWayClosureTransformer<String, String>(
      transform: { String($0.reversed()) }, inverseTransform: { String($0.reversed()) })
    let perKey = TwoWayConditionedTransformer<String, String, String>(
      transform: { String($0.dropFirst($1.count)) }, inverseTransform: { $1 + $0 })
    try await check { Self.memory().transformKeys { (key: String) in "key " + key } }
    try await check { ShelfLevel().transformValues(reversed) }
    try await check { ShelfLevel().conditionedValueTransformation(perKey) }
    try await check { ShelfLevel().postProcess { $0 } }
    try await check { ShelfLevel().conditionedPostProcess { value, _ in value } }
  }

  @Test func `switched levels keep the laws`() async throws {
    try await check {
      switchLevels(Self.memory(), ShelfLevel()) { $0 < "b" ? .first : .second }
    }
  }

  @Test func `a batch level keeps the laws`() async throws {
    try await CacheLevelLaws(
      keys: [["a", "b"], ["c", "d"], ["e", "f"]], values: [["1", "2"], ["3", "4"], ["5", "6"]]
    ) { Self.memory().allBatch() }.checkAll()
  }

  @Test func `a level that gives what was removed is found out`() async {
    struct Forgetless: CacheLevel {
      let base = MemoryLevel<String, String>()
      func get(_ key: String) -> String? { base.get(key) }
      func set(_ value: String, forKey key: String) { base.set(value, forKey: key) }
      func remove(_ key: String) {}
      func removeAll() {}
    }
    await #expect(throws: BrokenLaw.self) { try await check { Forgetless() } }
  }
}
