package import SimpleStore

/// A place as another process has it: nothing is shared but what is stored.
///
/// One at a time: the lock of a file knows only its process.
package struct AnotherProcess: StoreBackend {
  package let identity = StoreIdentity()
  private let place: any StoreBackend

  package init(_ place: any StoreBackend) { self.place = place }

  package func load() throws(StoreError) -> StoreDocument? { try place.load() }
  package func save(_ document: StoreDocument) throws(StoreError) { try place.save(document) }
  package func lock() throws(StoreError) { try place.lock() }
  package func unlock() { place.unlock() }
}
