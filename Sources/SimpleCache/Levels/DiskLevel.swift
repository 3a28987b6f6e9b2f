import FileSupport
public import Foundation
import SimpleStore

/// A cache on disk, with limits on count and size, and expiry; usable with and without `await`.
///
/// ```swift
/// let pictures = DiskLevel<URL, Data>(named: "pictures", sizeLimit: 200_000_000, expiry: .days(7))
/// try await pictures.set(Data("…".utf8), forKey: url)
/// let picture = try await pictures.get(url)
/// ```
///
/// **Files.** Each entry is one file in the folder, named by a hash of its key; whatever a key
/// contains, nothing outside the folder is touched and no link is followed. A file is complete or not
/// there; one that is damaged, cut off or something else is a miss and is removed. Files are not
/// synchronised to the device: what a power cut takes can be fetched again.
///
/// **Limits.** When `set` has returned, they hold: room is made before the new entry comes in, the
/// least recently used goes first, expired ones before it (of more than 64, some of those may stay until
/// as many have been set as there are). A value larger than the whole limit is not
/// kept. A limit of `nil` is none, a limit of 0 keeps nothing. Limits hold after a restart as well.
///
/// **Several processes** may share a folder. What another one sets is found, what it removes is a
/// miss. Limits hold whoever sets, as long as all have the same ones: a small file in the folder,
/// `.tally`, says how much is there, and its lock lets one at a time bring something in. Nobody waits
/// longer than a second for one that is stopped meanwhile, or at all where a file system has no locks:
/// then each goes by its own look through the folder, every five seconds in which it sets something.
///
/// **Threads.** Nothing touches the disk before the first use. Calls with `await` never run on the
/// caller's actor; the subscript works on the caller's thread. A read needs no list of the folder; the
/// first `set` with a limit makes one, from the files' headers.
///
/// **Expiry** is by the wall clock. An entry that expires and was set in the future has expired: the
/// clock was set back, and its age is unknown. One that never expires stays, as older than what was
/// used since. A hit in a level above keeps an entry from being the next to go; it does not prolong a
/// sliding expiry, which counts from the last use of this level. After a restart, the order of such
/// entries is that of those uses too.
public final class DiskLevel<Key: StableKey, Value: Sendable>: CacheLevel {
  public let name: String
  let expiry: CacheExpiry
  let clock: CacheClock
  let coding: EntryCoding<Value>
  let onEvent: CacheEventHandler<Key>?
  /// Or why there is no folder.
  let place: Result<DiskStore, FileError>
  let counts = CacheCounters()

  /// A level in a folder of the application's caches: `$XDG_CACHE_HOME/APPLICATION/NAME` or
  /// `~/.cache/APPLICATION/NAME` on Linux, `Caches/APPLICATION/NAME` on Apple platforms, where the
  /// folder is left out of backups and protected until the first unlock.
  ///
  /// - Parameters:
  ///   - folder: The name of the folder; one component of a path. If it is none, or there is no home,
  ///     every call fails and says so.
  ///   - application: The name of the application; by default that of the bundle or the executable.
  ///   - countLimit: The most entries it holds; `nil` is no limit, 0 keeps nothing. Must not be
  ///     negative.
  ///   - sizeLimit: The most bytes its values may take together; `nil` is no limit, 0 keeps nothing.
  ///     Must not be negative. A file has 48 bytes and the key more.
  ///   - expiry: How long an entry is kept unless its `set` says otherwise.
  ///   - coding: How values become bytes.
  ///   - clock: What time it is.
  ///   - onEvent: Called with everything that happens. Without it nothing is called.
  public convenience init(
    named folder: String, application: String? = nil, countLimit: Int? = nil,
    sizeLimit: Int? = nil, expiry: CacheExpiry = .never, coding: EntryCoding<Value>,
    clock: CacheClock = .system, onEvent: CacheEventHandler<Key>? = nil
  ) {
    let path: Result<String, FileError>
    do throws(FileError) {
      try ApplicationDirectories.checkName(folder)
      let caches = try ApplicationDirectories.caches(
        application: application, environment: ProcessInfo.processInfo.environment)
      path = .success(caches + "/" + folder)
    } catch {
      path = .failure(error)
    }
    self.init(
      path, countLimit: countLimit, sizeLimit: sizeLimit, expiry: expiry, coding: coding,
      clock: clock, name: "DiskLevel \(folder)", calls: .system, onEvent: onEvent)
  }

  /// A level in a folder, which is made when something is set. It should have no other files: those
  /// whose names are 32 hexadecimal digits are taken for entries, and removed if they are none.
  ///
  /// - Parameters:
  ///   - directory: The folder. If it is no file URL, every call fails and says so.
  ///   - countLimit: The most entries it holds; `nil` is no limit, 0 keeps nothing. Must not be
  ///     negative.
  ///   - sizeLimit: The most bytes its values may take together; `nil` is no limit, 0 keeps nothing.
  ///     Must not be negative. A file has 48 bytes and the key more.
  ///   - expiry: How long an entry is kept unless its `set` says otherwise.
  ///   - coding: How values become bytes.
  ///   - clock: What time it is.
  ///   - onEvent: Called with everything that happens. Without it nothing is called.
  public convenience init(
    directory: URL, countLimit: Int? = nil, sizeLimit: Int? = nil, expiry: CacheExpiry = .never,
    coding: EntryCoding<Value>, clock: CacheClock = .system,
    onEvent: CacheEventHandler<Key>? = nil
  ) {
    self.init(
      directory: directory, countLimit: countLimit, sizeLimit: sizeLimit, expiry: expiry,
      coding: coding, clock: clock, calls: .system, onEvent: onEvent)
  }

