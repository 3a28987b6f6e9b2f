#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSession {
  /// The old file under a name of its own, `NAME.damaged-LABEL`, while the new one takes its place.
  struct Aside {
    let name: String
    let file: FileStatus
    /// Whether the old name is gone already, where there are no hard links.
    let isMoved: Bool
  }

  /// Gives the target the name `NAME.damaged-LABEL`, or `NAME.damaged-LABEL-2` and so on, so that a
  /// rename over its own does not lose it.
  ///
  /// Nothing that has such a name is overwritten. The new name is made by `link`, which never
  /// replaces; the old one stays until the rename takes it, so at every instant a file is there.
  /// (`renameat2` with `RENAME_NOREPLACE` would leave none for an instant, and Swift's C library
  /// modules do not have it.) Where there are no hard links (FAT, or `fs.protected_hardlinks` and
  /// somebody else's file), an empty file made with O_EXCL takes the name, and the target is renamed
  /// over that: a process killed in between leaves the bytes under the new name only.
  ///
  /// The directory is synchronized at every level: bytes that were damaged once are not to be lost
  /// by a second misfortune, and a power cut may keep the second of two changes of names only.
  ///
  /// - Throws: Whatever failed. The target is then as it was, or ``movedAside``.
  func moveAside(_ target: FileStatus, label: String) throws(FileError) -> Aside {
    if label.utf8.contains(0) || label.utf8.contains(PathText.slash) || label.utf8.count > 128 {
      throw FileError(.moveAside, path: path(of: name), code: EINVAL)
    }
    for attempt in 1...10_000 {
      let aside = SiblingNames.damaged(name, label: label, attempt: attempt)
      guard let moved = try move(target, to: aside) else { continue }
      do throws(FileError) {
        try checkAside(moved)
        try synchronizeDirectory()
      } catch {
        takeBack(moved)
        // Whichever step it was: the new content is not in place, as `.syncDirectory` would say.
        throw FileError(.moveAside, path: error.path, code: error.code)
      }
      return moved
    }
    throw FileError(.moveAside, path: path(of: name), code: EEXIST)
  }

  /// Leaves the target with its old name only, if that still leads to it, after a save that failed.
  func takeBack(_ aside: Aside) {
    var status = FileStatus()
    let found = retryingInterrupts {
      calls.statusAt(directory, name, AT_SYMLINK_NOFOLLOW, &status)
    }
    if found >= 0, status.isSameFile(as: aside.file) {
      _ = calls.unlinkAt(directory, aside.name, 0)
    } else if !aside.isMoved || found != -ENOENT || calls.renameAt(directory, aside.name, name) < 0
    {
      // The new file is in place after all, or somebody else's, or the old name is not to be had.
      movedAside = path(of: aside.name)
    }
  }

  /// - Returns: nil when the name is taken.
  private func move(_ target: FileStatus, to aside: String) throws(FileError) -> Aside? {
    let linked = retryingInterrupts { calls.linkAt(directory, name, aside) }
    switch linked {
    case -EEXIST:
      return nil
    case -EPERM, -EOPNOTSUPP, -ENOTSUP, -ENOSYS, -EMLINK, -EXDEV:
      // EXDEV is a file that is mounted by itself; of that the rename says EBUSY.
      return try moveOverPlaceholder(target, aside)
    case ..<0:
      throw FileError(.moveAside, path: path(of: aside), code: -linked)
    default:
      changed = true
      return Aside(name: aside, file: target, isMoved: false)
    }
  }

  private func moveOverPlaceholder(
    _ target: FileStatus, _ aside: String
  ) throws(FileError) -> Aside? {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = retryingInterrupts { calls.openAt(directory, aside, flags, 0o600) }
    if descriptor == -EEXIST { return nil }
    if descriptor < 0 { throw FileError(.moveAside, path: path(of: aside), code: -descriptor) }
    _ = calls.close(descriptor)
    let renamed = calls.renameAt(directory, name, aside)
    if renamed < 0 {
      // If the rename happened after all, the name holds the bytes: only an empty file is removed.
      var status = FileStatus()
      if calls.statusAt(directory, aside, AT_SYMLINK_NOFOLLOW, &status) >= 0 {
        if status.isSameFile(as: target) {
          takeBack(Aside(name: aside, file: target, isMoved: true))
        } else if status.version.size == 0 {
          _ = calls.unlinkAt(directory, aside, 0)
        }
      }
      throw FileError(.moveAside, path: path(of: aside), code: -renamed)
    }
    changed = true
    return Aside(name: aside, file: target, isMoved: true)
  }

  /// The bytes are about to be at the new name only, so it is looked at before the old one goes.
  private func checkAside(_ aside: Aside) throws(FileError) {
    var status = FileStatus()
    let found = retryingInterrupts {
      calls.statusAt(directory, aside.name, AT_SYMLINK_NOFOLLOW, &status)
    }
    if found < 0 || !status.isSameFile(as: aside.file) {
      throw FileError(.moveAside, path: path(of: aside.name), code: found < 0 ? -found : EIO)
    }
  }
}
