import CacheTestSupport
import SimpleCache
import Testing

@Suite struct TimedAndRetriedTests {
  private let time = ManualTime()

  @Test func `a fetch that ignores time is given up, and the next get starts a new one`()
    async throws
  {
    let door = Door()
    let source = SlowSource { key, number in
      if number == 1 { try await door.passStubbornly() }
      return "\(key) \(number)"
    }
    let cache = source.timeout(.seconds(1), clock: time).pooled()
    let task = Task { try await cache.get("k") }
    await source.untilCalled()
    await time.untilAsleep()
    time.advance(by: .seconds(1))
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? CacheError)?.code == .timedOut }
    #expect(try await cache.get("k") == "k 2")
    door.open()
    while source.running > 0 { await Task.yield() }
    #expect(source.cancellations == 1)
  }

  @Test func `cancelling a timed read ends it at once`() async throws {
    let door = Door()
    let source = SlowSource { _, _ in
      try await door.passStubbornly()
      return nil
    }
    let task = Task { try await source.timeout(.seconds(1), clock: time).get("k") }
    await source.untilCalled()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    door.open()
  }

  @Test func `errors are retried with growing pauses, and the last one is thrown`() async throws {
    let source = SlowSource { _, number in throw TestFailure("\(number)") }
    let retried = source.retry(
      3, backoff: .exponential(.seconds(1), limit: .seconds(3)), clock: time)
    let start = time.now
    let task = Task { try await retried.get("k") }
    for pause in [1, 2, 3] {
      await time.untilAsleep()
      time.advance(by: .seconds(pause))
    }
    await #expect(throws: TestFailure("4")) { try await task.value }
    #expect(source.calls == 4)
    #expect(start.duration(to: time.now) == .seconds(6))
  }

  @Test func `the longest time that can be said is no limit`() async throws {
    let source = ClosureSource<String, String> { key in
      await Task.yield()
      return key
    }
    #expect(try await source.timeout(.seconds(Int64.max)).get("k") == "k")
  }

  @Test(arguments: [Duration.seconds(-1), .zero, .milliseconds(1), .seconds(Int64.max)])
  func `a pause that doubles is neither negative nor longer than its limit`(first: Duration) {
    let backoff = RetryBackoff.exponential(first, limit: .seconds(3))
    for number in [1, 2, 200, .max] {
      let pause = backoff.pause(before: number)
      #expect(pause >= .zero && pause <= .seconds(3))
    }
  }

  @Test func `a success after errors is given, a miss is not repeated`() async throws {
    let source = SlowSource { key, number in
      if number < 3 { throw TestFailure() }
      return key == "none" ? nil : key
    }
    let retried = source.retry(5, backoff: .none, clock: time)
    #expect(try await retried.get("k") == "k")
    #expect(source.calls == 3)
    #expect(try await retried.get("none") == nil)
    #expect(source.calls == 4)
  }

  @Test func `what will be the same again is not repeated`() async throws {
    let source = SlowSource { _, _ in throw CacheError(.status, level: "x", status: 404) }
    let retried = source.retry(5, backoff: .none, clock: time)
    await #expect(throws: CacheError.self) { try await retried.get("k") }
    #expect(source.calls == 1)
  }

  @Test func `cancelling during a pause ends the read at once`() async throws {
    let source = SlowSource { _, _ in throw TestFailure() }
    let retried = source.retry(5, backoff: .constant(.seconds(1)), clock: time)
    let task = Task { try await retried.get("k") }
    await time.untilAsleep()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(source.calls == 1)
  }
}
