/// What a store knows of its place, and of its last save.
///
/// Beside ``StoreState``, not in it: a type that does not depend on the item is read and changed in
/// a few instructions, where the run time has to look up the layout of the other one each time.
struct StoreStatus: Sendable {
  var loadState = LoadState.absent
  var loadReport = LoadReport()
  /// Whether the store is ``LoadState/failed(_:)`` because what it imports could not be read.
  var isImportMissing = false
  var saveError: StoreError?
  var onSaveError: (@Sendable (StoreError) -> Void)?
  /// The watches under way, also those that are kept by themselves.
  private var watches: [WeakWatch] = []
  /// The ``StoreCore/revision`` of a document that lacks no field.
  private(set) var completeRevision: Int?

  private struct WeakWatch {
    weak var watch: StoreObservation?
  }

  /// Remembers a watch until the store ends.
  ///
  /// - Returns: Those that are there already, to be let go outside the lock.
  mutating func add(_ watch: StoreObservation) -> [StoreObservation] {
    let alive = watches.compactMap(\.watch)
    watches = (alive + [watch]).map { WeakWatch(watch: $0) }
    return alive
  }

  /// The watches that are under way.
  var activeWatches: [StoreObservation] { watches.compactMap(\.watch) }

  init(onSaveError: (@Sendable (StoreError) -> Void)?) { self.onSaveError = onSaveError }

  /// The error of a place that could not be read.
  var failure: StoreError? {
    if case .failed(let error) = loadState { error } else { nil }
  }

  /// Notes a save that has written these keys.
  ///
  /// - Parameter completeRevision: The core's revision if the document lacks no field now.
  mutating func noteSave(of keys: [String], completeRevision: Int?) {
    saveError = nil
    self.completeRevision = completeRevision
    loadReport.forgetProblems(of: keys)
  }
}
