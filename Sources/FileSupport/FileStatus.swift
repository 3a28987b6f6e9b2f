#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What `stat` tells about a file, in types that are the same on every platform.
package struct FileStatus: Equatable, Sendable {
  package var version = FileVersion(
    device: 0, inode: 0, size: 0, modified: FileTime(seconds: 0, nanoseconds: 0),
    changed: FileTime(seconds: 0, nanoseconds: 0))
  /// Type and permission bits.
  package var mode: UInt32 = 0
  package var owner: UInt32 = 0
  package var group: UInt32 = 0

  package init() {}

  /// Read, write and execute for owner, group and others; never set-user-ID, set-group-ID or the
  /// sticky bit.
  var permissions: UInt32 { mode & 0o777 }
  var isRegular: Bool { kind == UInt32(S_IFREG) }
  var isSymbolicLink: Bool { kind == UInt32(S_IFLNK) }
  var isDirectory: Bool { kind == UInt32(S_IFDIR) }
  private var kind: UInt32 { mode & UInt32(S_IFMT) }

  func isSameFile(as other: FileStatus) -> Bool {
    version.device == other.version.device && version.inode == other.version.inode
  }

  /// The words of ``FileError/found``.
  var description: String {
    switch kind {
    case UInt32(S_IFREG): "a file"
    case UInt32(S_IFDIR): "a directory"
    case UInt32(S_IFIFO): "a FIFO"
    case UInt32(S_IFLNK): "a symbolic link"
    case UInt32(S_IFSOCK): "a socket"
    case UInt32(S_IFBLK), UInt32(S_IFCHR): "a device"
    default: "something that is not a file"
    }
  }

  /// Refuses everything that is not a regular file.
  func requireRegular(_ step: FileError.Step, path: @autoclosure () -> String) throws(FileError) {
    if isRegular { return }
    let code =
      isDirectory ? EISDIR : isSymbolicLink ? ELOOP : EINVAL
    throw FileError(step, path: path(), code: code, found: description)
  }
}

extension FileTime {
  init(_ raw: timespec) {
    self.init(seconds: Int64(raw.tv_sec), nanoseconds: Int64(raw.tv_nsec))
  }
}
