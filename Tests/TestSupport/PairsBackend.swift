package import SimpleStore
import Synchronization

/// A backend as a user of the package would write one: a list of keys and values.
package final class PairsBackend: StoreBackend {
  package let identity = StoreIdentity()
  private let pairs = Mutex<[(String, StoreValue)]?>(nil)

  package init() {}

  package func load() throws(StoreError) -> StoreDocument? {
    pairs.withLock { pairs in
      guard let pairs else { return nil }
      var document = StoreDocument()
      for (key, value) in pairs { document[key] = value }
      return document
    }
  }

  package func save(_ document: StoreDocument) throws(StoreError) {
    let new = document.map { ($0.key, $0.value) }
    pairs.withLock { $0 = new }
  }
}
