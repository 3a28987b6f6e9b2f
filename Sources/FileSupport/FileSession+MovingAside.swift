#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSession {
  /// Moves the target to `NAME.damaged-LABEL`, or `NAME.damaged-LABEL-2` and so on, in its directory.
  ///
  /// Nothing that has such a name is overwritten. The new name is made by `link`, which never
  /// replaces, and then the old one is removed; a process killed in between leaves one file with two
  /// names. (`renameat2` with `RENAME_NOREPLACE` would be one step, but Swift's C library modules do
  /// not have it, nor do all file systems.) Where there are no hard links (FAT, or
  /// `fs.protected_hardlinks` and somebody else's file), an empty file made with O_EXCL takes the
  /// name, and the target is renamed over that. The directory is synchronized at every level: bytes
  /// that were damaged once are not to be lost by a second misfortune.
  ///
  /// - Returns: The new path.
  /// - Throws: Whatever failed. The bytes are then at the old path, or at the new one, or, if a name
  ///   could not be removed, at both.
  package func moveAside(label: String) throws(FileError) -> String {
    if label.utf8.contains(0) || label.utf8.contains(PathText.slash) || label.utf8.count > 128 {
      throw FileError(.moveAside, path: path(of: name), code: EINVAL)
    }
    firstLook = nil
    guard let target = try targetStatus() else {
      throw FileError(.moveAside, path: path(of: name), code: ENOENT)
    }
    try requireWritable(target)
    try requireLock()
    for attempt in 1...10_000 {
      let aside = SiblingNames.damaged(name, label: label, attempt: attempt)
      if try move(target, to: aside) {
        try synchronizeDirectory()
        return path(of: aside)
      }
    }
    throw FileError(.moveAside, path: path(of: name), code: EEXIST)
  }

  /// - Returns: false when the name is taken.
  private func move(_ target: FileStatus, to aside: String) throws(FileError) -> Bool {
    let linked = retryingInterrupts { calls.linkAt(directory, name, aside) }
    switch linked {
    case -EEXIST:
      return false
    case -EPERM, -EOPNOTSUPP, -ENOTSUP, -ENOSYS, -EMLINK:
      return try moveOverPlaceholder(aside)
    case ..<0:
      throw FileError(.moveAside, path: path(of: aside), code: -linked)
    default:
      break
    }
    changed = true
    // The bytes are about to be at the new name only, so it is looked at before the old one goes.
    var copy = FileStatus()
    let found = retryingInterrupts {
      calls.statusAt(directory, aside, AT_SYMLINK_NOFOLLOW, &copy)
    }
    if found < 0 || !copy.isSameFile(as: target) {
      throw FileError(.moveAside, path: path(of: aside), code: found < 0 ? -found : EIO)
    }
    do throws(FileError) {
      // After a power cut the disk may have the second of two changes of names and not the first.
      try synchronizeDirectory()
      let removed = retryingInterrupts { calls.unlinkAt(directory, name, 0) }
      if removed < 0, removed != -ENOENT {
        throw FileError(.moveAside, path: path(of: name), code: -removed)
      }
    } catch {
      // Back to one name, but only while the other one surely has the bytes.
      var status = FileStatus()
      if calls.statusAt(directory, name, AT_SYMLINK_NOFOLLOW, &status) >= 0,
        status.isSameFile(as: target)
      {
        _ = calls.unlinkAt(directory, aside, 0)
      }
      throw error
    }
    return true
  }

  private func moveOverPlaceholder(_ aside: String) throws(FileError) -> Bool {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = retryingInterrupts { calls.openAt(directory, aside, flags, 0o600) }
    if descriptor == -EEXIST { return false }
    if descriptor < 0 { throw FileError(.moveAside, path: path(of: aside), code: -descriptor) }
    _ = calls.close(descriptor)
    let renamed = calls.renameAt(directory, name, aside)
    if renamed < 0 {
      // If the rename happened after all, the name holds the bytes: only an empty file is removed.
      var status = FileStatus()
      if calls.statusAt(directory, aside, AT_SYMLINK_NOFOLLOW, &status) >= 0,
        status.version.size == 0
      {
        _ = calls.unlinkAt(directory, aside, 0)
      }
      throw FileError(.moveAside, path: path(of: aside), code: -renamed)
    }
    changed = true
    return true
  }
}
