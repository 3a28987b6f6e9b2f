import FileSupport
public import Foundation
public import SimpleStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreBackend where Self == ProtectedFileBackend {
  /// A JSON file that only this user can read, for secrets where no secret service runs.
  ///
  /// ```swift
  /// let url = URL(filePath: "/var/lib/example/secrets/tokens.json")
  /// let store = SimpleStore<User>(.protectedFile(at: url))
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file. It need not exist, nor its directory.
  ///   - durability: What a save that returned survives.
  public static func protectedFile(
    at url: URL, durability: Durability = .consistent
  ) -> ProtectedFileBackend {
    ProtectedFileBackend(at: url, durability: durability)
  }
}

/// Keeps a document in a JSON file that nobody but this user can read.
///
/// The file has mode 0600 and its directory 0700, both belong to this user, and neither is a
/// symbolic link. Missing ones are made so; ones that are wider are refused with an error, before
/// the file is opened, at every reading and every save: a secret that others could read is not
/// used as if nobody had. Everything else is as with `.json(at:)`.
///
/// The content is not encrypted: whoever has this user's rights, root, or the disk can read it. The
/// directories above are not looked at; who may rename in them can put another directory in place.
public struct ProtectedFileBackend: StoreBackend {
  private let file: FileBackend
  private let path: String
  private let calls: FileCalls

  init(at url: URL, durability: Durability, calls: FileCalls = .system) {
    file = .json(at: url, durability: durability)
    self.calls = calls
    let given = url.isFileURL ? url.path(percentEncoded: false) : ""
    // As the file does: a later `chdir` does not move it.
    path =
      given.isEmpty || given.hasPrefix("/")
      ? given : FileManager.default.currentDirectoryPath + "/" + given
  }

  public var identity: StoreIdentity { file.identity }

  public var fileURL: URL? { file.fileURL }

  public func load() throws(StoreError) -> StoreDocument? {
    try check(.unreadable)
    return try file.load()
  }

  public func save(_ document: StoreDocument) throws(StoreError) {
    try check(.unwritable)
    try file.save(document)
  }

  public func lock() throws(StoreError) {
    try check(.unwritable)
    try file.lock()
  }

  public func unlock() { file.unlock() }

  public func replaceDamaged(
    with document: StoreDocument, movedTo place: inout String?
  ) throws(StoreError) {
    try check(.unwritable)
    try file.replaceDamaged(with: document, movedTo: &place)
  }

  // MARK: Checking

  /// Refuses a file or a directory that others could read, or have put there. What is absent is
  /// made as it has to be.
  private func check(_ code: StoreError.Code) throws(StoreError) {
    // No file URL, or a path without a directory part that could be checked: the file says so.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    // Without what would have the system follow a link at its end: `link/`, `link/.`.
    let parts = path[..<slash].utf8.split(separator: UInt8(ascii: "/"))
      .map { String(decoding: $0, as: UTF8.self) }
    let directory = "/" + parts.filter { $0 != "." }.joined(separator: "/")
    guard let found = try status(of: directory, code) else { return }
    try check(found, of: directory, isDirectory: true, code)
    guard let found = try status(of: path, code) else { return }
    try check(found, of: path, isDirectory: false, code)
  }

  private func status(of path: String, _ code: StoreError.Code) throws(StoreError) -> FileStatus? {
    var status = FileStatus()
    var result: Int32
    repeat {
      result = calls.statusAt(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &status)
    } while result == -EINTR
    if result == -ENOENT { return nil }
    if result < 0 {
      throw StoreError(code, .system(step: "examineFile", code: -result, found: nil), path: path)
    }
    return status
  }

  private func check(
    _ status: FileStatus, of path: String, isDirectory: Bool, _ code: StoreError.Code
  ) throws(StoreError) {
    let mode = isDirectory ? "0700" : "0600"
    let problem: String? =
      if status.mode & UInt32(S_IFMT) == UInt32(S_IFLNK) {
        "it is a symbolic link"
      } else if isDirectory != (status.mode & UInt32(S_IFMT) == UInt32(S_IFDIR)) {
        isDirectory ? "it is not a directory" : "it is not a file"
      } else if status.owner != calls.effectiveUser() {
        "it belongs to another user (\(status.owner))"
      } else if status.mode & 0o077 != 0 {
        "other users have rights on it (mode \(String(status.mode & 0o777, radix: 8)))"
      } else {
        nil
      }
    guard let problem else { return }
    throw StoreError(
      code,
      """
      cannot use '\(path)' for secrets: \(problem). Nothing was read or changed. Make it \
      \(isDirectory ? "a directory" : "a file") of this user with mode \(mode), consider what was \
      in it as known to others, then call reload().
      """, path: path)
  }
}
