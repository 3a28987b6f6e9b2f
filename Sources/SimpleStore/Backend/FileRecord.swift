import FileSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a process knows about one file: shared by all backends on it, however its path is spelled.
final class FileRecord: Sendable {
  /// The document as last read or written, and the file that it was in. A class: it is looked at
  /// several times in a save, and has twenty words.
  final class Known: Sendable {
    let version: FileVersion
    let document: StoreDocument
    let format: any DocumentFormat

    init(version: FileVersion, document: StoreDocument, format: any DocumentFormat) {
      self.version = version
      self.document = document
      self.format = format
    }
  }

  let identity = StoreIdentity()
  /// What the file was first opened as.
  let formatName: String
  let known = Guarded<Known?>(nil)
  /// The directories that were made by a save which then could not synchronize names; nil when all
  /// names are as safe as was asked for.
  ///
  /// The content of such a save is in place. A later save would find its own values there and have
  /// nothing to write, so it first has to do what was left undone; else it would be called done,
  /// and could be lost in a power cut all the same.
  let unsynchronized = Guarded<[String]?>(nil)

  /// A save under way, which belongs to the thread that began it.
  ///
  /// `@unchecked Sendable`: the session is handed out only to that thread.
  private struct Ownership: @unchecked Sendable {
    let thread: pthread_t
    let session: FileSession
  }
  private let sessions = Guarded<[Ownership]>([])

  /// The save that this thread is in.
  var session: FileSession? {
    sessions.withLock { $0.first { pthread_equal($0.thread, pthread_self()) != 0 } }?.session
  }

  func begin(_ session: FileSession) {
    let ownership = Ownership(thread: pthread_self(), session: session)
    sessions.withLock { $0.append(ownership) }
  }

  /// Ends the save that this thread is in.
  func endSession() {
    // Ended while it is still found, and out of the lock.
    guard let session else { return }
    session.end()
    sessions.withLock { sessions in
      if let position = sessions.firstIndex(where: { $0.session === session }) {
        sessions.remove(at: position)
      }
    }
  }

  /// A record of its own, for a path that no file can have.
  init(formatName: String) { self.formatName = formatName }

  private struct Weak {
    weak var record: FileRecord?
  }
  private static let records = Guarded<[[UInt8]: Weak]>([:])

  /// The record of a file.
  ///
  /// - Parameter resolvedPath: Its path with all symbolic links followed; compared by its bytes,
  ///   as the system does.
  static func of(_ resolvedPath: String, formatName: String) -> FileRecord {
    records.withLock { records in
      let path = Array(resolvedPath.utf8)
      if let record = records[path]?.record { return record }
      let record = FileRecord(formatName: formatName)
      records = records.filter { $0.value.record != nil }
      records[path] = Weak(record: record)
      return record
    }
  }
}
