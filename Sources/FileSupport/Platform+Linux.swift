#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension FileStatus {
    init(_ raw: stat) {
      version = FileVersion(
        device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino), size: Int64(raw.st_size),
        modified: FileTime(raw.st_mtim), changed: FileTime(raw.st_ctim))
      mode = UInt32(raw.st_mode)
      owner = UInt32(raw.st_uid)
      group = UInt32(raw.st_gid)
    }
  }

  /// The calling thread, as a number that no other has while it runs.
  func currentThread() -> UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// `fsync`: on Linux it waits for the device's own cache too (`fsync(2)`).
  func synchronizeToDisk(_ descriptor: Int32) -> Int32 {
    fsync(descriptor) < 0 ? -errno : 0
  }
#endif
