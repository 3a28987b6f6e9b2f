import Synchronization

/// A value that several threads read and set.
final class Latest<Value: Sendable>: Sendable {
  private let mutex = Mutex<Value?>(nil)

  var value: Value? {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
