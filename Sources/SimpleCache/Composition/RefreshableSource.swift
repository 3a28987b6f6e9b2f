/// A source that knows a cached value from a fresh one.
///
/// ``ComposedLevel`` is one, and what is made of it by pooling, capping, observing, conditioning and
/// transforming.
public protocol RefreshableSource<Key, Value>: CacheSource {
  /// What is cached, without asking where fresh values come from; `nil` is a miss.
  func cachedEntry(for key: Key) async throws -> CacheEntry<Value>?

  /// A fresh value, without asking what is cached; it is put into the cache.
  func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>?
}

extension ComposedLevel: RefreshableSource {
  /// From the front, or from what is cached behind it.
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    let (found, error) = try await askFront(key)
    if let found {
      noteUse(key)
      return found
    }
    let entry = try await fetch(key) { [back] in try await back.cachedEntryIfKnown(for: key) }
    if entry == nil, let error { throw error }
    return entry
  }

  /// From the very back; the levels before it are filled.
  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await fetchShared(key, isFresh: true) { [back] in
      try await back.freshestEntry(for: key)
    }
  }
}

extension PooledSource: RefreshableSource where Base: RefreshableSource {
  public func cachedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await base.cachedEntry(for: key)
  }

  public func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>? {
    try await share(.refresh(key)) { [base] in try await base.refreshedEntry(for: key) }
  }
}
