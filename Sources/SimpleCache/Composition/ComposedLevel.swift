/// Two levels, one in front of the other: read through, written back up.
///
/// **Reading.** The front is asked first; on a miss the back, and what it gives is put into the
/// front with the back's deadline, so that the front never keeps it for longer. If the front cannot
/// keep it, the read still gives the value, and `onEvent` is told. If the front *fails*, the back is
/// asked as after a miss and `onEvent` is told; only if the back has no value either is the front's
/// error thrown, because nobody knows then whether there is one. An error of the back is thrown. A
/// cancellation is always thrown.
///
/// **Writing.** `set`, `remove` and `removeAll` reach every part that can be written; a source at the
/// back (a network) is no such part. If one fails, the call throws, and there is the old value or none;
/// only if the back has kept the new one, and now cannot remove it either, is it that one. Writes of one
/// key follow one another. A read that began before a write of its key ended does not put its result
/// into the front, nor does one that was overtaken by a newer fetch.
///
/// Made by ``CacheLevel/compose(_:onEvent:)``.
public final class ComposedLevel<Front: CacheLevel, Back: CacheSource>: CacheLevel
where Front.Key == Back.Key, Front.Value == Back.Value {
  public typealias Key = Front.Key
  public typealias Value = Front.Value

  /// The level in front.
  public let front: Front
  /// What lies behind it.
  public let back: Back
  private let backLevel: (any CacheLevel<Key, Value>)?
  private let onEvent: CacheEventHandler<Key>?
  /// Whether the back is, or may have behind it, a cache in front of where fresh values come from.
  let isBackCaching: Bool
  /// The hits in front that the back has not been told of; `nil` if it does not want to know.
  @usableFromInline let uses: UseLog<Key>?
  let gate = KeyGate<Key>()

  init(front: Front, back: Back, onEvent: CacheEventHandler<Key>?) {
    self.front = front
    self.back = back
    self.onEvent = onEvent
    // Asked of the value, not of the type parameter: in generic code a level may be known as a
    // source only, and must be written all the same.
    backLevel = back as? any CacheLevel<Key, Value>
    uses = UseLog(back)
    isBackCaching = knowsFresh(back)
  }

  public var name: String { "\(front.name) over \(back.name)" }

  @inlinable
  public func getIfReady(_ key: Key) -> Value? {
    let value = front.getIfReady(key)
    if let uses, value != nil { uses.note(key) }
    return value
  }

  @inlinable
  public func get(_ key: Key) async throws -> Value? {
    if let value = getIfReady(key) { return value }
    return try await entry(for: key)?.value
  }

  public func entry(for key: Key) async throws -> CacheEntry<Value>? {
    let (found, frontError) = try await askFront(key)
    if let found {
      noteUse(key)
      return found
    }
    let entry = try await fetchShared(key) { try await self.back.entry(for: key) }
    if entry == nil, let frontError { throw frontError }
    return entry
  }

  func noteUse(_ key: Key) { uses?.note(key) }

  /// Asks the front; its failure is handed back, its cancellation thrown.
  func askFront(_ key: Key) async throws -> (CacheEntry<Value>?, (any Error)?) {
    do {
      let entry =
        if SharedFetches.current == nil {
          try await front.entry(for: key)
        } else {
          // What a level in front fetches is cached here, and must not be taken for fresh.
          try await SharedFetches.$current.withValue(nil) { try await front.entry(for: key) }
        }
      return (entry, nil)
    } catch {
      // Whatever a level makes of it: if this task was cancelled, that is why.
      try Task.checkCancellation()
      if error is CancellationError { throw error }
      return (nil, failure(error, in: front, key, .get))
    }
  }

  /// As ``fetch(_:isFresh:_:)``, together with others of a pool who ask for the same just now.
  ///
  /// - Parameter body: Asks the back: for what it has, or for a fresh value.
  func fetchShared(
    _ key: Key, isFresh: Bool = false,
    _ body: @escaping @Sendable () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    // A back that is a cache has another level, nearer to the source, which shares.
    guard !isBackCaching, let shared = SharedFetches.current else {
      return try await fetch(key, isFresh: isFresh || !isBackCaching, body)
    }
    return try await shared.share(FetchPlace(level: ObjectIdentifier(self), key: key)) {
      try await SharedFetches.$current.withValue(nil) {
        try await self.fetch(key, isFresh: true, body)
      }
    }
  }

  /// Gets an entry from behind and puts it into the front.
  ///
  /// - Parameter isFresh: Whether it comes from where fresh values come from.
  func fetch(
    _ key: Key, isFresh: Bool = false, _ body: () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    let ticket = gate.beginRead(key)
    defer { gate.endRead(key) }
    let entry: CacheEntry<Value>?
    do { entry = try await body() } catch {
      // As above.
      try Task.checkCancellation()
      throw CacheError.wrapping(error, level: back.name, key: key, operation: .get)
    }
    guard let entry else { return nil }
    do {
      try await gate.fill(key, ticket, isFresh: isFresh) {
        try await front.setEntry(entry, forKey: key)
      } emptying: {
        try await front.remove(key)
      }
    } catch {
      _ = failure(error, in: front, key, .set)
    }
    return entry
  }

  public func set(_ value: Value, forKey key: Key) async throws {
    try await write(key) {
      try await $0.set(value, forKey: key)
    } front: {
      try await self.front.set(value, forKey: key)
    }
  }

  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try await write(key) {
      try await $0.setEntry(entry, forKey: key)
    } front: {
      try await self.front.setEntry(entry, forKey: key)
    }
  }

  private func write(
    _ key: Key, back writeBack: (any CacheLevel<Key, Value>) async throws -> Void,
    front writeFront: () async throws -> Void
  ) async throws {
    // What has to go for the new entry is decided by what was used.
    await uses?.tell()
    try await gate.write(key) {
      guard let backLevel else {
        // What it keeps itself is older than what is set.
        try await forgetBehind(key, .set)
        return try await attempt(front, key, .set) { try await writeFront() }
      }
      // The old value leaves the front first. Then, whichever step fails or is cancelled, the
      // front cannot go on giving a value that the back no longer has.
      try await attempt(front, key, .set) { try await front.remove(key) }
      try await attempt(backLevel, key, .set) { try await writeBack(backLevel) }
      do { try await attempt(front, key, .set) { try await writeFront() } } catch {
        // The caller is told that it was not set.
        await takeBack { [self] in
          do { try await backLevel.remove(key) } catch {
            _ = failure(error, in: backLevel, key, .remove)
          }
        }
        throw error
      }
    } emptying: {
      try await attempt(front, key, .set) { try await front.remove(key) }
    }
  }

  public func remove(_ key: Key) async throws {
    try await gate.write(key) {
      try await inBoth(key, .remove) { try await $0.remove(key) }
    } emptying: {
      try await attempt(front, key, .remove) { try await front.remove(key) }
    }
  }

  public func removeAll() async throws {
    try await gate.writeAll {
      try await inBoth(nil, .removeAll) { try await $0.removeAll() }
    }
  }

  /// Also if the front fails the back is reached; the first error is thrown.
  private func inBoth(
    _ key: Key?, _ operation: CacheError.Operation,
    _ body: (any CacheLevel<Key, Value>) async throws -> Void
  ) async throws {
    var first: (any Error)?
    for level in [front as any CacheLevel<Key, Value>, backLevel].compactMap(\.self) {
      do { try await attempt(level, key, operation) { try await body(level) } } catch {
        first = first ?? error
      }
    }
    if backLevel == nil {
      do { try await forgetBehind(key, operation) } catch {
        // As above.
        try Task.checkCancellation()
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// A back that cannot be written may keep something all the same.
  private func forgetBehind(_ key: Key?, _ operation: CacheError.Operation) async throws {
    do { try await forget(key, in: back) } catch {
      // As above.
      try Task.checkCancellation()
      throw failure(error, in: back, key, operation)
    }
  }

  private func attempt(
    _ level: any CacheLevel<Key, Value>, _ key: Key?, _ operation: CacheError.Operation,
    _ body: () async throws -> Void
  ) async throws {
    do { try await body() } catch {
      // As above.
      try Task.checkCancellation()
      throw failure(error, in: level, key, operation)
    }
  }

  func failure(
    _ error: any Error, in level: some CacheSource, _ key: Key?, _ operation: CacheError.Operation
  ) -> any Error {
    let wrapped = CacheError.wrapping(error, level: level.name, key: key, operation: operation)
    if let onEvent, !(error is CancellationError) { onEvent(.failed(key, wrapped)) }
    return wrapped
  }
}

extension CacheLevel {
  /// Puts this level in front of another level or a source.
  ///
  /// ```swift
  /// let pages = MemoryLevel<URL, Data>(countLimit: 100).compose(NetworkFetcher())
  /// let page = try await pages.get(url)  // memory, else network; then also in memory
  /// ```
  ///
  /// - Parameters:
  ///   - back: What is asked after a miss.
  ///   - onEvent: Told what failed, also where the read went on without it.
  /// - Returns: A level of both. See ``ComposedLevel`` for what is an error and what a miss.
  public func compose<Back: CacheSource>(
    _ back: Back, onEvent: CacheEventHandler<Key>? = nil
  ) -> ComposedLevel<Self, Back> where Back.Key == Key, Back.Value == Value {
    ComposedLevel(front: self, back: back, onEvent: onEvent)
  }
}
