import FileSupport
import SimpleStore

/// At most so many reads at a time; the others wait for their turn, first come first served.
///
/// Waiting holds no thread. A caller that is cancelled while it waits ends at once. A value that can
/// be had at once does not wait. Writes are not counted. A read that asks for other keys has its place
/// meanwhile: it must not ask for them by way of the same capped source, which may have none left.
///
/// Made by ``CacheSource/capped(concurrent:)``.
public final class CappedSource<Base: CacheSource>: CacheSource {
  public typealias Key = Base.Key
  public typealias Value = Base.Value

  private struct State {
    var free: Int
    var line = WaitingLine()
  }

  let base: Base
  private let state: Guarded<State>

  init(_ base: Base, concurrent: Int) {
    require(concurrent > 0, "At least one read must be allowed at a time.")
    self.base = base
    state = Guarded(State(free: concurrent))
  }

  public var name: String { base.name }

  public func getIfReady(_ key: Key) -> Value? { base.getIfReady(key) }

  public func get(_ key: Key) async throws -> Value? {
    if let value = base.getIfReady(key) { return value }
    return try await entry(for: key)?.value
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    try await inTurn { try await self.base.entry(for: key) }
  }

  func inTurn(
    _ body: () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    try Task.checkCancellation()
    try await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async throws {
    let turn = OneShot<Void>()
    let place: UInt64? = state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return nil
      }
      return state.line.join(turn)
    }
    guard let place else { return }
    try await turn.wait { [self] in state.withLock { $0.line.leave(place) } }
  }

  private func leave() {
    state.withLock { state in
      // The place goes to the next in line, or is free.
      if !state.line.letOneGo() { state.free += 1 }
    }
  }
}

extension CappedSource: CacheLevel where Base: CacheLevel {
  public func set(_ value: Value, forKey key: Key) async throws {
    try await base.set(value, forKey: key)
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await base.setEntry(entry, forKey: key)
  }

  public func remove(_ key: Key) async throws { try await base.remove(key) }
  public func removeAll() async throws { try await base.removeAll() }
}

extension CacheSource {
  /// Lets at most so many reads through at a time.
  ///
  /// - Parameter concurrent: How many; at least 1.
  public func capped(concurrent: Int) -> CappedSource<Self> {
    CappedSource(self, concurrent: concurrent)
  }
}
