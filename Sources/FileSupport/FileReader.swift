#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a whole file, and knows which version it has read.
struct FileReader {
  let calls: FileCalls
  /// The path that errors name.
  let path: String

  /// How often a file that changes under the reader is read again.
  private static let mostTries = 16

  /// - Returns: nil when nothing is there (ENOENT).
  func read(
    _ directory: Int32, _ name: String, limit: Int, flags: Int32
  ) throws(FileError) -> FileContent? {
    for _ in 0..<Self.mostTries {
      // O_NONBLOCK: opening a FIFO would wait for a writer. It means nothing to a regular file.
      let descriptor = retryingInterrupts {
        calls.openAt(directory, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags, 0)
      }
      if descriptor == -ENOENT { return nil }
      if descriptor < 0 {
        throw FileError(
          .openFile, path: path, code: -descriptor, found: whatRefusedToOpen(directory, name))
      }
      // Nothing was written through this descriptor, so its close has nothing to report.
      defer { _ = calls.close(descriptor) }
      if let content = try read(descriptor, limit: limit) { return content }
    }
    throw FileError(.readFile, path: path, code: EBUSY)
  }

  /// - Returns: nil when the file was changed while it was read.
  private func read(_ descriptor: Int32, limit: Int) throws(FileError) -> FileContent? {
    var before = FileStatus()
    try examine(descriptor, &before)
    try before.requireRegular(.openFile, path: path)
    guard let size = Int(exactly: before.version.size), size <= limit, size < Int.max else {
      throw FileError(.readFile, path: path, code: EFBIG)
    }

    var failure: Int32 = 0
    // One byte more than there should be: the read that finds nothing there is the end of the file.
    let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
      // Unsafe, and right: each read gets the part of the buffer behind `count`, and `count` grows
      // by what the system says it put there, at most the size of that part.
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        guard let start = rest.baseAddress else { break }
        let result = retryingInterrupts { calls.read(descriptor, start, min(rest.count, 1 << 30)) }
        if result < 0 { failure = Int32(-result) }
        if result <= 0 { break }
        count += min(result, rest.count)
      }
    }
    if failure != 0 { throw FileError(.readFile, path: path, code: failure) }

    var after = FileStatus()
    try examine(descriptor, &after)
    // Only size and mtime: the status also changes when a save replaces the name, and then these
    // bytes are one whole version, though no longer the newest.
    guard bytes.count == size, after.version.hasSameContent(as: before.version) else { return nil }
    return FileContent(bytes: bytes, version: before.version)
  }

  private func examine(_ descriptor: Int32, _ status: inout FileStatus) throws(FileError) {
    let result = retryingInterrupts { calls.status(descriptor, &status) }
    if result < 0 { throw FileError(.examineFile, path: path, code: -result) }
  }

  /// A socket or a device without a driver cannot even be opened; the error should still name it.
  private func whatRefusedToOpen(_ directory: Int32, _ name: String) -> String? {
    var status = FileStatus()
    guard calls.statusAt(directory, name, AT_SYMLINK_NOFOLLOW, &status) >= 0 else { return nil }
    return status.isRegular || status.isSymbolicLink ? nil : status.description
  }
}
