#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One save: the target's directory is open, the lock is held.
///
/// Everything goes through the one descriptor of the directory, so that a directory that is moved
/// meanwhile takes the save with it. Between processes the session is exclusive; within a process it
/// belongs to the thread that began it and is not `Sendable`.
package final class FileSession {
  private let table: FileCallTable
  var calls: FileCalls { table.calls }
  /// The directory of the target, for error messages and ``movedAside``.
  let directoryPath: String
  /// The last component of the target, all links followed.
  let name: String
  let lockName: String
  let temporaryName: String
  let directory: Int32
  /// Who we are, for the question whether the target may be written.
  let user: UInt32
  /// Absolute paths of the directories that this session made, the outermost first.
  package let createdDirectories: [String]
  var lockDescriptor: Int32 = -1
  var lockStatus = FileStatus()
  var createdLock = false
  /// The lock that this session has, also when its name is gone.
  var lockedFile: WaitGraph.File?
  /// What was at the target's name when the lock was taken, nil inside for nothing; used once.
  var firstLook: FileStatus??
  /// Whether the lock is held and its name is still that of the locked file.
  var holdsLock = false
  /// Whether nobody can be at work under a lock file that this session made: it is held, or the
  /// system has no locks.
  var mayRemoveLock = false
  /// Whether anything was written, so that lock file and directories stay.
  var changed = false
  /// The path of the old file, once it is not at its own any more; known also when the save then
  /// failed.
  package internal(set) var movedAside: String?
  private var ended = false

  init(
    _ table: FileCallTable, directory: Int32, names: TargetNames, user: UInt32,
    createdDirectories: [String]
  ) {
    self.table = table
    self.directory = directory
    directoryPath = names.directory
    name = names.name
    lockName = names.lock
    temporaryName = names.temporary
    self.user = user
    self.createdDirectories = createdDirectories
  }

  deinit { end() }

  /// The state of the target; the first time, that of the instant the lock was taken.
  ///
  /// - Returns: nil only when nothing is there (ENOENT).
  package func version() throws(FileError) -> FileVersion? {
    if let status = firstLook {
      firstLook = nil
      return status?.version
    }
    return try targetStatus()?.version
  }

  /// The bytes of the target, as ``ManagedFile/read(limit:)`` reads them.
  ///
  /// - Returns: nil only when nothing is there (ENOENT).
  package func read(limit: Int) throws(FileError) -> FileContent? {
    firstLook = nil
    return try FileReader(calls: calls, path: path(of: name)).read(
      directory, name, limit: limit, flags: O_NOFOLLOW)
  }

  /// Releases the lock and the directory.
  ///
  /// If nothing was written, a lock file and directories that the session made are removed again,
  /// while the lock is held: whoever waits for it finds that its name is gone and starts over.
  package func end() {
    if ended { return }
    ended = true
    // Where it cannot be told whose the lock file is by now (`try?`), it stays.
    if mayRemoveLock, createdLock, !changed, (try? lockIsStillNamed()) == true {
      _ = calls.unlinkAt(directory, lockName, 0)
    }
    if !changed {
      // Only empty ones can be removed, so a directory that somebody else uses by now stays.
      for path in createdDirectories.reversed() {
        if calls.unlinkAt(AT_FDCWD, path, AT_REMOVEDIR) < 0 { break }
      }
    }
    if let lockedFile { WaitGraph.release(lockedFile) }
    // Nothing was written through either, so their close has nothing to report.
    if lockDescriptor >= 0 { _ = calls.close(lockDescriptor) }
    _ = calls.close(directory)
  }

  func path(of name: String) -> String { PathText.join(directoryPath, name) }

  /// The target itself, never what a link that appeared there meanwhile points to.
  func targetStatus() throws(FileError) -> FileStatus? {
    var status = FileStatus()
    let result = retryingInterrupts {
      calls.statusAt(directory, name, AT_SYMLINK_NOFOLLOW, &status)
    }
    if result == -ENOENT { return nil }
    if result < 0 { throw FileError(.examineFile, path: path(of: name), code: -result) }
    try status.requireRegular(.examineFile, path: path(of: name))
    return status
  }

  /// Refuses a target that this user may not write, as opening it for writing would.
  ///
  /// A rename asks only for permission on the directory, but who takes the write bit from a file wants
  /// it kept. For the owner and for root, who passes every check of the system, the owner's bit
  /// decides; for everyone else the system does, with access control lists and all.
  func requireWritable(_ status: FileStatus) throws(FileError) {
    let code: Int32
    if status.owner == user || user == 0 {
      code = status.mode & 0o200 != 0 ? 0 : EACCES
    } else {
      code = -retryingInterrupts { calls.accessAt(directory, name, W_OK, AT_EACCESS) }
    }
    if code > 0 { throw FileError(.checkWritable, path: path(of: name), code: code) }
  }
}
