public import SimpleStore

/// Keeps small values in any backend of SimpleStore: a JSON file, a property list, memory.
///
/// ```swift
/// let names = DocumentLevel<String>(.json(at: url))
/// try await names.set("sky", forKey: "user")
/// ```
///
/// The whole document is read and written each time, so it is for few and small values. It knows no
/// expiry: an entry that comes with a deadline from another level is not kept. A value that is not
/// one of this type is a miss; a document that cannot be read is an error. Keys of another type go
/// through `transformKeys`.
public final class DocumentLevel<Value: StoreConvertible>: CacheLevel {
  public typealias Key = String

  private let backend: any StoreBackend
  /// Held while the document is changed: calls of one backend's lock come from one thread at a time.
  private let changing = Guarded<Void>(())

  /// A level on a backend, which nothing else should write.
  public init(_ backend: some StoreBackend) { self.backend = backend }

  @concurrent
  public func get(_ key: String) async throws -> Value? {
    try attempt(key) { () throws(StoreError) in
      guard let stored = try backend.load()?[key] else { return nil }
      return Value(storeValue: stored)
    }
  }

  @concurrent
  public func set(_ value: Value, forKey key: String) async throws {
    try change(key) { $0[key] = value.storeValue }
  }

  @concurrent
  public func remove(_ key: String) async throws {
    try change(key) { $0[key] = nil }
  }

  @concurrent
  public func removeAll() async throws {
    try change(nil) { $0 = StoreDocument() }
  }

  private func change(_ key: String?, _ body: (inout StoreDocument) -> Void) throws {
    try attempt(key) { () throws(StoreError) in
      try changing.withLock { _ throws(StoreError) in
        try backend.lock()
        defer { backend.unlock() }
        let old = try backend.load()
        var document = old ?? StoreDocument()
        body(&document)
        if document != old ?? StoreDocument() { try backend.save(document) }
      }
    }
  }

  private func attempt<Result>(
    _ key: String?, _ body: () throws(StoreError) -> Result
  ) throws(CacheError) -> Result {
    do throws(StoreError) { return try body() } catch {
      throw CacheError(.failed, level: name, key: key, underlying: error)
    }
  }
}
