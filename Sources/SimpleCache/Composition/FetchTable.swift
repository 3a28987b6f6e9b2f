import SimpleStore

/// Fetches that several callers wait for: the first starts one, the others join it, each ends exactly
/// once. A caller that is cancelled ends at once and leaves the others waiting; when all have gone the
/// fetch is cancelled. Nothing is kept.
///
/// Requests belong to a group, whose fetches can be closed to newcomers together.
final class FetchTable<Group: Hashable & Sendable, Request: Hashable & Sendable, Value: Sendable>:
  Sendable
{
  private typealias Waiter = OneShot<Value>

  private struct Fetch {
    /// Its number in the graph of all fetches.
    let node: UInt64
    let group: Group
    let request: Request
    var waiters: [UInt64: Waiter]
    var task: Task<Void, Never>?
  }

  private struct State {
    /// The fetch that a new caller joins.
    var current: [Group: [Request: UInt64]] = [:]
    /// All that somebody waits for.
    var fetches: [UInt64: Fetch] = [:]
    var nextNumber: UInt64 = 0

    mutating func number() -> UInt64 {
      nextNumber += 1
      return nextNumber
    }

    mutating func end(_ number: UInt64) -> Fetch? {
      guard let fetch = fetches.removeValue(forKey: number) else { return nil }
      if current[fetch.group]?[fetch.request] == number {
        current[fetch.group]?[fetch.request] = nil
        if current[fetch.group]?.isEmpty == true { current[fetch.group] = nil }
      }
      return fetch
    }
  }

  private let state = Guarded(State())
  /// Whose fetches they are, for errors.
  private let name: String

  init(name: String) { self.name = name }

  /// The number of fetches that somebody waits for.
  var count: Int { state.withLock { $0.fetches.count } }

  /// Joins the fetch for a request, or starts one.
  ///
  /// - Throws: What the fetch throws; ``CacheError/Code/circular`` when this is called from within it.
  func share(
    _ request: Request, of group: Group, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // Who is cancelled already does not start a fetch only to cancel it.
    try Task.checkCancellation()
    let waiter = Waiter()
    let (fetch, place, node) = join(request, of: group, waiter, body)
    return try await FetchGraph.wait(for: node) {
      leave(fetch, place)
      return CacheError(.circular, level: name, key: group, operation: .get)
    } _: {
      try await waiter.wait { [self] in leave(fetch, place) }
    }
  }

  /// From now on nobody joins the fetches of a group, or of any.
  func close(_ group: Group?) {
    state.withLock { state in
      if let group { state.current[group] = nil } else { state.current = [:] }
    }
  }

  private func join(
    _ request: Request, of group: Group, _ waiter: Waiter,
    _ body: @escaping @Sendable () async throws -> Value
  ) -> (fetch: UInt64, place: UInt64, node: UInt64) {
    state.withLock { state in
      let place = state.number()
      if let number = state.current[group]?[request], let fetch = state.fetches[number] {
        state.fetches[number]?.waiters[place] = waiter
        return (number, place, fetch.node)
      }
      let number = state.number()
      let node = FetchGraph.newNumber()
      let task = Task { [self] in
        let result: Result<Value, any Error>
        do {
          result = .success(try await FetchGraph.$current.withValue(node) { try await body() })
        } catch {
          result = .failure(error)
        }
        end(number, result)
      }
      state.current[group, default: [:]][request] = number
      state.fetches[number] = Fetch(
        node: node, group: group, request: request, waiters: [place: waiter], task: task)
      return (number, place, node)
    }
  }

  private func end(_ number: UInt64, _ result: Result<Value, any Error>) {
    // Taken out under the lock, told outside it: a waiter is told once, and may ask again at once.
    let fetch = state.withLock { $0.end(number) }
    fetch?.waiters.values.forEach { $0.end(result) }
  }

  private func leave(_ number: UInt64, _ place: UInt64) {
    let abandoned = state.withLock { state in
      state.fetches[number]?.waiters[place] = nil
      return state.fetches[number]?.waiters.isEmpty == true ? state.end(number) : nil
    }
    abandoned?.task?.cancel()
  }
}
