#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One file that is read whole and replaced whole.
///
/// Making one touches nothing. A relative path counts from the current directory of that moment, so
/// that a later `chdir` does not move the file. Reading takes no lock and creates nothing; changing
/// goes through ``beginSave()``.
package struct ManagedFile: Sendable {
  /// The path as it was given.
  package let path: String
  private let table: FileCallTable
  var calls: FileCalls { table.calls }
  /// The path, absolute unless the current directory had no name.
  package let location: String
  private let names: TargetNames
  /// Whether the system could take the path as it is: it would cut it at NUL and touch another file.
  private let isPossible: Bool

  package init(path: String, calls: FileCalls = .system) {
    self.path = path
    table = FileCallTable(calls)
    var bytes: [UInt8] = []
    if !path.isEmpty, !PathText.isAbsolute(path), calls.currentDirectory(&bytes) >= 0,
      let directory = String(validating: bytes, as: UTF8.self)
    {
      location = PathText.join(directory, path)
    } else {
      location = path
    }
    names = TargetNames(location)
    isPossible = !path.isEmpty && !path.utf8.contains(0)
  }

  /// The one absolute path of the file that a save would replace.
  ///
  /// Symbolic links, also dangling ones, `.`, `..` and doubled slashes are gone from it. The file and
  /// the directories above it need not exist. Two spellings of one file give one text; compare its
  /// UTF-8 bytes, since `==` of `String` takes some different names for equal. (Hard links are
  /// different files here, and so are spellings that only a file system without regard to case takes
  /// for one.)
  ///
  /// - Throws: ELOOP for links in a circle, EISDIR for a path that ends in `/`, `.` or `..`, ENOTDIR,
  ///   EACCES, EILSEQ for a link that is not UTF-8.
  package func resolvedPath() throws(FileError) -> String {
    try checkPath()
    guard PathText.isAbsolute(location) else {
      throw FileError(.resolvePath, path: path, code: ENOENT)
    }
    var missing: [String] = []
    return try PathResolver(calls: calls).resolve(
      location, original: path, isDirectory: false, missing: &missing)
  }

  /// The path as it is written, without `.` and doubled slashes: ``resolvedPath()`` wherever there
  /// are no links and no `..` on the way.
  package var writtenPath: String {
    "/" + PathText.components(location).filter { $0 != "." }.joined(separator: "/")
  }

  /// Whether there can ever be a file at the path, as far as the path alone tells.
  package var canBe: Bool {
    isPossible && PathText.isAbsolute(location) && !PathText.meansDirectory(names.name)
  }

  /// The state of the file, links followed, by one `stat`.
  ///
  /// - Returns: nil only when nothing is there (ENOENT).
  /// - Throws: Whatever else the system answers, and what was found when it is not a regular file.
  package func version() throws(FileError) -> FileVersion? {
    try checkPath()
    var status = FileStatus()
    var result = retryingInterrupts { calls.statusAt(AT_FDCWD, location, 0, &status) }
    if result == -ENOENT {
      guard let path = try pathPastMissing() else { return nil }
      result = retryingInterrupts { calls.statusAt(AT_FDCWD, path, 0, &status) }
      if result == -ENOENT { return nil }
    }
    if result < 0 { throw FileError(.examineFile, path: path, code: -result) }
    try status.requireRegular(.examineFile, path: path)
    return status.version
  }

  /// The bytes of the file, links followed.
  ///
  /// Takes no lock, creates nothing and never waits for the other end of a FIFO or for a device.
  ///
  /// - Parameter limit: The most bytes that are read; a larger file is EFBIG, without reading it.
  /// - Returns: nil only when nothing is there (ENOENT).
  /// - Throws: Whatever else the system answers, what was found when it is not a regular file, and
  ///   EBUSY when other programs kept changing the file while it was read.
  package func read(limit: Int) throws(FileError) -> FileContent? {
    try checkPath()
    let reader = FileReader(calls: calls, path: path)
    if let content = try reader.read(AT_FDCWD, location, limit: limit, flags: 0) { return content }
    guard let path = try pathPastMissing() else { return nil }
    return try reader.read(AT_FDCWD, path, limit: limit, flags: 0)
  }

  /// Another path for a file that the system does not find at its own, since a directory is missing
  /// that `..` leaves again, as `there` in `there/../a`: the one that a save comes to, which makes
  /// that directory.
  private func pathPastMissing() throws(FileError) -> String? {
    guard PathText.isAbsolute(location) else { return nil }
    let resolved = try resolvedPath()
    return resolved.utf8.elementsEqual(location.utf8) ? nil : resolved
  }

  /// Opens the file's directory and takes the file's lock, waiting for who holds it.
  ///
  /// The path is looked up anew. Missing directories are made with mode 0700. Nothing else is
  /// changed, and ``FileSession/end()`` takes back what was made here if nothing was written.
  ///
  /// - Throws: EDEADLK when the lock will never be free, since this thread holds it or somebody who
  ///   waits for this thread does; `found` for a target or a lock file that is not a regular file;
  ///   EACCES for a target without write permission, although a rename could replace it.
  package func beginSave() throws(FileError) -> FileSession {
    try checkPath()
    // Each turn means that somebody else removed the lock file or the directory in between.
    for _ in 0..<1000 {
      if let session = try FileSession.open(names, original: path, table) {
        return session
      }
    }
    throw FileError(.lock, path: path, code: EAGAIN)
  }

  private func checkPath() throws(FileError) {
    if !isPossible { throw FileError(.resolvePath, path: path, code: EINVAL) }
  }
}
