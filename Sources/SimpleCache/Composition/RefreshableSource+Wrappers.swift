// What is made of a source that knows a cached value from a fresh one knows it as well; otherwise a
// level in front of it would take what is cached behind for fresh.

extension ConditionallyTransformed: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await convert(base.cachedEntry(for: key), key)
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await convert(base.refreshedEntry(for: key), key)
  }
}

extension ConditionallyPostProcessed: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await process(base.cachedEntry(for: key), key)
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await process(base.refreshedEntry(for: key), key)
  }
}

extension KeyTransformed: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.cachedEntry(for: convert(key))
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.refreshedEntry(for: convert(key))
  }
}

extension ConditionedSource: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await isAccepted(key) ? base.cachedEntry(for: key) : nil
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await isAccepted(key) ? base.refreshedEntry(for: key) : nil
  }
}

extension CappedSource: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await inTurn { try await self.base.cachedEntry(for: key) }
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await inTurn { try await self.base.refreshedEntry(for: key) }
  }
}

extension TimedSource: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await inTime(key) { [base] in try await base.cachedEntry(for: key) }
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await inTime(key) { [base] in try await base.refreshedEntry(for: key) }
  }
}

extension RetriedSource: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await repeating { try await base.cachedEntry(for: key) }
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await repeating { try await base.refreshedEntry(for: key) }
  }
}

extension ObservedSource: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await toldEntry(key) { try await base.cachedEntry(for: key) }
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await toldEntry(key) { try await base.refreshedEntry(for: key) }
  }
}

/// Of the two, the one that the key is for; it need not know a cached value from a fresh one.
extension SwitchedSource: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    switch choice(key) {
    case .first: try await first.cachedEntryIfKnown(for: key)
    case .second: try await second.cachedEntryIfKnown(for: key)
    }
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    switch choice(key) {
    case .first: try await first.freshestEntry(for: key)
    case .second: try await second.freshestEntry(for: key)
    }
  }
}

/// What is behind the type decides; it need not know a cached value from a fresh one.
extension AnySource: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.cachedEntryIfKnown(for: key)
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.freshestEntry(for: key)
  }
}

/// As ``AnySource``.
extension AnyLevel: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.cachedEntryIfKnown(for: key)
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.freshestEntry(for: key)
  }
}

extension CacheSource {
  /// What is cached, if this source knows; another one counts as where fresh values come from.
  func cachedEntryIfKnown(for key: Key) async throws -> CacheEntry<Value>? {
    try await (self as? any RefreshableSource<Key, Value>)?.cachedEntry(for: key)
  }

  /// A fresh value, if this source knows one from a cached one; else what it has.
  func freshestEntry(for key: Key) async throws -> CacheEntry<Value>? {
    if let refreshable = self as? any RefreshableSource<Key, Value> {
      return try await refreshable.refreshedEntry(for: key)
    }
    return try await entry(for: key)
  }
}
