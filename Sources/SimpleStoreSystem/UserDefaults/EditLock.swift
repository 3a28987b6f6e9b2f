import FileSupport
import SimpleStore

/// What keeps other processes out of one place of a suite during an edit. Apple platforms have
/// nothing for this.
///
/// `@unchecked Sendable`: a backend is locked and unlocked by one thread at a time, under the lock
/// of the core of all stores on the place.
final class EditLock: @unchecked Sendable {
  private var session: FileSession?

  func lock(_ suite: DefaultsSuite, key: String?) throws(StoreError) {
    #if !canImport(Darwin)
      do throws(FileError) {
        session = try suite.editLock(key.map { Checksum.of($0.utf8) } ?? 0).beginSave()
      } catch {
        throw StoreError(
          .unwritable, .system(step: error.step.rawValue, code: error.code, found: error.found),
          path: error.path)
      }
    #endif
  }

  func unlock() {
    session?.end()
    session = nil
  }
}
