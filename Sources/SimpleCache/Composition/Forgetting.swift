/// A source that keeps something itself, although it cannot be written: what is removed from the
/// composition that it is part of is removed there too, so that the next read asks for it.
protocol Forgetting<Key>: CacheSource {
  /// Law: a read that began before keeps nothing of the key.
  ///
  /// - Parameter key: `nil` is everything.
  func forget(_ key: Key?) async throws
}

/// Makes a source, or whatever is behind it, forget what it keeps itself. A level behind a source that
/// cannot be written loses its entry.
func forget<Source: CacheSource>(_ key: Source.Key?, in source: Source) async throws {
  if let source = source as? any Forgetting<Source.Key> {
    try await source.forget(key)
  } else if let level = source as? any CacheLevel<Source.Key, Source.Value> {
    if let key { try await level.remove(key) } else { try await level.removeAll() }
  }
}

extension UsePassing {
  func forget(_ key: Key?) async throws { try await SimpleCache.forget(key, in: base) }
}

extension ConditionallyTransformed: Forgetting {}
extension ConditionallyPostProcessed: Forgetting {}
extension ConditionedSource: Forgetting {}
extension CappedSource: Forgetting {}
extension TimedSource: Forgetting {}
extension RetriedSource: Forgetting {}
extension ObservedSource: Forgetting {}

extension AnySource: Forgetting {
  func forget(_ key: Key?) async throws { try await SimpleCache.forget(key, in: base) }
}

extension BatchSource: Forgetting {
  func forget(_ keys: [Base.Key]?) async throws {
    guard let keys else { return try await SimpleCache.forget(nil, in: base) }
    for key in keys { try await SimpleCache.forget(key, in: base) }
  }
}

extension KeyTransformed: Forgetting {
  func forget(_ key: Key?) async throws {
    if let key {
      try await SimpleCache.forget(convert(key), in: base)
    } else {
      try await SimpleCache.forget(nil, in: base)
    }
  }
}

extension SwitchedSource: Forgetting {
  /// Everything is in both; also if the first fails, the second is reached.
  func forget(_ key: Key?) async throws {
    switch key.map(choice) {
    case .first: try await SimpleCache.forget(key, in: first)
    case .second: try await SimpleCache.forget(key, in: second)
    case nil:
      let result = await Result { try await SimpleCache.forget(nil, in: first) }
      try await SimpleCache.forget(nil, in: second)
      try result.get()
    }
  }
}
