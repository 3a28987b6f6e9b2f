import FileSupport
import SimpleStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open directory; closed when nobody uses it any more.
final class OpenDirectory: Sendable {
  let descriptor: Int32
  let device: UInt64
  let inode: UInt64
  private let calls: DiskCalls

  init(descriptor: Int32, status: FileStatus, calls: DiskCalls) {
    self.descriptor = descriptor
    device = status.version.device
    inode = status.version.inode
    self.calls = calls
  }

  // Nothing was written through it, so its close has nothing to report.
  deinit { _ = calls.file.close(descriptor) }
}

/// The folder of a disk level: opened when it is first needed, made when something is written.
///
/// Entries are reached through the one descriptor and are never followed if they are links, so
/// nothing outside the folder is read, written or removed. A folder that was deleted meanwhile is
/// noticed by who finds nothing in it.
final class DiskFolder: Sendable {
  let path: String
  let calls: DiskCalls
  private let current = Guarded<OpenDirectory?>(nil)

  init(path: String, calls: DiskCalls) {
    self.path = path
    self.calls = calls
  }

  /// - Parameter makes: Whether to make what is missing, with mode 0700.
  /// - Returns: `nil` if there is no such folder.
  func open(makes: Bool) throws(FileError) -> OpenDirectory? {
    if let open = current.withLock({ $0 }) { return open }
    // Bytes after a NUL would be cut off, and another folder touched.
    if path.isEmpty || path.utf8.contains(0) {
      throw FileError(.resolvePath, path: path, code: EINVAL)
    }
    var descriptor = openDirectory()
    if descriptor == -ENOENT {
      guard makes else { return nil }
      try make()
      descriptor = openDirectory()
    }
    if descriptor < 0 { throw FileError(.openDirectory, path: path, code: -descriptor) }
    var status = FileStatus()
    let result = calls.file.status(descriptor, &status)
    let opened = OpenDirectory(descriptor: descriptor, status: status, calls: calls)
    if result < 0 { throw FileError(.openDirectory, path: path, code: -result) }
    return current.withLock { current in
      // Another thread may have been faster; then its descriptor is the one.
      if let current { return current }
      current = opened
      return opened
    }
  }

  /// Whether the path still leads to the folder that is open. If not, the next call opens it anew.
  func isStill(_ directory: OpenDirectory) -> Bool {
    var status = FileStatus()
    let result = calls.file.statusAt(AT_FDCWD, path, 0, &status)
    if result >= 0, status.version.inode == directory.inode,
      status.version.device == directory.device
    {
      return true
    }
    // Any other failure says nothing about where the path leads.
    if result < 0, result != -ENOENT, result != -ENOTDIR { return true }
    current.withLock { if $0 === directory { $0 = nil } }
    return false
  }

  private func openDirectory() -> Int32 {
    repeating { calls.file.openAt(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
  }

  private func make() throws(FileError) {
    var part = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
    for name in path.utf8.split(separator: UInt8(ascii: "/")) {
      part += String(Substring(name))
      let result = repeating { calls.file.makeDirectoryAt(AT_FDCWD, part, 0o700) }
      if result == 0, part.utf8.count >= path.utf8.count { DiskFolderTraits.apply(to: path) }
      // What is there already may answer with something else than EEXIST on a read-only file system.
      if result < 0, result != -EEXIST {
        var status = FileStatus()
        if calls.file.statusAt(AT_FDCWD, part, 0, &status) < 0 {
          throw FileError(.makeDirectory, path: part, code: -result)
        }
      }
      part += "/"
    }
  }
}

/// Makes a call again for as long as a signal interrupts it.
@inline(__always)
func repeating<Number: SignedInteger & FixedWidthInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    if result != -Number(EINTR) { return result }
  }
}
