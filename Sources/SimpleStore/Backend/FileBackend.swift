package import FileSupport
import Synchronization

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps a document in a file.
///
/// Make it with `.json(at:)`, `.plist(at:)`, `.json(named:)` or `.plist(named:)`.
///
/// * A save writes a new file beside the old one and renames it into place. The old file's owner
///   and permissions are kept, a new file is readable by its owner only (0600), missing
///   directories are made (0700), a symbolic link stays and its target is replaced.
/// * Processes take turns by a lock on `.NAME.lock` beside the file, which stays there. A save
///   that is killed leaves at most `.NAME.tmp`, which the next save removes.
/// * Opening and reading take no lock and write nothing.
///
/// What no program can promise: the lock does not reach over every network file system, nor a
/// program that writes in the same instant without it; a second hard link to the file keeps the
/// old content; a disk that says "done" before it is can lose a save in a power cut.
public struct FileBackend: StoreBackend {
  let file: ManagedFile
  private let format: FileFormat
  private let durability: Durability
  private let record: FileRecord
  /// Why this file can never be used.
  let refusal: StoreError?
  /// Whether its path could not be followed when the backend was made: it is then followed before
  /// each use, until somebody has put right what was in the way.
  private let isUnsure: Bool

  /// A backend on a path.
  ///
  /// - Parameter calls: The system calls that it makes; tests put in their own.
  package init(
    path: String, format: FileFormat, durability: Durability, calls: FileCalls = .system
  ) {
    file = ManagedFile(path: path, calls: calls)
    self.format = format
    self.durability = durability
    let resolved: String
    do throws(FileError) {
      resolved = try file.resolvedPath()
      isUnsure = false
    } catch {
      guard file.canBe else {
        record = FileRecord(formatName: format.name)
        refusal = StoreError(error, .unreadable, of: path)
        isUnsure = false
        return
      }
      // As far as it is known: where nothing but permission is missing, that is the file's own path.
      resolved = file.writtenPath
      isUnsure = true
    }
    let record = FileRecord.of(resolved, formatName: format.name)
    if record.formatName == format.name {
      self.record = record
      refusal = nil
    } else {
      // A file that is open as another format is not shared with what is open.
      self.record = FileRecord(formatName: format.name)
      refusal = StoreError(
        .formatConflict, .alreadyOpen(as: record.formatName, wanted: format.name), path: path)
    }
  }

  /// A backend that refuses everything, for a place that cannot be.
  init(refusing error: StoreError, format: FileFormat) {
    file = ManagedFile(path: error.path ?? "")
    self.format = format
    durability = .consistent
    record = FileRecord(formatName: format.name)
    refusal = error
    isUnsure = false
  }

  public var identity: StoreIdentity { record.identity }

  private func requirePlace() throws(StoreError) {
    if let refusal { throw refusal }
    guard isUnsure else { return }
    do throws(FileError) {
      _ = try file.resolvedPath()
    } catch {
      throw StoreError(error, .unreadable, of: file.path)
    }
  }

  public func load() throws(StoreError) -> StoreDocument? {
    try requirePlace()
    let content: FileContent
    do throws(FileError) {
      // Within a save everything goes through its descriptor of the directory.
      let session = record.session
      guard let version = try session == nil ? file.version() : session?.version() else {
        return nil
      }
      if let known = record.known.withLock({ $0 }), known.version == version {
        return known.document
      }
      let limit = FormatLimits.bytes
      guard let found = try session == nil ? file.read(limit: limit) : session?.read(limit: limit)
      else { return nil }
      content = found
    } catch {
      if error.code == EFBIG {
        throw StoreError(.unreadable, .format(FormatError(.tooLarge)), path: file.path)
      }
      throw StoreError(error, .unreadable, of: file.path)
    }
    let known = try parse(content)
    record.known.withLock { $0 = known }
    return known.document
  }

  private func parse(_ content: FileContent) throws(StoreError) -> FileRecord.Known {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    if content.bytes.allSatisfy(blanks.contains) {
      // Nothing in it to lose.
      return FileRecord.Known(
        version: content.version, document: StoreDocument(), format: format.formatOfNewFiles)
    }
    let format = format.format(of: content.bytes)
    do {
      return FileRecord.Known(
        version: content.version, document: try format.decode(content.bytes), format: format)
    } catch {
      throw StoreError(.damaged, .format(error), path: file.path)
    }
  }

  public func save(_ document: StoreDocument) throws(StoreError) {
    var place: String?
    try save(document, movingAside: nil, to: &place)
  }

  public func replaceDamaged(
    with document: StoreDocument, movedTo place: inout String?
  ) throws(StoreError) {
    try save(document, movingAside: Self.label(of: Date()), to: &place)
  }

  private func save(
    _ document: StoreDocument, movingAside label: String?, to place: inout String?
  ) throws(StoreError) {
    try requirePlace()
    let known = record.known.withLock { $0 }
    let format = known.map { self.format.format(like: $0.format) } ?? self.format.formatOfNewFiles
    let bytes: [UInt8]
    do {
      // All of it, before any file is touched.
      bytes = try format.encode(document)
    } catch {
      throw StoreError(.invalidValue, .format(error), key: error.key, path: file.path)
    }
    do throws(FileError) {
      let version = try withSession { session throws(FileError) in
        // Known also when the save then fails.
        defer { place = session.movedAside }
        return try session.replace(with: bytes, sync: durability.syncLevel, movingAside: label)
      }
      record.known.withLock {
        $0 = FileRecord.Known(version: version, document: document, format: format)
      }
    } catch {
      throw StoreError(error, .unwritable, of: file.path)
    }
  }

  public func lock() throws(StoreError) {
    try requirePlace()
    do throws(FileError) {
      let session = try file.beginSave()
      do throws(FileError) {
        if let created = record.unsynchronized.withLock({ $0 }) {
          try session.synchronizeNames(created: created)
          record.unsynchronized.withLock { $0 = nil }
        }
      } catch {
        session.end()
        throw error
      }
      record.begin(session)
    } catch {
      throw StoreError(error, .unwritable, of: file.path)
    }
  }

  public func unlock() {
    record.endSession()
  }

  public func watch(_ onChange: @escaping @Sendable () -> Void) -> StoreObservation? {
    if refusal != nil { return nil }
    let watcher = FileWatcher(file, onChange: onChange)
    return StoreObservation { watcher.cancel() }
  }

  /// Runs `body` in the save under way, or in one of its own.
  private func withSession<Result>(
    _ body: (FileSession) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    if let session = record.session { return try noting(session, body) }
    let session = try file.beginSave()
    defer { session.end() }
    return try noting(session, body)
  }

  /// Runs `body` and remembers when it could not synchronize names.
  private func noting<Result>(
    _ session: FileSession, _ body: (FileSession) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do throws(FileError) {
      return try body(session)
    } catch {
      if error.step == .syncDirectory {
        record.unsynchronized.withLock { $0 = ($0 ?? []) + session.createdDirectories }
      }
      throw error
    }
  }

  /// A moment as it stands in the name of a damaged file: 20261130T044049Z.
  package static func label(of moment: Date) -> String {
    let seconds = moment.timeIntervalSinceReferenceDate.rounded(.down)
    let text = DateText.spell(Date(timeIntervalSinceReferenceDate: seconds)) ?? "unknown"
    return text.filter { $0 != "-" && $0 != ":" }
  }
}

extension StoreError {
  /// A system call that failed while a file was read or saved.
  init(_ error: FileError, _ code: Code, of path: String) {
    self.init(
      code, .system(step: error.step.rawValue, code: error.code, found: error.found), path: path)
  }
}
