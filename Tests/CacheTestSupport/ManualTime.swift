import Foundation
public import SimpleCache
import SimpleStore

/// Time that stands still until a test moves it on: for expiry and, as a `Clock`, for sleeping.
public final class ManualTime: Clock, Sendable {
  public struct Instant: InstantProtocol {
    public var offset: Swift.Duration
    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: Int
    let until: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .seconds(1_000))
    var wall = Date(timeIntervalSince1970: 1_700_000_000)
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var nextID = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// The same time for expiry.
  public var clock: CacheClock {
    CacheClock(
      monotonic: { [self] in
        CacheInstant(nanoseconds: 0).advanced(by: state.withLock { $0.now.offset })
      },
      wall: { [self] in state.withLock { $0.wall } })
  }

  /// Moves both clocks on.
  public func advance(by duration: Swift.Duration) {
    let due = state.withLock { state in
      state.now.offset += duration
      state.wall += duration / .seconds(1)
      let due = state.sleepers.filter { $0.until <= state.now }
      state.sleepers.removeAll { $0.until <= state.now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Sets the wall clock only, as people do.
  public func setWall(by seconds: Double) { state.withLock { $0.wall += seconds } }

  /// Returns when so many are asleep.
  public func untilAsleep(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, watchers) = state.withLock { state in
          var watchers: [CheckedContinuation<Void, Never>] = []
          if state.cancelled.remove(id) != nil {
            return (Result<Void, any Error>?.some(.failure(CancellationError())), watchers)
          }
          if deadline <= state.now { return (.some(.success(())), watchers) }
          state.sleepers.append(Sleeper(id: id, until: deadline, continuation: continuation))
          watchers = state.watchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
          state.watchers.removeAll { $0.count <= state.sleepers.count }
          return (nil, watchers)
        }
        for watcher in watchers { watcher.resume() }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return Sleeper?.none
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
