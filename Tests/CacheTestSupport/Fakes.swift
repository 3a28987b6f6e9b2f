public import SimpleCache
import SimpleStore

/// A source that, like a real one, does nothing until it is asked, does it anew for each call, and
/// ends when the test says so.
public final class SlowSource: CacheSource {
  public typealias Answer = @Sendable (String, Int) async throws -> String?

  private struct State {
    var calls = 0
    var running = 0
    var mostRunning = 0
    var cancellations = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())
  private let answer: Answer

  /// - Parameter answer: Given the key and the number of the call, from 1.
  public init(_ answer: @escaping Answer) { self.answer = answer }

  /// How often it was asked.
  public var calls: Int { state.withLock { $0.calls } }
  /// How many calls have not ended.
  public var running: Int { state.withLock { $0.running } }
  public var mostRunning: Int { state.withLock { $0.mostRunning } }
  /// How many calls ended cancelled.
  public var cancellations: Int { state.withLock { $0.cancellations } }

  public func get(_ key: String) async throws -> String? {
    let (number, due) = state.withLock { state in
      state.calls += 1
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
      let due = state.waiting.filter { $0.count <= state.calls }
      state.waiting.removeAll { $0.count <= state.calls }
      return (state.calls, due.map(\.continuation))
    }
    for continuation in due { continuation.resume() }
    defer {
      let isCancelled = Task.isCancelled
      state.withLock { state in
        state.running -= 1
        if isCancelled { state.cancellations += 1 }
      }
    }
    return try await answer(key, number)
  }

  /// Returns when it has been asked so often.
  public func untilCalled(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.calls >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

/// A door that calls wait at until it is opened. Passing reacts to cancellation; passing stubbornly
/// does not, like code that knows nothing of it.
public final class Door: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
    var next = 0
  }

  private let state = Guarded(State())

  public init() {}

  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  public func pass() async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await enter(number)
    } onCancel: {
      let waiting = state.withLock { state in
        state.cancelled.insert(number)
        return state.waiting.removeValue(forKey: number)
      }
      waiting?.resume(throwing: CancellationError())
    }
  }

  public func passStubbornly() async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await enter(number)
  }

  private func enter(_ number: Int) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result: Result<Void, any Error>? = state.withLock { state in
        if state.cancelled.contains(number) { return .failure(CancellationError()) }
        if state.isOpen { return .success(()) }
        state.waiting[number] = continuation
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }
}

/// What a level or source of a test fails with.
public struct TestFailure: Error, Equatable {
  public let text: String
  public init(_ text: String = "failed on request") { self.text = text }
}

/// A level as a user would write one: a dictionary in an actor, without any notion of expiry. It
/// fails when told to.
public actor ShelfLevel: CacheLevel {
  public enum Operation: Hashable, Sendable { case get, set, remove, removeAll }

  public private(set) var values: [String: String] = [:]
  public private(set) var calls: [Operation: Int] = [:]
  private var failing: Set<Operation> = []
  private var doors: [Operation: Door] = [:]

  public init(_ values: [String: String] = [:]) { self.values = values }

  public func fail(on operations: Set<Operation>) { failing = operations }
  /// Makes an operation wait before it does anything.
  public func hold(_ operation: Operation, at door: Door?) { doors[operation] = door }

  private func begin(_ operation: Operation) async throws {
    calls[operation, default: 0] += 1
    if let door = doors[operation] { try await door.pass() }
    if failing.contains(operation) { throw TestFailure() }
  }

  public func get(_ key: String) async throws -> String? {
    let value = values[key]
    try await begin(.get)
    return value
  }

  public func set(_ value: String, forKey key: String) async throws {
    try await begin(.set)
    values[key] = value
  }

  public func remove(_ key: String) async throws {
    try await begin(.remove)
    values[key] = nil
  }

  public func removeAll() async throws {
    try await begin(.removeAll)
    values = [:]
  }
}

/// Gathers what is told from any thread.
public final class Collected<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Guarded(State())
  public init() {}

  public func add(_ element: Element) {
    let ready = state.withLock { state in
      state.elements.append(element)
      let ready = state.waiting.filter { $0.count <= state.elements.count }
      state.waiting.removeAll { $0.count <= state.elements.count }
      return ready.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  public var all: [Element] { state.withLock { $0.elements } }

  /// Waits until there are so many, without keeping a thread.
  public func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.elements.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
