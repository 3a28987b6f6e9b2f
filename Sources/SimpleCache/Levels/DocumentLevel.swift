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
/// one of this type is a miss. Keys of another type go through `transformKeys`.
///
/// **Damage.** A document that is damaged is a miss for every key, and `onEvent` is told; the first change
/// puts a new one in its place, and the backend keeps what was there where no save touches it. A
/// backend that cannot do that refuses every change until `removeAll`. A document that cannot be read
/// (not permitted, a fault of the device) is an error.
public final class DocumentLevel<Value: StoreConvertible>: CacheLevel {
  public typealias Key = String

  private let backend: any StoreBackend
  private let onEvent: CacheEventHandler<String>?
  /// Held while the document is changed: calls of one backend's lock come from one thread at a time.
  private let changing = Guarded<Void>(())

  /// A level on a backend, which nothing else should write.
  ///
  /// - Parameters:
  ///   - backend: Where the document is.
  ///   - onEvent: Called with everything that happens. Without it nothing is called.
  public init(_ backend: some StoreBackend, onEvent: CacheEventHandler<String>? = nil) {
    self.backend = backend
    self.onEvent = onEvent
  }

  @concurrent
  public func get(_ key: String) async throws -> Value? {
    let value = try attempt(key, .get) { () throws(StoreError) -> Value? in
      do throws(StoreError) {
        return try backend.load()?[key].flatMap { Value(storeValue: $0) }
      } catch {
        guard error.code == .damaged else { throw error }
        _ = failure(error, key, .get)
        return nil
      }
    }
    onEvent?(value == nil ? .miss(key) : .hit(key))
    return value
  }

  @concurrent
  public func set(_ value: Value, forKey key: String) async throws {
    // Not under the locks: it is the user's code.
    let stored = value.storeValue
    try change(key, .set) { $0[key] = stored }
    onEvent?(.set(key))
  }

  @concurrent
  public func remove(_ key: String) async throws {
    try change(key, .remove) { $0[key] = nil }
  }

  @concurrent
  public func removeAll() async throws {
    try change(nil, .removeAll) { $0 = StoreDocument() }
  }

  private func change(
    _ key: String?, _ operation: CacheError.Operation, _ body: (inout StoreDocument) -> Void
  ) throws {
    try attempt(key, operation) { () throws(StoreError) in
      try changing.withLock { _ throws(StoreError) in
        try backend.lock()
        defer { backend.unlock() }
        let old: StoreDocument?
        do throws(StoreError) { old = try backend.load() } catch {
          guard error.code == .damaged else { throw error }
          return try replaceDamaged(after: error, operation, body)
        }
        var document = old ?? StoreDocument()
        body(&document)
        if document != old ?? StoreDocument() { try backend.save(document) }
      }
    }
  }

  private func replaceDamaged(
    after error: StoreError, _ operation: CacheError.Operation,
    _ body: (inout StoreDocument) -> Void
  ) throws(StoreError) {
    var document = StoreDocument()
    body(&document)
    var place: String?
    do throws(StoreError) {
      try backend.replaceDamaged(with: document, movedTo: &place)
    } catch let refusal {
      guard case .damagedFileStays = refusal.detail else { throw refusal }
      // Whoever removes everything wants to be rid of what is there, too.
      guard operation == .removeAll else { throw error }
      try backend.save(document)
    }
  }

  private func attempt<Result>(
    _ key: String?, _ operation: CacheError.Operation, _ body: () throws(StoreError) -> Result
  ) throws(CacheError) -> Result {
    do throws(StoreError) { return try body() } catch { throw failure(error, key, operation) }
  }

  private func failure(
    _ error: StoreError, _ key: String?, _ operation: CacheError.Operation
  ) -> CacheError {
    let error = CacheError(
      .failed, level: name, key: key, operation: operation, underlying: error)
    onEvent?(.failed(key, error))
    return error
  }
}
