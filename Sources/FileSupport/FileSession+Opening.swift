#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSession {
  /// Opens the directory of a file, or of the one that a link there leads to, and takes the lock.
  ///
  /// - Returns: nil when the directory or the lock file was removed meanwhile: start over.
  static func open(
    _ names: TargetNames, original: String, _ table: FileCallTable
  ) throws(FileError) -> FileSession? {
    let calls = table.calls
    var names = names
    // The system resolves the directory in one call; only the last component, which is to be
    // replaced and not followed, is looked at here.
    for _ in 0...PathResolver.mostLinks {
      if PathText.meansDirectory(names.name) {
        throw FileError(.resolvePath, path: original, code: EISDIR, found: "a directory")
      }
      var created: [String] = []
      guard
        let directory = try openDirectory(names.directory, original, calls, created: &created)
      else { return nil }
      let session = FileSession(
        table, directory: directory, names: names, user: calls.effectiveUser(),
        createdDirectories: created)
      do throws(FileError) {
        switch try session.lockTarget(original) {
        case .locked: return session
        case .gone:
          session.end()
          return nil
        case .link:
          let target = try readLink(calls, directory, names.name, original: original)
          names = TargetNames(PathText.join(names.directory, target))
          session.end()
        }
      } catch {
        session.end()
        throw error
      }
    }
    throw FileError(.resolvePath, path: original, code: ELOOP)
  }

  /// - Returns: nil when the directory was made and is gone again.
  private static func openDirectory(
    _ path: String, _ original: String, _ calls: FileCalls, created: inout [String]
  ) throws(FileError) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var descriptor = retryingInterrupts { calls.openAt(AT_FDCWD, path, flags, 0) }
    if descriptor == -ENOENT, PathText.isAbsolute(path) {
      // What is missing may be behind a link, or left again by `..`, as `there` in `there/../a`.
      var missing: [String] = []
      _ = try PathResolver(calls: calls).resolve(
        path, original: original, isDirectory: true, missing: &missing)
      guard try makeDirectories(missing, calls, created: &created) else { return nil }
      descriptor = retryingInterrupts { calls.openAt(AT_FDCWD, path, flags, 0) }
      if descriptor < 0 { removeDirectories(created, calls) }
      if descriptor == -ENOENT { return nil }
    }
    if descriptor < 0 { throw FileError(.openDirectory, path: path, code: -descriptor) }
    return descriptor
  }

  /// Makes missing directories, readable by nobody else.
  ///
  /// - Parameters:
  ///   - missing: Their paths, each after the one that it is in.
  ///   - created: Gets the paths of those that were made, in that order.
  /// - Returns: false when one that was there is gone meanwhile; nothing is left then.
  private static func makeDirectories(
    _ missing: [String], _ calls: FileCalls, created: inout [String]
  ) throws(FileError) -> Bool {
    for path in missing {
      let result = retryingInterrupts { calls.makeDirectoryAt(AT_FDCWD, path, 0o700) }
      if result == -EEXIST { continue }
      var status = FileStatus()
      if result < 0 {
        removeDirectories(created, calls)
        created = []
        let parent = PathText.split(path).directory
        // In `/proc` it is ENOENT, too, where a directory cannot be made in one that is there.
        if result == -ENOENT, calls.statusAt(AT_FDCWD, parent, 0, &status) == -ENOENT {
          return false
        }
        throw FileError(.makeDirectory, path: path, code: -result)
      }
      created.append(path)
      // A umask that takes the owner's own bits would leave a directory nobody can use.
      if calls.statusAt(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &status) >= 0, status.isDirectory,
        status.permissions & 0o700 != 0o700
      {
        _ = calls.setModeAt(AT_FDCWD, path, 0o700)
      }
    }
    return true
  }

  private static func removeDirectories(_ paths: [String], _ calls: FileCalls) {
    for path in paths.reversed() { _ = calls.unlinkAt(AT_FDCWD, path, AT_REMOVEDIR) }
  }

  private enum Opening { case locked, gone, link }

  /// Opens the lock file, made if need be, waits for the lock, and looks at the target.
  ///
  /// A target that is a link has its lock elsewhere: no lock file is made for it. One look is enough
  /// where a lock file is there already, and it counts as the first ``version()``.
  private func lockTarget(_ original: String) throws(FileError) -> Opening {
    // Writing is asked for because NFS grants an exclusive lock only then (`flock(2)`); nothing is
    // ever written. O_NOFOLLOW and O_NONBLOCK: whatever lies there is not followed or waited for.
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    lockDescriptor = retryingInterrupts { calls.openAt(directory, lockName, flags, 0) }
    if lockDescriptor < 0 {
      if try lookAtTarget(original) { return .link }
      if lockDescriptor == -ENOENT {
        lockDescriptor = retryingInterrupts {
          calls.openAt(directory, lockName, flags | O_CREAT | O_EXCL, 0o600)
        }
        if lockDescriptor == -EEXIST || lockDescriptor == -ENOENT { return .gone }
        createdLock = lockDescriptor >= 0
      }
    }
    guard try takeLock() else { return .gone }
    return try lookAtTarget(original) ? .link : .locked
  }

  /// - Returns: Whether the target is a link.
  /// - Throws: What was found when it is neither that nor a file that we may write, nor absent.
  private func lookAtTarget(_ original: String) throws(FileError) -> Bool {
    var status = FileStatus()
    let result = retryingInterrupts {
      calls.statusAt(directory, name, AT_SYMLINK_NOFOLLOW, &status)
    }
    if result == -ENOENT {
      firstLook = .some(nil)
      return false
    }
    if result < 0 { throw FileError(.examineFile, path: original, code: -result) }
    if status.isSymbolicLink { return true }
    try status.requireRegular(.examineFile, path: original)
    try requireWritable(status)
    firstLook = status
    return false
  }

  /// Waits for the lock.
  ///
  /// - Returns: false when the lock file was removed before the lock was granted.
  private func takeLock() throws(FileError) -> Bool {
    if lockDescriptor < 0 {
      throw FileError(
        .openLock, path: path(of: lockName), code: -lockDescriptor, found: whatIsNoLock())
    }

    var opened = FileStatus()
    var result = retryingInterrupts { calls.status(lockDescriptor, &opened) }
    if result < 0 { throw FileError(.openLock, path: path(of: lockName), code: -result) }
    try opened.requireRegular(.openLock, path: path(of: lockName))
    if createdLock { repairNewLock(opened, firstLook ?? nil) }

    let file = WaitGraph.File(device: opened.version.device, inode: opened.version.inode)
    let locked = WaitGraph.wait(for: file) { retryingInterrupts { calls.lock(lockDescriptor) } }
    result = locked ?? -EDEADLK
    lockStatus = opened
    mayRemoveLock = locked != nil
    if result < 0 { throw FileError(.lock, path: path(of: lockName), code: -result) }

    lockedFile = file
    holdsLock = try lockIsStillNamed()
    return holdsLock
  }

  /// Whether the lock file's name still leads to the file that is locked; whoever comes after a
  /// removal locks another file, and both would believe to be alone.
  func lockIsStillNamed() throws(FileError) -> Bool {
    var named = FileStatus()
    let result = retryingInterrupts {
      calls.statusAt(directory, lockName, AT_SYMLINK_NOFOLLOW, &named)
    }
    if result == -ENOENT { return false }
    if result < 0 { throw FileError(.lock, path: path(of: lockName), code: -result) }
    return named.isSameFile(as: lockStatus)
  }

  /// Refuses to go on when somebody removed the lock file while it was locked: another process may
  /// by now be at work under a new one, with the same temporary name. (What remains is the instant
  /// between this look and the rename.)
  func requireLock() throws(FileError) {
    if try lockIsStillNamed() { return }
    holdsLock = false
    throw FileError(.lock, path: path(of: lockName), code: ESTALE)
  }

  /// A lock file that root made beside another user's file would lock that user out for ever; one
  /// made under a umask without the owner's bits would lock out everyone. Best effort: the session
  /// itself works either way.
  private func repairNewLock(_ status: FileStatus, _ target: FileStatus?) {
    if status.permissions != 0o600 { _ = calls.setMode(lockDescriptor, 0o600) }
    if user == 0, let target, target.owner != status.owner {
      _ = calls.setOwner(lockDescriptor, target.owner, target.group)
    }
  }

  private func whatIsNoLock() -> String? {
    var status = FileStatus()
    guard calls.statusAt(directory, lockName, AT_SYMLINK_NOFOLLOW, &status) >= 0 else { return nil }
    return status.isRegular ? nil : status.description
  }
}
