/// The index of a document that may never be asked for a key: made at the first question.
///
/// A dictionary that is only written is not hashed for it.
final class LateIndex: Sendable {
  private let made = Guarded<KeyIndex?>(nil)

  /// The index of these entries, which are the same at every call.
  func index(of entries: [StoreDocument.Entry]) -> KeyIndex {
    made.withLock { made in
      if let made { return made }
      let index = KeyIndex(entries, capacity: entries.count)
      made = index
      return index
    }
  }
}
