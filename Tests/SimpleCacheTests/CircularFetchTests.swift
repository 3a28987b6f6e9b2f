import SimpleCache
import Synchronization
import Testing

/// Sources that ask the pooled cache that they are part of.
struct CircularFetchTests {
  /// A pooled cache over a source that gets to ask the cache.
  private final class Numbers: Sendable {
    private let fetch: @Sendable (Int, Numbers) async throws -> Int?
    private let isCached: Bool
    private let made = Mutex<AnySource<Int, Int>?>(nil)

    init(
      isCached: Bool, _ fetch: @escaping @Sendable (Int, Numbers) async throws -> Int?
    ) {
      self.fetch = fetch
      self.isCached = isCached
    }

    var cache: AnySource<Int, Int> {
      made.withLock { made in
        if let made { return made }
        let source = ClosureSource<Int, Int> { [self] key in try await fetch(key, self) }
        let cache =
          isCached
          ? MemoryLevel<Int, Int>().compose(source).pooled().normalize()
          : source.pooled().normalize()
        made = cache
        return cache
      }
    }
  }

  @Test(arguments: [true, false])
  func `a source that asks for the key it is fetching is told so, and nobody waits for ever`(
    _ isCached: Bool
  ) async throws {
    let numbers = Numbers(isCached: isCached) { try await $1.cache.get($0) }
    let error = await #expect(throws: CacheError.self) { try await numbers.cache.get(0) }
    #expect(error?.code == .circular)
    #expect(error?.key == "0")
    // Nothing is left of it.
    await #expect(throws: CacheError.self) { try await numbers.cache.get(0) }
  }

  @Test(arguments: [true, false])
  func `a source that asks for other keys gets them`(_ isCached: Bool) async throws {
    let fibonacci = Numbers(isCached: isCached) { number, numbers in
      if number < 2 { return number }
      async let one = numbers.cache.get(number - 1)
      async let other = numbers.cache.get(number - 2)
      return try await (one ?? 0) + (other ?? 0)
    }
    #expect(try await fibonacci.cache.get(15) == 610)
  }

  @Test(arguments: [true, false])
  func `of keys that ask for one another in a circle all end`(_ isCached: Bool) async throws {
    let circle = Numbers(isCached: isCached) { number, numbers in
      try await numbers.cache.get((number + 1) % 5)
    }
    for _ in 0..<200 {
      await withTaskGroup { group in
        for key in 0..<5 {
          group.addTask {
            let error = await #expect(throws: CacheError.self) { try await circle.cache.get(key) }
            #expect(error?.code == .circular)
          }
        }
      }
    }
  }
}
