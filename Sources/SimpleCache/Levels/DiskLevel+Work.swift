import FileSupport
import Foundation
import SimpleStore
import Synchronization

/// What the calls with and without `await` have in common.
extension DiskLevel {
  func readEntry(_ key: Key) throws -> CacheEntry<Value>? {
    var deadline = Int64.max
    guard let value = try readValue(key, &deadline) else { return nil }
    return CacheEntry(value, deadline: deadline == .max ? nil : instant(ofWall: deadline))
  }

  func readValue(_ key: Key) throws -> Value? {
    var deadline = Int64.max
    return try readValue(key, &deadline)
  }

  @usableFromInline
  func readOrMiss(_ key: Key) -> Value? {
    // `onEvent` and the statistics have it.
    try? readValue(key)
  }

  @usableFromInline
  func storeOrForget(_ value: Value, forKey key: Key) {
    do { try store(value, forKey: key, expiry: expiry, bound: nil) } catch {
      // Told by `store`. The caller does not learn of it, so an older value must not stay.
      forgetIfPossible(key)
    }
  }

  @usableFromInline
  func forgetIfPossible(_ key: Key) {
    // `onEvent` and the statistics have it. What can neither be written nor removed is all that stays.
    try? forget(key)
  }

  private func readValue(_ key: Key, _ deadline: inout Int64) throws -> Value? {
    let bytes = key.stableBytes
    let outcome = try attempt(key, .get) { store throws(FileError) in try store.read(bytes) }
    switch consume outcome {
    case .hit(let data, let end, let inode):
      do {
        let value = try coding.decode(data)
        deadline = end
        tell(.hit, key)
        return value
      } catch {
        noteUndecodable(key, inode: inode, error)
      }
    case .miss: break
    case .expired: tell(.expired, key)
    }
    tell(.miss, key)
    return nil
  }

  /// Written by an older program, or damaged before it was written: never an error of `get`.
  @inline(never)
  private func noteUndecodable(_ key: Key, inode: UInt64, _ error: any Error) {
    _ = failure(ofCoding: error, key, .get)
    // There is a store if it gave something.
    try? place.get().discard(key.stableBytes, inode: inode)
  }

  func store(_ value: Value, forKey key: Key, expiry: CacheExpiry, bound: CacheInstant?) throws {
    let data: Data
    do { data = try coding.encode(value) } catch { throw failure(ofCoding: error, key, .set) }
    let (end, sliding) = times(expiry, bound: bound)
    let bytes = key.stableBytes
    var removed: [DiskStore.Removal] = []
    // Also when it throws: what had to go has gone.
    defer { if !removed.isEmpty { tell(removed) } }
    let isSet = try attempt(key, .set) { store throws(FileError) in
      try store.write(bytes, data, expiry: end, sliding: sliding, &removed)
    }
    if isSet { tell(.set, key) }
  }

  func forget(_ key: Key) throws {
    try attempt(key, .remove) { store throws(FileError) in try store.remove(key.stableBytes) }
  }

  /// Not on the caller's actor.
  @concurrent
  func contentsElsewhere() async throws -> DiskStore.Contents { try contents() }

  func contents() throws -> DiskStore.Contents {
    var removed: [DiskStore.Removal] = []
    defer { tell(removed) }
    return try attempt(during: .list) { store throws(FileError) in try store.contents(&removed) }
  }

  func sweep() throws {
    let contents = try contents()
    try attempt(during: .list) { _ throws(FileError) in
      if let failure = contents.failure { throw failure }
    }
  }

  func isThere(_ key: Key) throws -> Bool {
    var removed: [DiskStore.Removal] = []
    defer { tell(removed) }
    return try attempt(key, .get) { store throws(FileError) in
      try store.contains(key.stableBytes, &removed)
    }
  }

  /// Runs `body` on the folder; what it throws is told and becomes a ``CacheError``.
  @inline(__always)
  func attempt<Result>(
    _ key: Key, _ operation: @autoclosure () -> CacheError.Operation,
    _ body: (DiskStore) throws(FileError) -> Result
  ) throws(CacheError) -> Result {
    do throws(FileError) { return try body(try store) } catch {
      throw failure(error, at: key, operation())
    }
  }

