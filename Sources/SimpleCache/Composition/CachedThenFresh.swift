/// A value to be shown at once, and the one that replaces it.
public enum CachedOrFresh<Value: Sendable>: Sendable {
  /// What was cached.
  case cached(Value)
  /// What was fetched.
  case fresh(Value)

  /// The value, whichever it is.
  public var value: Value {
    switch self {
    case .cached(let value), .fresh(let value): value
    }
  }
}

extension CachedOrFresh: Equatable where Value: Equatable {}

/// The cached value, if there is one, and then the fetched one: at most two values.
///
/// A cache that fails is passed over. A fetch that fails is thrown after the cached value was given;
/// one that finds nothing ends the sequence. Nothing runs ahead: the fetch begins when its value is
/// asked for. Made by ``RefreshableSource/cachedThenFresh(_:)``.
public struct CachedThenFresh<Source: RefreshableSource>: AsyncSequence, Sendable {
  public typealias Element = CachedOrFresh<Source.Value>

  let source: Source
  let key: Source.Key

  /// Gives the cached value, then the fetched one, then `nil`.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate enum Step { case cache, fetch, end }

    fileprivate let source: Source
    fileprivate let key: Source.Key
    fileprivate var step = Step.cache

    public mutating func next() async throws -> Element? {
      if step == .cache {
        step = .fetch
        do {
          if let entry = try await source.cachedEntry(for: key) { return .cached(entry.value) }
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          try Task.checkCancellation()
          // A `ComposedLevel` has told its event handler; the fetch may still succeed.
        }
      }
      guard step == .fetch else { return nil }
      step = .end
      return try await source.refreshedEntry(for: key).map { .fresh($0.value) }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source, key: key) }
}

extension RefreshableSource {
  /// Gives the cached value at once, and then a fresh one.
  ///
  /// ```swift
  /// for try await news in articles.cachedThenFresh(feed) { show(news.value) }
  /// ```
  ///
  /// - Parameter key: What to read.
  public func cachedThenFresh(_ key: Key) -> CachedThenFresh<Self> {
    CachedThenFresh(source: self, key: key)
  }
}
