/// A source that knows a cached value from a fresh one.
///
/// ``ComposedLevel`` and ``NetworkFetcher`` are such sources, and what is made of them by pooling,
/// capping, observing, conditioning and transforming. A source of your own is one if it keeps something
/// itself: a level in front of it would else take what it keeps for fresh.
public protocol RefreshableSource<Key, Value>: CacheSource {
  /// What is cached, without asking where fresh values come from.
  ///
  /// Law: whatever it gives, ``CacheSource/entry(for:)`` could have given without asking. Law: `nil` is
  /// a miss, also if there is a value where fresh ones come from.
  ///
  /// - Parameter key: What to look for.
  /// - Returns: The value and the moment at which it stops being valid, or `nil` for a miss.
  /// - Throws: As ``CacheSource/get(_:)``: what keeps it from finding out.
  func cachedEntry(for key: Key) async throws -> CacheEntry<Value>?

  /// What there is now where fresh values come from, asked for whatever is cached; it is put into the
  /// cache.
  ///
  /// Law: what is cached is not given for it: the source is asked, or was just being asked for others of
  /// the same pool. A server may answer that what is kept is still right, and that is given then.
  ///
  /// - Parameter key: What to look for.
  /// - Returns: The value and the moment at which it stops being valid, or `nil` if there is none.
  /// - Throws: As ``CacheSource/get(_:)``. What was cached stays then, and is not given instead.
  func refreshedEntry(for key: Key) async throws -> CacheEntry<Value>?
}

extension ComposedLevel: RefreshableSource {
  /// From the front, or from what is cached behind it; that fills the front.
  ///
  /// - Parameter key: What to look for.
  /// - Returns: The value and its deadline, or `nil` for a miss in all that is cached.
  /// - Throws: An error of the back, or one of the front if the back has a miss.
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

  /// From the very back; the levels before it are filled, none of them is asked.
  ///
  /// A back that does not know cached from fresh counts as where fresh values come from.
  ///
  /// - Parameter key: What to look for.
  /// - Returns: The value and its deadline, or `nil` if there is none at the back.
  /// - Throws: An error of the back. A front that cannot keep the value is told to `onEvent` only.
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
