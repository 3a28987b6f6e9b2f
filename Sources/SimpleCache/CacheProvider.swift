public import Foundation

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
  /// Data by its URL, kept in the folder `named` of the application's caches.
  ///
  /// Make one for each folder: two of them do not share their fetches.
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
}
