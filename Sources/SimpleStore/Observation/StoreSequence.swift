import Synchronization

/// The changes of a store, or the values of a field, as they come.
///
/// A sequence sees what happens from the moment it is made, and can be read several times: the
/// first reader takes over from there, every other one begins when it does. Reading it does not
/// keep the store; it ends when the store goes away, and for a task that is cancelled.
///
/// Nothing piles up: for a reader who is slower than the changes at most one element waits, and
/// that is always the newest. See ``SimpleStore/changes`` and ``SimpleStore/values(_:initial:)``.
public struct StoreSequence<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  /// One reader's place.
  final class Subscription: Sendable {
    let mailbox: Mailbox<Element>
    /// Ends the subscription when it is released.
    private let observation: StoreObservation
    /// What the reader is taken to know already.
    let known: Element?

    init(_ mailbox: Mailbox<Element>, _ observation: StoreObservation, known: Element?) {
      self.mailbox = mailbox
      self.observation = observation
      self.known = known
    }

    func cancel() { observation.cancel() }
  }

  private final class First: Sendable {
    let subscription: Guarded<Subscription?>
    init(_ subscription: Subscription?) { self.subscription = Guarded(subscription) }
  }

  private let first: First
  private let subscribe: @Sendable () -> Subscription?
  private let differ: @Sendable (Element, Element) -> Bool

  /// - Parameters:
  ///   - differ: Whether an element is worth telling after another one.
  ///   - subscribe: Begins to listen; nil when the store has gone away.
  init(
    differ: @escaping @Sendable (Element, Element) -> Bool = { _, _ in true },
    subscribe: @escaping @Sendable () -> Subscription?
  ) {
    first = First(subscribe())
    self.subscribe = subscribe
    self.differ = differ
  }

  public func makeAsyncIterator() -> Iterator {
    let taken = first.subscription.withLock { first in
      defer { first = nil }
      return first
    }
    return Iterator(subscription: taken ?? subscribe(), differ: differ)
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var subscription: Subscription?
    fileprivate let differ: @Sendable (Element, Element) -> Bool
    private var last: Element?

    fileprivate init(
      subscription: Subscription?, differ: @escaping @Sendable (Element, Element) -> Bool
    ) {
      self.subscription = subscription
      self.differ = differ
      last = subscription?.known
    }

    /// The next element; nil when the store has gone away or the task is cancelled.
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// The next element; nil when the store has gone away or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let element = await subscription?.mailbox.next() {
        if let last, !differ(last, element) { continue }
        last = element
        return element
      }
      subscription?.cancel()
      subscription = nil
      return nil
    }
  }
}
