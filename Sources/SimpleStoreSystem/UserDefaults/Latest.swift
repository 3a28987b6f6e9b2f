import SimpleStore

/// A value that several threads read and set.
final class Latest<Value: Sendable>: Sendable {
  private let mutex = Guarded<Value?>(nil)

  var value: Value? {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
