import FileSupport
import Foundation
import SimpleStore

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

  private func readValue(_ key: Key, _ deadline: inout Int64) throws -> Value? {
    let outcome = try attempt(key, .get) { store throws(FileError) in
      try store.read(key.stableBytes)
    }
    switch outcome {
    case .hit(let data, let end, let inode):
      let value: Value
      do { value = try coding.decode(data) } catch {
        // Written by an older program, or damaged before it was written: never an error of `get`.
        let error = CacheError(
          .untransformable, level: name, key: key, operation: .get, underlying: error)
        tell({ $0.errors += 1 }, .failed(key, error))
        // There is a store if it gave something.
        try? place.get().discard(key.stableBytes, inode: inode)
        tell({ $0.misses += 1 }, .miss(key))
        return nil
      }
      tell({ $0.hits += 1 }, .hit(key))
      deadline = end
      return value
    case .miss:
      tell({ $0.misses += 1 }, .miss(key))
      return nil
    case .expired:
      tell({ $0.expirations += 1 }, .expired(key))
      tell({ $0.misses += 1 }, .miss(key))
      return nil
    }
  }

  func store(_ value: Value, forKey key: Key, expiry: CacheExpiry, bound: CacheInstant?) throws {
    let data: Data
    do { data = try coding.encode(value) } catch {
      let error = CacheError(
        .untransformable, level: name, key: key, operation: .set, underlying: error)
      tell({ $0.errors += 1 }, .failed(key, error))
      throw error
    }
    let (end, sliding) = times(expiry, bound: bound)
    let (isSet, removed) = try attempt(key, .set) { store throws(FileError) in
      try store.write(key.stableBytes, data, expiry: end, sliding: sliding)
    }
    if isSet { tell({ $0.sets += 1 }, .set(key)) }
    if !removed.isEmpty { tell(removed) }
  }

  func forget(_ key: Key) throws {
    try attempt(key, .remove) { store throws(FileError) in try store.remove(key.stableBytes) }
  }

  /// Not on the caller's actor.
  @concurrent
  func contentsElsewhere() async throws -> DiskStore.Contents { try contents() }

  func contents() throws -> DiskStore.Contents {
    let contents = try attempt(nil, .list) { store throws(FileError) in try store.contents() }
    tell(contents.removed)
    return contents
  }

  func isThere(_ key: Key) throws -> Bool {
    let (isThere, removed) = try attempt(key, .get) { store throws(FileError) in
      try store.contains(key.stableBytes)
    }
    tell(removed)
    return isThere
  }

  /// Runs `body` on the folder; what it throws is told and becomes a ``CacheError``.
  @inline(__always)
  func attempt<Result>(
    _ key: Key?, _ operation: @autoclosure () -> CacheError.Operation,
    _ body: (DiskStore) throws(FileError) -> Result
  ) throws(CacheError) -> Result {
    do throws(FileError) {
      return try body(try place.get())
    } catch {
      let error = CacheError(
        .failed, .system(error), level: name, key: key, operation: operation())
      tell({ $0.errors += 1 }, .failed(key, error))
      throw error
    }
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
        tell({ $0.evictions += 1 }, .evicted(key, reason))
      } else {
        tell({ $0.expirations += 1 }, .expired(key))
      }
    }
  }

  /// Counts what happened, and tells it if somebody asked: without that the event is not made, which
  /// in code for any type of key costs a tenth of a read.
  @inline(__always)
  private func tell(
    _ note: (inout CacheStatistics) -> Void, _ event: @autoclosure () -> CacheEvent<Key>
  ) {
    counts.withLock { note(&$0) }
    if let onEvent { onEvent(event()) }
  }
}
