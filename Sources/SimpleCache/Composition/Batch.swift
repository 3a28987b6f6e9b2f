/// What became of each key of a batch.
public struct BatchResult<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The values that were found.
  public var values: [Key: Value] = [:]
  /// The keys without a value, in the order asked.
  public var misses: [Key] = []
  /// The errors of the others.
  public var errors: [Key: any Error] = [:]
}

extension CacheSource {
  /// Reads many keys at once and gives what there is.
  ///
  /// One key's error does not touch the others. An empty batch asks for nothing. A key given twice is
  /// asked for once.
  ///
  /// - Parameters:
  ///   - keys: What to read.
  ///   - concurrent: How many reads run at a time; less than 1 counts as 1.
  /// - Throws: Only `CancellationError`, if the calling task was cancelled.
  public func batchGetSome(
    _ keys: [Key], concurrent: Int = 16
  ) async throws -> BatchResult<Key, Value> {
    var batch = BatchResult<Key, Value>()
    var unique: Set<Key> = []
    let wanted = keys.filter { unique.insert($0).inserted }
    let results = try await readEach(wanted, concurrent: concurrent, endsAtFirstError: false)
    for key in wanted {
      switch results[key] {
      case .success(let value?): batch.values[key] = value
      case .success(nil), nil: batch.misses.append(key)
      case .failure(let error): batch.errors[key] = error
      }
    }
    return batch
  }

  /// Reads many keys at once; all or nothing.
  ///
  /// - Parameters:
  ///   - keys: What to read; may be empty.
  ///   - concurrent: How many reads run at a time; less than 1 counts as 1.
  /// - Returns: The values in the order of the keys, or `nil` if one of them is a miss.
  /// - Throws: The first error; the other reads are cancelled.
  public func batchGetAll(_ keys: [Key], concurrent: Int = 16) async throws -> [Value]? {
    var unique: Set<Key> = []
    let wanted = keys.filter { unique.insert($0).inserted }
    let results = try await readEach(wanted, concurrent: concurrent, endsAtFirstError: true)
    var values: [Value] = []
    for key in keys {
      guard let value = try results[key]?.get() else { return nil }
      values.append(value)
    }
    return values
  }

  private func readEach(
    _ keys: [Key], concurrent: Int, endsAtFirstError: Bool
  ) async throws -> [Key: Result<Value?, any Error>] {
    try await withThrowingTaskGroup(of: (Key, Result<Value?, any Error>).self) { group in
      var results: [Key: Result<Value?, any Error>] = [:]
      var waiting = keys.makeIterator()
      let start = { (group: inout ThrowingTaskGroup<(Key, Result<Value?, any Error>), any Error>) in
        guard let key = waiting.next() else { return }
        group.addTask { (key, await Result { try await get(key) }) }
      }
      for _ in 0..<max(1, min(concurrent, keys.count)) { start(&group) }
      while let (key, result) = try await group.next() {
        // Whoever has gone needs no more reads.
        try Task.checkCancellation()
        if endsAtFirstError { _ = try result.get() }
        results[key] = result
        start(&group)
      }
      try Task.checkCancellation()
      return results
    }
  }

  /// A source of lists: one read gets all keys of a list, or none.
  public func allBatch() -> BatchSource<Self> { BatchSource(base: self) }
}

/// A source or level whose keys and values are lists of another's.
///
/// A read is a miss if one of the keys is, and fails if one fails. A `set` needs one value for each
/// key. Made by ``CacheSource/allBatch()``.
public struct BatchSource<Base: CacheSource>: CacheSource {
  public typealias Key = [Base.Key]
  public typealias Value = [Base.Value]

  let base: Base

  public var name: String { base.name }

  /// Reads the values of all keys, in their order; `nil` if one of them is a miss.
  public func get(_ keys: [Base.Key]) async throws -> [Base.Value]? {
    try await base.batchGetAll(keys)
  }

  /// As ``get(_:)``, with the earliest of the deadlines.
  public func entry(for keys: [Base.Key]) async throws -> CacheEntry<[Base.Value]>? {
    try await entry(for: keys) { [base] in try await base.entry(for: $0) }
  }

  private func entry(
    for keys: [Base.Key],
    _ read: @escaping @Sendable (Base.Key) async throws -> CacheEntry<Base.Value>?
  ) async throws -> CacheEntry<[Base.Value]>? {
    guard let entries = try await EntrySource(read: read).batchGetAll(keys) else { return nil }
    return CacheEntry(entries.map(\.value), deadline: entries.compactMap(\.deadline).min())
  }
}

/// A list is cached if all of it is, and fresh if all of it is.
extension BatchSource: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: [Base.Key]) async throws -> CacheEntry<[Base.Value]>? {
    try await entry(for: key) { [base] in try await base.cachedEntry(for: $0) }
  }

  public func refreshedEntry(for key: [Base.Key]) async throws -> CacheEntry<[Base.Value]>? {
    try await entry(for: key) { [base] in try await base.refreshedEntry(for: $0) }
  }
}

/// Reads entries as values, so that a list knows the earliest of its deadlines.
private struct EntrySource<Key: Hashable & Sendable, Value: Sendable>: CacheSource {
  let read: @Sendable (Key) async throws -> CacheEntry<Value>?
  func get(_ key: Key) async throws -> CacheEntry<Value>? { try await read(key) }
}

extension BatchSource: CacheLevel where Base: CacheLevel {
  /// Sets each value. At the first error those that were set are removed again, so that there is the
  /// old list or none: never one of old and new values, unless removing fails as well.
  public func set(_ values: [Base.Value], forKey keys: [Base.Key]) async throws {
    try await setEntry(CacheEntry(values), forKey: keys)
  }

  /// As ``set(_:forKey:)``, each value with the deadline of the list.
  public func setEntry(
    _ entry: CacheEntry<[Base.Value]>, forKey keys: [Base.Key]
  ) async throws {
    guard entry.value.count == keys.count else {
      throw CacheError(
        .mismatchedBatch, .batch(keys: keys.count, values: entry.value.count), level: name,
        key: keys, operation: .set)
    }
    for (number, (key, value)) in zip(keys, entry.value).enumerated() {
      do {
        try await base.setEntry(CacheEntry(value, deadline: entry.deadline), forKey: key)
      } catch {
        await takeBack { [base] in
          // The error that is thrown is the one that began it.
          for key in keys.prefix(number) { try? await base.remove(key) }
        }
        throw error
      }
    }
  }

  /// Forgets the value of each key; the first error is thrown, after all were tried.
  public func remove(_ keys: [Base.Key]) async throws {
    var first: (any Error)?
    for key in keys {
      do { try await base.remove(key) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  public func removeAll() async throws { try await base.removeAll() }
}

/// Undoes a part of a write that failed, to the end also if the caller is cancelled.
func takeBack(_ body: @escaping @Sendable () async -> Void) async {
  await Task { await body() }.value
}
