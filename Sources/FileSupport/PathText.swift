/// Paths are bytes to the system, so they are taken apart as bytes: to Swift, `/` with a combining
/// accent after it is one character that is not `/`.
enum PathText {
  static let slash = UInt8(ascii: "/")

  /// Everything up to the last slash, and what follows it.
  ///
  /// The directory is `"."` for a bare name, and `"/"` for a name in the root.
  static func split(_ path: String) -> (directory: String, name: String) {
    let bytes = path.utf8
    guard let last = bytes.lastIndex(of: slash) else { return (".", path) }
    let name = String(path[bytes.index(after: last)...])
    let directory = last == bytes.startIndex ? "/" : String(path[..<last])
    return (directory, name)
  }

  /// A path seen from a directory: an absolute one stays as it is.
  static func join(_ directory: String, _ path: String) -> String {
    if isAbsolute(path) { return path }
    return directory.utf8.last == slash ? directory + path : directory + "/" + path
  }

  static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// Whether a last component stands for a directory whatever is on disk.
  static func meansDirectory(_ name: String) -> Bool {
    name.isEmpty || name == "." || name == ".."
  }

  /// The components between slashes, empty ones left out.
  static func components(_ path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }
}
