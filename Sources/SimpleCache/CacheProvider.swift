public import Foundation
import SimpleStore

/// Ready-made caches for the usual cases: memory over disk over network, with one fetch for all who
/// ask for the same at once.
///
/// ```swift
/// let data = try await CacheProvider.sharedData.get(url)
/// ```
///
/// Memory holds up to 50 MB of data or 500 decoded values, disk up to 200 MB, each for seven days.
/// Compose your own where that does not fit.
public enum CacheProvider {
  /// Data by its URL, kept in a folder of the application's caches.
  ///
  /// Make one for each folder, or use ``sharedData(named:)``: two of them do not share their fetches.
  ///
  /// - Parameter folder: The name of the folder; one component of a path.
  public static func data(named folder: String) -> some CacheLevel<URL, Data> {
    data(named: folder, clock: .system)
  }

  package static func data(
    named folder: String, clock: CacheClock
  ) -> some CacheLevel<URL, Data> {
    MemoryLevel<URL, Data>(costLimit: 50_000_000, expiry: lifetime, clock: clock)
      .compose(DiskLevel(named: folder, sizeLimit: 200_000_000, expiry: lifetime, clock: clock))
      .compose(NetworkFetcher())
      .pooled()
  }

  /// Of both levels: a value that is fetched comes into memory without a deadline of its own.
  private static let lifetime = CacheExpiry.days(7)

  /// Values that are fetched as JSON, by their URL.
  ///
  /// - Parameters:
  ///   - folder: As in ``data(named:)``.
  ///   - type: The type of the values.
  public static func json<Value: Codable & Sendable>(
    named folder: String, as type: Value.Type = Value.self
  ) -> some CacheLevel<URL, Value> {
    codable(named: folder, from: NetworkFetcher().transformValues(JSONTransformer<Value>()))
  }

  /// Values of any source, by any key: memory over disk over the source.
  ///
  /// - Parameters:
  ///   - folder: As in ``data(named:)``.
  ///   - source: What is asked when neither memory nor disk has a value.
  public static func codable<Source: CacheSource>(
    named folder: String, from source: Source
  ) -> some CacheLevel<Source.Key, Source.Value>
  where Source.Key: StableKey, Source.Value: Codable {
    codable(named: folder, from: source, clock: .system)
  }

  package static func codable<Source: CacheSource>(
    named folder: String, from source: Source, clock: CacheClock
  ) -> some CacheLevel<Source.Key, Source.Value>
  where Source.Key: StableKey, Source.Value: Codable {
    MemoryLevel<Source.Key, Source.Value>(countLimit: 500, expiry: lifetime, clock: clock)
      .compose(
        DiskLevel(
          named: folder, sizeLimit: 200_000_000, expiry: lifetime, coding: .json, clock: clock)
      )
      .compose(source)
      .pooled()
  }

  /// One cache of data for the whole program, in the folder `shared-data`.
  public static let sharedData: some CacheLevel<URL, Data> = data(named: "shared-data")

  /// The cache of ``data(named:)`` that the whole program shares: always the same one for a folder.
  public static func sharedData(named folder: String) -> AnyLevel<URL, Data> {
    SharedCaches.cache("data", folder) { data(named: folder) }
  }

  /// The cache of ``json(named:as:)`` that the whole program shares: always the same one for a folder
  /// and a type. Give each type a folder of its own.
  ///
  /// ```swift
  /// let articles = CacheProvider.sharedJSON(named: "articles", as: [Article].self)
  /// ```
  public static func sharedJSON<Value: Codable & Sendable>(
    named folder: String, as type: Value.Type = Value.self
  ) -> AnyLevel<URL, Value> {
    SharedCaches.cache("json", folder) { json(named: folder, as: type) }
  }

  /// The cache of ``codable(named:from:)`` that the whole program shares: always the same one for a
  /// folder and types of key and value. Give each a folder of its own.
  ///
  /// - Parameters:
  ///   - folder: As in ``data(named:)``.
  ///   - source: What is asked when neither memory nor disk has a value; counts the first time only.
  public static func sharedCodable<Source: CacheSource>(
    named folder: String, from source: @autoclosure () -> Source
  ) -> AnyLevel<Source.Key, Source.Value>
  where Source.Key: StableKey, Source.Value: Codable {
    SharedCaches.cache("codable", folder) { codable(named: folder, from: source()) }
  }
}

/// The caches that a program shares, made when they are first asked for.
private enum SharedCaches {
  private struct Name: Hashable {
    let kind: String
    let folder: String
    let type: ObjectIdentifier
  }

  private static let made = Guarded<[Name: any Sendable]>([:])

  static func cache<Level: CacheLevel>(
    _ kind: String, _ folder: String, make: () -> Level
  ) -> AnyLevel<Level.Key, Level.Value> {
    typealias Shared = AnyLevel<Level.Key, Level.Value>
    let name = Name(kind: kind, folder: folder, type: ObjectIdentifier(Shared.self))
    if let shared = made.withLock({ $0[name] }) as? Shared { return shared }
    // Not under the lock: the source may be made of another shared cache. Of two made at once one goes;
    // a level that nobody has used has touched nothing.
    let new = make().normalize()
    return made.withLock { made in
      if let shared = made[name] as? Shared { return shared }
      made[name] = new
      return new
    }
  }
}
