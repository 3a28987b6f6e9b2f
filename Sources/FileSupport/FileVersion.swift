/// What tells one state of a file from another without reading it.
///
/// Two equal versions are, for a store, the same bytes: any write, truncation or replacement changes
/// at least one of the numbers. (A change within one tick of the file system's clock, in place and
/// to the same size, is the one that cannot be told; replacing a file always changes its inode.)
package struct FileVersion: Equatable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  package var modified: FileTime
  package var changed: FileTime

  package init(
    device: UInt64, inode: UInt64, size: Int64, modified: FileTime, changed: FileTime
  ) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  /// Whether both are the same file with the same bytes, whatever happened to its names, mode or
  /// owner.
  func hasSameContent(as other: FileVersion) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }
}

/// A time stamp of the file system.
package struct FileTime: Equatable, Sendable {
  package var seconds: Int64
  package var nanoseconds: Int64

  package init(seconds: Int64, nanoseconds: Int64) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

/// The bytes of a file and the version they were read from.
package struct FileContent: Sendable {
  package let bytes: [UInt8]
  package let version: FileVersion

  package init(bytes: [UInt8], version: FileVersion) {
    self.bytes = bytes
    self.version = version
  }
}

/// How far a save is pushed towards the disk before it returns.
package enum SyncLevel: Sendable {
  /// Not at all: old or new if the process dies; after a power cut whatever the file system kept.
  case none
  /// The bytes before the rename: after a power cut old or new, never a mix.
  case file
  /// The bytes and the directory: a save that returned survives a power cut.
  case fileAndDirectory
}
