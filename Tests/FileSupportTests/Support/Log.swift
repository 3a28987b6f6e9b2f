import Synchronization

/// What happened, in order.
final class Log: Sendable {
  private let entries = Mutex<[String]>([])
  var all: [String] { entries.withLock { $0 } }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  func clear() { entries.withLock { $0 = [] } }
}
