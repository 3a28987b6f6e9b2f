import Foundation
import SimpleStore
import Synchronization
import TestSupport

struct User: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "age", default: 0) var age
  @StoreParam(key: "tags", default: []) var tags: [String]
  @StoreParam(key: "nickname") var nickname: String?
}

/// Keeps what it is told, in order.
final class Recorder<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  var all: [Element] { elements.withLock { $0 } }
  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// Waits until something holds.
///
/// Long enough for a machine whose cores are busy with tests that block: what is waited for may need
/// a thread of the pool, as this does.
///
/// - Returns: Whether it did within two minutes.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    // Only so as not to keep a core busy; how long it takes decides nothing.
    try? await Task.sleep(for: .milliseconds(1))
  }
  return try condition()
}

/// A clock that moves when it is told to.
final class StandingClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }
  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [(until: Instant, continuation: CheckedContinuation<Void, any Error>)] = []
  }
  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }
  /// How many wait.
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await withCheckedThrowingContinuation { continuation in
      state.withLock { $0.sleepers.append((deadline, continuation)) }
    }
  }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.until <= state.now }
      let now = state.now
      state.sleepers.removeAll { $0.until <= now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
