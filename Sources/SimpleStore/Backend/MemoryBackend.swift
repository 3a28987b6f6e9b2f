/// Keeps a document in memory, for tests, previews and settings that end with the program.
///
/// ```swift
/// let store = SimpleStore<User>(.memory)
/// ```
public final class MemoryBackend: StoreBackend {
  public let identity = StoreIdentity()
  private let document: Guarded<StoreDocument?>

  /// A place that holds a document, or nothing.
  public init(_ document: StoreDocument? = nil) { self.document = Guarded(document) }

  public func load() throws(StoreError) -> StoreDocument? { document.withLock { $0 } }

  public func save(_ document: StoreDocument) throws(StoreError) {
    self.document.withLock { $0 = document }
  }
}

extension StoreBackend where Self == MemoryBackend {
  /// A new place in memory. Stores share it when they are given the same ``MemoryBackend``.
  public static var memory: MemoryBackend { MemoryBackend() }
}
