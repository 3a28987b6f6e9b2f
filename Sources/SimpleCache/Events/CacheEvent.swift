/// Something that happened in a level, for logging and metrics.
public enum CacheEvent<Key: Sendable>: Sendable {
  /// A read found a value.
  case hit(Key)
  /// A read found none.
  case miss(Key)
  /// A value was set.
  case set(Key)
  /// An entry was removed to keep a limit.
  case evicted(Key, EvictionReason)
  /// An entry was removed because its time was over.
  case expired(Key)
  /// Something failed. Where a read or a write went on without it, this is the only trace of it.
  case failed(Key?, any Error)
}

/// Why an entry was evicted.
public enum EvictionReason: Hashable, Sendable {
  /// The level held as many entries as it may.
  case countLimit
  /// The level's entries cost as much as they may.
  case costLimit
  /// The entry alone costs more than the level may hold; it was not kept.
  case tooCostly
  /// Memory ran short.
  case memoryPressure
}

/// What is called with each event.
///
/// Called on the thread where it happened, after the locks of the level are released; it may use the
/// level.
public typealias CacheEventHandler<Key: Sendable> = @Sendable (CacheEvent<Key>) -> Void
