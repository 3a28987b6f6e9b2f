import FileSupport
import Foundation
import SimpleStore

/// The edits of one place of a suite: what keeps other processes, and other users of the place in
/// this one, out meanwhile. Apple platforms have nothing for this.
///
/// One thread waits while another one edits, so there is an edit for each thread.
final class EditLock: Sendable {
  /// `@unchecked Sendable`: the session is handed out only to the thread that began it.
  private struct Edit: @unchecked Sendable {
    let thread: pthread_t
    let session: FileSession?
    /// What the edit has last seen of the place.
    var seen: StoreDocument?
  }
  private let edits = Guarded<[Edit]>([])

  func lock(_ suite: DefaultsSuite, key: String?) throws(StoreError) {
    var session: FileSession?
    #if !canImport(Darwin)
      do throws(FileError) {
        session = try suite.editLock(key.map { Checksum.of($0.utf8) } ?? 0).beginSave()
      } catch {
        throw StoreError(
          .unwritable, .system(step: error.step.rawValue, code: error.code, found: error.found),
          path: error.path)
      }
    #endif
    let edit = Edit(thread: pthread_self(), session: session)
    edits.withLock { $0.append(edit) }
  }

  func unlock() {
    let ended = edits.withLock { edits in
      Self.index(in: edits).map { edits.remove(at: $0) }
    }
    ended?.session?.end()
  }

  /// What this thread's edit has last seen, nil inside for nothing yet; nil outside of an edit.
  var seen: StoreDocument?? {
    edits.withLock { edits in Self.index(in: edits).map { edits[$0].seen } }
  }

  /// - Returns: false when this thread is in no edit.
  func see(_ document: StoreDocument?) -> Bool {
    edits.withLock { edits in
      guard let index = Self.index(in: edits) else { return false }
      edits[index].seen = document
      return true
    }
  }

  private static func index(in edits: [Edit]) -> Int? {
    edits.firstIndex { pthread_equal($0.thread, pthread_self()) != 0 }
  }
}
