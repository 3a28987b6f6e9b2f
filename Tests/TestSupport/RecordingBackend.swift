package import SimpleStore
import Synchronization

/// A backend that counts its saves and fails when it is told to.
package final class RecordingBackend: StoreBackend {
  private struct State {
    var document: StoreDocument?
    var saves = 0
    var loadError: StoreError?
    var saveError: StoreError?
    var lockError: StoreError?
  }
  package let identity = StoreIdentity()
  private let state = Mutex(State())

  package init(_ document: StoreDocument? = nil) { state.withLock { $0.document = document } }

  /// How often a document was saved.
  package var saves: Int { state.withLock { $0.saves } }
  /// What is stored.
  package var document: StoreDocument? {
    get { state.withLock { $0.document } }
    set { state.withLock { $0.document = newValue } }
  }
  /// What the next loads throw; nil for none.
  package var loadError: StoreError? {
    get { state.withLock { $0.loadError } }
    set { state.withLock { $0.loadError = newValue } }
  }
  /// What the next saves throw; nil for none.
  package var saveError: StoreError? {
    get { state.withLock { $0.saveError } }
    set { state.withLock { $0.saveError = newValue } }
  }
  /// What the next locks throw; nil for none.
  package var lockError: StoreError? {
    get { state.withLock { $0.lockError } }
    set { state.withLock { $0.lockError = newValue } }
  }

  package func load() throws(StoreError) -> StoreDocument? {
    let (error, document) = state.withLock { ($0.loadError, $0.document) }
    if let error { throw error }
    return document
  }

  package func save(_ document: StoreDocument) throws(StoreError) {
    let error = state.withLock { state in
      if state.saveError == nil {
        state.saves += 1
        state.document = document
      }
      return state.saveError
    }
    if let error { throw error }
  }

  package func lock() throws(StoreError) {
    if let error = state.withLock({ $0.lockError }) { throw error }
  }

  package func replaceDamaged(
    with document: StoreDocument, movedTo place: inout String?
  ) throws(StoreError) {
    try save(document)
    state.withLock { $0.loadError = nil }
    place = "elsewhere"
  }
}
