/// Where, inside a pool, a read or a refresh leaves the caches behind: which level asks its source,
/// and for what.
struct FetchPlace: Hashable, Sendable {
  let level: ObjectIdentifier
  let key: any Hashable & Sendable

  static func == (left: FetchPlace, right: FetchPlace) -> Bool {
    left.level == right.level && AnyHashable(left.key) == AnyHashable(right.key)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(level)
    key.hash(into: &hasher)
  }
}

/// What the reads and the refreshes of one key of a pool share: a read looks into the caches first, a
/// refresh does not, but both may come to ask the same source for the same.
struct SharedFetches: Sendable {
  /// Those of the read or refresh of a pool in which this runs. Seen by the levels on the way to the
  /// source only: not by what is in front of them, and not by the source.
  @TaskLocal static var current: SharedFetches?

  private let join:
    @Sendable (FetchPlace, @escaping @Sendable () async throws -> any Sendable) async throws ->
      any Sendable

  init<Key: Hashable & Sendable>(
    of key: Key, in table: FetchTable<Key, FetchPlace, any Sendable>
  ) {
    join = { place, body in try await table.share(place, of: key, body) }
  }

  func share<Value: Sendable>(
    _ place: FetchPlace, _ body: @escaping @Sendable () async throws -> CacheEntry<Value>?
  ) async throws -> CacheEntry<Value>? {
    let fetched = try await join(place) { Fetched(entry: try await body()) }
    guard let fetched = fetched as? Fetched<Value> else {
      fatalError("A level has values of one type.")
    }
    return fetched.entry
  }

  private struct Fetched<Value: Sendable>: Sendable {
    let entry: CacheEntry<Value>?
  }
}