  package convenience init(
    directory: URL, countLimit: Int? = nil, sizeLimit: Int? = nil, expiry: CacheExpiry = .never,
    coding: EntryCoding<Value>, clock: CacheClock = .system, calls: DiskCalls,
    onEvent: CacheEventHandler<Key>? = nil
  ) {
    var path = directory.absoluteURL.path(percentEncoded: false)
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    let place: Result<String, FileError> =
      directory.isFileURL
      ? .success(path)
      : .failure(FileError(.resolvePath, path: directory.absoluteString, code: EINVAL))
    self.init(
      place, countLimit: countLimit, sizeLimit: sizeLimit, expiry: expiry,
      coding: coding, clock: clock, name: "DiskLevel", calls: calls, onEvent: onEvent)
  }

  private init(
    _ path: Result<String, FileError>, countLimit: Int?, sizeLimit: Int?, expiry: CacheExpiry,
    coding: EntryCoding<Value>, clock: CacheClock, name: String, calls: DiskCalls,
    onEvent: CacheEventHandler<Key>?
  ) {
    require(countLimit ?? 0 >= 0, "A count limit must not be negative; nil is no limit.")
    require(sizeLimit ?? 0 >= 0, "A size limit must not be negative; nil is no limit.")
    self.name = name
    self.expiry = expiry
    self.coding = coding
    self.clock = clock
    self.onEvent = onEvent
    place = path.map {
      DiskStore(
        path: $0, countLimit: countLimit, sizeLimit: sizeLimit, clock: clock, calls: calls)
    }
  }

  /// The value of a key, read and written on this thread. Setting `nil` removes it.
  ///
  /// A read that fails is a miss. A value that cannot be kept is a miss as well, and the one before it
  /// is removed. `onEvent` is told.
  @inlinable
  public subscript(key: Key) -> Value? {
    get { readOrMiss(key) }
    set {
      // Inlined, because what an optional of any type is costs a tenth of a write.
      if let newValue { storeOrForget(newValue, forKey: key) } else { forgetIfPossible(key) }
    }
  }

  @concurrent
  public func get(_ key: Key) async throws -> Value? { try readValue(key) }

  @concurrent
  public func entry(for key: Key) async throws -> CacheEntry<Value>? { try readEntry(key) }

  @concurrent
  public func set(_ value: Value, forKey key: Key) async throws {
    try store(value, forKey: key, expiry: expiry, bound: nil)
  }

  /// Keeps a value for as long as this expiry says.
  @concurrent
  public func set(_ value: Value, forKey key: Key, expiry: CacheExpiry) async throws {
    try store(value, forKey: key, expiry: expiry, bound: nil)
  }

  @concurrent
  public func setEntry(_ entry: CacheEntry<Value>, forKey key: Key) async throws {
    try store(entry.value, forKey: key, expiry: expiry, bound: entry.deadline)
  }

  @concurrent
  public func remove(_ key: Key) async throws { try forget(key) }

  /// Forgets everything. Files in the folder that are no entries stay.
  @concurrent
  public func removeAll() async throws {
    try attempt(during: .removeAll) { store throws(FileError) in try store.removeAll() }
  }

  /// Removes what has expired. Expired entries are misses also without it; it frees their space.
  ///
  /// - Throws: When there is one that cannot be removed; the others are all the same.
  @concurrent
  public func removeExpired() async throws { try sweep() }

  /// The keys of all entries that have not expired, the least recently used first.
  public var keys: [Key] {
    get async throws { try await contentsElsewhere().keys.compactMap(Key.init(stableBytes:)) }
  }

  /// How many entries there are, expired ones not counted.
  public var count: Int { get async throws { try await contentsElsewhere().keys.count } }

  /// How many bytes the values take together, expired ones not counted.
  public var sizeInBytes: Int { get async throws { try await contentsElsewhere().size } }

  /// Whether there is an entry that has not expired. Its age stays as it is, and its value is not read.
  @concurrent
  public func contains(_ key: Key) async throws -> Bool {
    try isThere(key)
  }

  /// Where the file of a key is, or would be; `nil` if the level has no folder. Its layout is this
  /// package's own: the value is behind a header.
  public func url(forKey key: Key) -> URL? {
    guard case .success(let store) = place else { return nil }
    return URL(filePath: store.folder.path, directoryHint: .isDirectory)
      .appending(path: EntryName(of: key.stableBytes).text)
  }

  /// What has happened since the level was made.
  public var statistics: CacheStatistics { counts.statistics }
}

extension DiskLevel where Value == Data {
  /// A level of bytes; see
  /// ``init(named:application:countLimit:sizeLimit:expiry:coding:clock:onEvent:)``.
  public convenience init(
    named folder: String, application: String? = nil, countLimit: Int? = nil,
    sizeLimit: Int? = nil, expiry: CacheExpiry = .never, clock: CacheClock = .system,
    onEvent: CacheEventHandler<Key>? = nil
  ) {
    self.init(
      named: folder, application: application, countLimit: countLimit, sizeLimit: sizeLimit,
      expiry: expiry, coding: .data, clock: clock, onEvent: onEvent)
  }

  /// A level of bytes; see ``init(directory:countLimit:sizeLimit:expiry:coding:clock:onEvent:)``.
  public convenience init(
    directory: URL, countLimit: Int? = nil, sizeLimit: Int? = nil, expiry: CacheExpiry = .never,
    clock: CacheClock = .system, onEvent: CacheEventHandler<Key>? = nil
  ) {
    self.init(
      directory: directory, countLimit: countLimit, sizeLimit: sizeLimit, expiry: expiry,
      coding: .data, clock: clock, onEvent: onEvent)
  }
}
