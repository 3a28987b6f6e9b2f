/// Where a file is, taken apart once: its directory, its name, and the names beside it.
struct TargetNames: Sendable {
  let directory: String
  let name: String
  let lock: String
  let temporary: String

  /// - Parameter location: A path; its last component is the file's name.
  init(_ location: String) {
    (directory, name) = PathText.split(location)
    lock = SiblingNames.lock(of: name)
    temporary = SiblingNames.temporary(of: name)
  }
}
