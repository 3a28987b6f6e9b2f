import CacheTestSupport
import SimpleCache
import Testing

@Suite struct CachedThenFreshTests {
  private func read<Source: RefreshableSource<String, String>>(
    _ source: Source
  ) async throws -> [CachedOrFresh<String>] {
    var values: [CachedOrFresh<String>] = []
    for try await value in source.cachedThenFresh("k") { values.append(value) }
    return values
  }

  @Test func `the cached value comes at once, the fetched one after it, and is stored`()
    async throws
  {
    let door = Door()
    let network = SlowSource { _, _ in
      try await door.pass()
      return "new"
    }
    let memory = MemoryLevel<String, String>()
    let disk = ShelfLevel(["k": "old"])
    let cache = memory.compose(disk).compose(network).pooled()
    var iterator = cache.cachedThenFresh("k").makeAsyncIterator()
    #expect(try await iterator.next() == .cached("old"))
    #expect(network.calls == 0)
    door.open()
    #expect(try await iterator.next() == .fresh("new"))
    #expect(try await iterator.next() == nil)
    #expect(memory["k"] == "new")
    #expect(await disk.values == ["k": "new"])
  }

  @Test func `levels composed from the right know cached from fresh as well`() async throws {
    let network = SlowSource { _, number in "new \(number)" }
    let memory = MemoryLevel<String, String>()
    let cache = memory.compose(ShelfLevel(["k": "old"]).compose(network))
    #expect(try await read(cache) == [.cached("old"), .fresh("new 1")])
    #expect(try await read(cache) == [.cached("new 1"), .fresh("new 2")])
  }

  @Test func `nothing cached gives only the fetched one`() async throws {
    let cache = MemoryLevel<String, String>().compose(SlowSource { _, _ in "new" })
    #expect(try await read(cache) == [.fresh("new")])
  }

  @Test func `offline, the cached value is given and then the error thrown`() async throws {
    let memory = MemoryLevel<String, String>()
    memory["k"] = "old"
    let cache = memory.compose(SlowSource { _, _ in throw TestFailure("offline") })
    var iterator = cache.cachedThenFresh("k").makeAsyncIterator()
    #expect(try await iterator.next() == .cached("old"))
    await #expect(throws: CacheError.self) { try await iterator.next() }
    #expect(memory["k"] == "old")
  }

  @Test func `a cache that fails does not keep the fresh value away`() async throws {
    let shelf = ShelfLevel()
    await shelf.fail(on: [.get])
    #expect(try await read(shelf.compose(SlowSource { _, _ in "new" })) == [.fresh("new")])
  }

  @Test func `what is made of such a source knows cached from fresh, and so does a level over it`()
    async throws
  {
    let length = ClosureTransformer { (text: String) in text + "!" }
    let keyed = ConditionedTransformer { (text: String, key: String) in text + key }
    func cached() -> some RefreshableSource<String, String> {
      ShelfLevel(["k": "old"]).compose(SlowSource { _, _ in "new" })
    }
    #expect(try await read(cached().transformValues(length)) == [.cached("old!"), .fresh("new!")])
    #expect(try await read(cached().postProcess(length)) == [.cached("old!"), .fresh("new!")])
    #expect(
      try await read(cached().conditionedValueTransformation(keyed))
        == [.cached("oldk"), .fresh("newk")])
    #expect(
      try await read(cached().conditionedPostProcess(keyed)) == [.cached("oldk"), .fresh("newk")])
    #expect(
      try await read(cached().transformKeys { (key: String) in key })
        == [.cached("old"), .fresh("new")])
    let others: [any RefreshableSource<String, String>] = [
      cached().pooled(), cached().capped(concurrent: 1), cached().timeout(.seconds(60)),
      cached().retry(1), cached().observed(), cached().conditioned { _ in true },
      cached().normalize(), switchLevels(cached(), ShelfLevel()) { _ in .first },
      MemoryLevel<String, String>().compose(cached().transformValues(length).observed())
        .transformValues(ClosureTransformer { String($0.dropLast()) }),
    ]
    for source in others {
      #expect(try await read(source) == [.cached("old"), .fresh("new")], "\(source.name)")
    }
    #expect(try await read(cached().conditioned { _ in false }) == [])
    #expect(
      try await read(switchLevels(ShelfLevel(["k": "here"]), cached()) { _ in .first })
        == [.fresh("here")])
  }

  @Test func `a cached value that cannot be converted does not keep the fresh one away`()
    async throws
  {
    let cache = ShelfLevel(["k": "old"]).compose(SlowSource { _, _ in "7" })
      .transformValues(
        ClosureTransformer { (text: String) in
          guard Int(text) != nil else { throw TestFailure("no number") }
          return text
        })
    #expect(try await read(cache) == [.fresh("7")])
  }

  @Test func `a level over lists knows cached lists from fresh ones`() async throws {
    let lists = MemoryLevel<[String], [String]>()
      .compose(ShelfLevel(["k": "old"]).compose(SlowSource { _, _ in "new" }).allBatch())
    var values: [CachedOrFresh<[String]>] = []
    for try await value in lists.cachedThenFresh(["k"]) { values.append(value) }
    #expect(values == [.cached(["old"]), .fresh(["new"])])
    let some = ShelfLevel(["a": "old"]).compose(SlowSource { _, _ in "new" }).allBatch()
    #expect(try await some.cachedEntry(for: ["a", "b"])?.value == nil)
    #expect(try await some.refreshedEntry(for: ["a", "b"])?.value == ["new", "new"])
  }
}
