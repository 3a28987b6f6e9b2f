import SimpleStore
import Synchronization

/// Which fetch waits for which: tells one that is about to wait whether it would do so for ever.
///
/// A source may ask the cache that it is part of for other keys. If it asks for the key that it is
/// fetching, itself or by way of others, all of them would wait for each other.
enum FetchGraph {
  /// The fetch in whose task this runs.
  @TaskLocal static var current: UInt64?

  private static let lastNumber = Atomic<UInt64>(0)
  /// For each fetch, those that its task waits for. A list: rarely more than one.
  private static let waiting = Guarded<[UInt64: [UInt64]]>([:])

  /// A number that no other fetch has.
  static func newNumber() -> UInt64 {
    lastNumber.add(1, ordering: .relaxed).newValue
  }

  /// Waits for a fetch by a call that returns when it has ended.
  ///
  /// - Parameter circle: What to throw when that would never be, without a call.
  static func wait<Value>(
    for fetch: UInt64, orThrow circle: () -> any Error, _ call: () async throws -> Value
  ) async throws -> Value {
    guard let current else { return try await call() }
    let mayWait = waiting.withLock { waiting in
      if leads(from: fetch, to: current, waiting) { return false }
      waiting[current, default: []].append(fetch)
      return true
    }
    guard mayWait else { throw circle() }
    defer { endWait(of: current, for: fetch) }
    return try await call()
  }

  private static func endWait(of current: UInt64, for fetch: UInt64) {
    waiting.withLock { waiting in
      if let position = waiting[current]?.firstIndex(of: fetch) {
        waiting[current]?.remove(at: position)
      }
      if waiting[current]?.isEmpty == true { waiting[current] = nil }
    }
  }

  private static func leads(
    from start: UInt64, to end: UInt64, _ waiting: [UInt64: [UInt64]]
  ) -> Bool {
    var next = [start]
    var seen: Set<UInt64> = []
    while let fetch = next.popLast() {
      if fetch == end { return true }
      if seen.insert(fetch).inserted { next += waiting[fetch] ?? [] }
    }
    return false
  }
}