  /// As above, where it is about no key in particular.
  @inline(__always)
  func attempt<Result>(
    during operation: @autoclosure () -> CacheError.Operation,
    _ body: (DiskStore) throws(FileError) -> Result
  ) throws(CacheError) -> Result {
    do throws(FileError) { return try body(try store) } catch {
      throw failure(error, nil, operation())
    }
  }

  private var store: DiskStore {
    get throws(FileError) {
      // Not `get()`, which is not inlined with its error's type.
      switch place {
      case .success(let store): return store
      case .failure(let error): throw error
      }
    }
  }

  /// Apart, and with a key that is not optional: to have room for an optional of any type of key takes a
  /// twentieth of a read.
  @inline(never)
  private func failure(
    _ error: FileError, at key: Key, _ operation: CacheError.Operation
  ) -> CacheError { failure(error, key, operation) }

  @inline(never)
  private func failure(
    ofCoding error: any Error, _ key: Key, _ operation: CacheError.Operation
  ) -> CacheError {
    let error = CacheError(
      .untransformable, level: name, key: key, operation: operation, underlying: error)
    tell(of: error, key)
    return error
  }

  @inline(never)
  private func failure(
    _ error: FileError, _ key: Key?, _ operation: CacheError.Operation
  ) -> CacheError {
    let error = CacheError(.failed, .system(error), level: name, key: key, operation: operation)
    tell(of: error, key)
    return error
  }

  /// When an entry that is set now expires by the wall clock, and how long it lives after a use.
  private func times(_ expiry: CacheExpiry, bound: CacheInstant?) -> (Int64, Int64) {
    var end = Int64.max
    var sliding: Int64 = 0
    switch expiry {
    case .never: break
    case .after(let time): end = wall(after: time)
    case .at(let date):
      end = date.nanosecondsSince1970
    case .sliding(let time):
      // A life of no length is over at once, and 0 stands for none.
      sliding = time.saturatedNanoseconds
      if sliding <= 0 { (end, sliding) = (.min, 0) }
    }
    if let bound { end = min(end, wall(after: clock.monotonic().duration(to: bound))) }
    return (end, sliding)
  }

  private func wall(after time: Duration) -> Int64 {
    let now = clock.wall().nanosecondsSince1970
    let (sum, overflow) = now.addingReportingOverflow(time.saturatedNanoseconds)
    // `now` is not negative on any clock that is right, so only a long time overflows.
    return overflow ? (time < .zero ? .min : .max) : sum
  }

  private func instant(ofWall deadline: Int64) -> CacheInstant {
    let now = clock.wall().nanosecondsSince1970
    let (rest, overflow) = deadline.subtractingReportingOverflow(now)
    return clock.monotonic().advanced(by: .nanoseconds(overflow ? .max : rest))
  }

  private func tell(_ removed: [DiskStore.Removal]) {
    for removal in removed {
      guard let key = Key(stableBytes: removal.key) else { continue }
      if let reason = removal.reason {
        counts.evictions.wrappingAdd(1, ordering: .relaxed)
        onEvent?(.evicted(key, reason))
      } else {
        tell(.expired, key)
      }
    }
  }

  /// Counts what happened, and tells it if somebody asked.
  @inline(__always)
  private func tell(_ happening: Happening, _ key: Key) {
    switch happening {
    case .hit: counts.hits.wrappingAdd(1, ordering: .relaxed)
    case .miss: counts.misses.wrappingAdd(1, ordering: .relaxed)
    case .set: counts.sets.wrappingAdd(1, ordering: .relaxed)
    case .expired: counts.expirations.wrappingAdd(1, ordering: .relaxed)
    }
    if onEvent != nil { report(happening, key) }
  }

  /// Apart from the counting: to have room for an event of any type of key costs a tenth of a read.
  @inline(never)
  private func report(_ happening: Happening, _ key: Key) {
    switch happening {
    case .hit: onEvent?(.hit(key))
    case .miss: onEvent?(.miss(key))
    case .set: onEvent?(.set(key))
    case .expired: onEvent?(.expired(key))
    }
  }

  @inline(never)
  private func tell(of error: CacheError, _ key: Key?) {
    counts.errors.wrappingAdd(1, ordering: .relaxed)
    onEvent?(.failed(key, error))
  }
}

/// What is counted and told most.
private enum Happening {
  case hit, miss, set, expired
}
