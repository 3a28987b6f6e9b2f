#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSession {
  /// Replaces the target's content, or makes the target.
  ///
  /// Whoever opens the file sees the old bytes or the new ones, also if the process is killed at any
  /// instant. The new file has the owner, the group and the permission bits of the old one; a file
  /// that was not there gets 0600. Other names of the old file (hard links) keep the old bytes.
  ///
  /// Access control lists and other extended attributes are not carried over: Swift's C library
  /// modules have no call for them. The new file has what its directory gives to every new file,
  /// limited by the permission bits.
  ///
  /// - Parameter label: Keeps the old file, which is damaged, as `NAME.damaged-LABEL`: see
  ///   ``movedAside``. It stays at its name until the new one is written and takes it.
  /// - Returns: The version of the new file, for comparing with later ones.
  /// - Throws: Whatever failed; ESTALE in `.lock` when somebody removed the lock file meanwhile, for
  ///   which a new session is the cure. The target is then as it was and the temporary file is
  ///   removed, with these exceptions: after `.syncDirectory` the new content is in place and only
  ///   its survival of a power cut is uncertain; after `.replace` it may be in place if the system
  ///   reported a failure for what it had done.
  package func replace(
    with bytes: [UInt8], sync: SyncLevel, movingAside label: String? = nil
  ) throws(FileError) -> FileVersion {
    firstLook = nil
    let old = try targetStatus()
    if let old { try requireWritable(old) }
    let temporary = temporaryName
    let written: FileStatus
    let placed: FileVersion
    do throws(FileError) {
      let descriptor = try createTemporary(temporary)
      do throws(FileError) {
        written = try fill(descriptor, temporary, bytes, like: old, sync)
      } catch {
        _ = calls.close(descriptor)
        throw error
      }
      // Linux has released the descriptor even when close fails, so it is not closed again. EINTR
      // says only that a signal came (`close(2)`).
      let closed = calls.close(descriptor)
      if closed < 0, closed != -EINTR {
        throw FileError(.close, path: path(of: temporary), code: -closed)
      }
      try requireLock()
      var aside: Aside?
      if let label, let old { aside = try moveAside(old, label: label) }
      do throws(FileError) {
        let renamed = calls.renameAt(directory, temporary, name)
        if renamed < 0 { throw FileError(.replace, path: path(of: name), code: -renamed) }
        changed = true
        placed = try versionInPlace(written, temporary)
      } catch {
        if let aside { takeBack(aside) }
        throw error
      }
      if let aside { movedAside = path(of: aside.name) }
    } catch {
      // The name belongs to the holder of the lock: whatever is there is our own while we are that,
      // and left to the next holder if not.
      if holdsLock { _ = calls.unlinkAt(directory, temporary, 0) }
      throw error
    }
    if sync == .fileAndDirectory {
      try synchronizeDirectory()
    }
    if sync != .none { try synchronizeParents(of: createdDirectories) }
    return placed
  }

  /// Makes the temporary file; a leftover of a killed process is removed, never reused: it may be a
  /// link to, or another name of, somebody else's file.
  private func createTemporary(_ temporary: String) throws(FileError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    for _ in 0..<8 {
      let descriptor = retryingInterrupts { calls.openAt(directory, temporary, flags, 0o600) }
      if descriptor >= 0 { return descriptor }
      if descriptor != -EEXIST {
        throw FileError(.createTemporary, path: path(of: temporary), code: -descriptor)
      }
      let removed = retryingInterrupts { calls.unlinkAt(directory, temporary, 0) }
      if removed < 0, removed != -ENOENT {
        var status = FileStatus()
        let known = calls.statusAt(directory, temporary, AT_SYMLINK_NOFOLLOW, &status) >= 0
        throw FileError(
          .removeLeftover, path: path(of: temporary), code: -removed,
          found: known && !status.isRegular ? status.description : nil)
      }
    }
    throw FileError(.createTemporary, path: path(of: temporary), code: EEXIST)
  }

  /// Gives the empty temporary file its owner and mode, writes the bytes, and checks the result.
  private func fill(
    _ descriptor: Int32, _ temporary: String, _ bytes: [UInt8], like old: FileStatus?,
    _ sync: SyncLevel
  ) throws(FileError) -> FileStatus {
    var status = try statusOfTemporary(descriptor, temporary)
    let mode = try adoptOwner(descriptor, temporary, &status, of: old)
    if let mode, mode != status.permissions {
      let result = retryingInterrupts { calls.setMode(descriptor, mode) }
      if result < 0 { throw FileError(.setMode, path: path(of: temporary), code: -result) }
    }
    try write(bytes, to: descriptor, temporary)
    if sync != .none {
      // Never a second time on this descriptor: the kernel reports a lost page once and then forgets.
      let result = calls.synchronize(descriptor)
      if result < 0 { throw FileError(.sync, path: path(of: temporary), code: -result) }
    }
    // 0.4 µs for the certainty that a file system did not take fewer bytes than it said.
    let final = try statusOfTemporary(descriptor, temporary)
    guard final.version.size == Int64(bytes.count) else {
      throw FileError(.write, path: path(of: temporary), code: EIO)
    }
    if let mode, final.permissions != mode {
      throw FileError(.setMode, path: path(of: temporary), code: EIO)
    }
    return final
  }

  /// Gives the file to the owner and group of the old one, as far as the system lets us.
  ///
  /// - Returns: The permission bits it must have; nil if those it was made with will do.
  private func adoptOwner(
    _ descriptor: Int32, _ temporary: String, _ status: inout FileStatus, of old: FileStatus?
  ) throws(FileError) -> UInt32? {
    guard let old else {
      // More bits than asked for come from a file system that has no modes (FAT); fewer from umask.
      return status.permissions & 0o600 == 0o600 ? nil : 0o600
    }
    if status.owner != old.owner || status.group != old.group {
      let same = UInt32.max
      if try !changeOwner(descriptor, temporary, old.owner, old.group),
        status.group != old.group
      {
        // Only root may give a file away, but everyone may hand it to a group he is in.
        _ = try changeOwner(descriptor, temporary, same, old.group)
      }
      status = try statusOfTemporary(descriptor, temporary)
    }
    if status.group == old.group { return old.permissions }
    // Members of the new group had the rights of others, those of the old group now have them: both
    // keep only what both had.
    let shared = (old.permissions >> 3) & old.permissions & 0o007
    return old.permissions & 0o700 | shared << 3 | shared
  }

  /// - Returns: false when the system does not let us: EPERM, or EINVAL for an owner that does not
  ///   exist in this user namespace (`user_namespaces(7)`).
  private func changeOwner(
    _ descriptor: Int32, _ temporary: String, _ owner: UInt32, _ group: UInt32
  ) throws(FileError) -> Bool {
    let result = retryingInterrupts { calls.setOwner(descriptor, owner, group) }
    if result == -EPERM || result == -EINVAL { return false }
    if result < 0 { throw FileError(.setOwner, path: path(of: temporary), code: -result) }
    return true
  }

  private func write(
    _ bytes: [UInt8], to descriptor: Int32, _ temporary: String
  ) throws(FileError) {
    let failure: Int32 = bytes.withUnsafeBytes { buffer in
      // Unsafe, and right: each write gets the part of the buffer behind what was written.
      var written = 0
      while written < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        guard let start = rest.baseAddress else { break }
        // macOS refuses more than 2 GB in one call.
        let result = retryingInterrupts { calls.write(descriptor, start, min(rest.count, 1 << 30)) }
        if result < 0 { return Int32(-result) }
        if result == 0 || result > rest.count { return EIO }
        written += result
      }
      return 0
    }
    if failure != 0 { throw FileError(.write, path: path(of: temporary), code: failure) }
  }

  private func statusOfTemporary(
    _ descriptor: Int32, _ temporary: String
  ) throws(FileError) -> FileStatus {
    var status = FileStatus()
    let result = retryingInterrupts { calls.status(descriptor, &status) }
    if result < 0 { throw FileError(.examineFile, path: path(of: temporary), code: -result) }
    return status
  }

  /// The version of the file that was just renamed into place.
  ///
  /// The rename changed its ctime, so it is looked at once more. If another program has already
  /// edited or replaced it, the version returned is the one before that, so that the next comparison
  /// sees the change; taking theirs for ours would lose their edit. So it is when the system will not
  /// let us look: the rename has been reported done, and to call the save failed would be wrong.
  private func versionInPlace(
    _ written: FileStatus, _ temporary: String
  ) throws(FileError) -> FileVersion {
    var status = FileStatus()
    var result = retryingInterrupts {
      calls.statusAt(directory, name, AT_SYMLINK_NOFOLLOW, &status)
    }
    if result < 0, result != -ENOENT { return written.version }
    if result >= 0, status.version.hasSameContent(as: written.version) { return status.version }

    // Not what was written: either somebody was quick, or the rename did nothing.
    result = retryingInterrupts {
      calls.statusAt(directory, temporary, AT_SYMLINK_NOFOLLOW, &status)
    }
    if result >= 0, status.isSameFile(as: written) {
      throw FileError(.replace, path: path(of: name), code: EIO)
    }
    return written.version
  }

  /// Does what an earlier session failed to do with ``FileError/Step/syncDirectory``: its content is
  /// in place, and its names are put on the disk now.
  ///
  /// - Parameter created: The ``createdDirectories`` of that session.
  package func synchronizeNames(created: [String]) throws(FileError) {
    try synchronizeDirectory()
    try synchronizeParents(of: created)
  }

  func synchronizeDirectory() throws(FileError) {
    let result = calls.synchronize(directory)
    if result < 0 { throw FileError(.syncDirectory, path: directoryPath, code: -result) }
  }

  /// A directory that this session made is itself an entry of the one above it; a power cut would
  /// take the whole directory, however well its content is kept.
  private func synchronizeParents(of created: [String]) throws(FileError) {
    for created in created {
      let parent = PathText.split(created).directory
      let descriptor = retryingInterrupts {
        calls.openAt(AT_FDCWD, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
      }
      // A parent that we may search but not read cannot be synchronized by us at all.
      if descriptor == -EACCES { continue }
      if descriptor < 0 { throw FileError(.syncDirectory, path: parent, code: -descriptor) }
      let result = calls.synchronize(descriptor)
      _ = calls.close(descriptor)
      if result < 0 { throw FileError(.syncDirectory, path: parent, code: -result) }
    }
  }
}
