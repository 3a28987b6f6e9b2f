// Not compiled on Linux.

#if canImport(Darwin)
  import Darwin

  extension FileStatus {
    init(_ raw: stat) {
      version = FileVersion(
        device: UInt64(UInt32(bitPattern: raw.st_dev)), inode: UInt64(raw.st_ino),
        size: Int64(raw.st_size), modified: FileTime(raw.st_mtimespec),
        changed: FileTime(raw.st_ctimespec))
      mode = UInt32(raw.st_mode)
      owner = UInt32(raw.st_uid)
      group = UInt32(raw.st_gid)
    }
  }

  /// The calling thread, as a number that no other has while it runs.
  func currentThread() -> UInt { UInt(bitPattern: pthread_self()) }

  /// `F_FULLFSYNC`: `fsync` alone leaves the bytes in the drive's cache (`fsync(2)` of macOS). File
  /// systems that do not know it (network shares) answer ENOTSUP or EINVAL and get an `fsync`.
  func synchronizeToDisk(_ descriptor: Int32) -> Int32 {
    if fcntl(descriptor, F_FULLFSYNC) >= 0 { return 0 }
    guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { return -errno }
    return fsync(descriptor) < 0 ? -errno : 0
  }
#endif
