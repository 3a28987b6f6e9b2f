#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds the one absolute path behind a path: no link, no `.`, no `..`, no doubled slash.
///
/// `realpath` answers only for what exists; a store's file, and the directories above it, may not
/// exist yet, and a link may point to where nothing is. What is missing is taken as written.
struct PathResolver {
  /// As many as Linux follows (`path_resolution(7)`).
  static let mostLinks = 40

  let calls: FileCalls

  /// - Parameters:
  ///   - path: An absolute path.
  ///   - original: The path that errors name.
  ///   - isDirectory: Whether the path may end in `/`, `.` or `..` and lead to a directory.
  ///   - missing: Gets the paths on the way where nothing is, each after the one that it is in.
  func resolve(
    _ path: String, original: String, isDirectory: Bool, missing: inout [String]
  ) throws(FileError) -> String {
    var pending = Array(PathText.components(path).reversed())
    var resolved: [String] = []
    var links = 0
    if !isDirectory, PathText.meansDirectory(PathText.split(path).name) {
      throw FileError(.resolvePath, path: original, code: EISDIR, found: "a directory")
    }

    while let component = pending.popLast() {
      if component == "." { continue }
      if component == ".." {
        _ = resolved.popLast()
        continue
      }
      resolved.append(component)
      let here = "/" + resolved.joined(separator: "/")
      var status = FileStatus()
      let result = retryingInterrupts {
        calls.statusAt(AT_FDCWD, here, AT_SYMLINK_NOFOLLOW, &status)
      }
      if result == -ENOENT {
        missing.append(here)
        continue
      }
      if result < 0 { throw FileError(.resolvePath, path: original, code: -result) }

      if status.isSymbolicLink {
        links += 1
        if links > Self.mostLinks {
          throw FileError(.resolvePath, path: original, code: ELOOP)
        }
        let target = try readLink(calls, AT_FDCWD, here, original: original)
        if pending.isEmpty, !isDirectory, PathText.meansDirectory(PathText.split(target).name) {
          throw FileError(.resolvePath, path: original, code: EISDIR, found: "a directory")
        }
        _ = resolved.popLast()
        if PathText.isAbsolute(target) { resolved.removeAll() }
        pending.append(contentsOf: PathText.components(target).reversed())
      } else if !pending.isEmpty, !status.isDirectory {
        throw FileError(.resolvePath, path: original, code: ENOTDIR, found: status.description)
      }
    }
    return "/" + resolved.joined(separator: "/")
  }
}

/// The target of a symbolic link.
///
/// - Throws: EILSEQ for a target that is not UTF-8: a `String` cannot hold it, and a repaired one
///   would name another file.
func readLink(
  _ calls: FileCalls, _ directory: Int32, _ name: String, original: String
) throws(FileError) -> String {
  var bytes: [UInt8] = []
  let result = retryingInterrupts { calls.readLinkAt(directory, name, &bytes) }
  if result < 0 { throw FileError(.resolvePath, path: original, code: -result) }
  guard let target = String(validating: bytes, as: UTF8.self) else {
    throw FileError(.resolvePath, path: original, code: EILSEQ)
  }
  return target
}
