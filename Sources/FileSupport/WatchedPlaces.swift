#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The directories that decide which file a path leads to, and the names in them that matter.
///
/// For `/home/sky/app.json`, where `app.json` is a link to `/dots/app.json`: the names `app.json` in
/// `/home/sky` and in `/dots`. The directories above are in the list without a name: only their
/// being moved or removed matters, not what happens in them. When something on the way is missing,
/// the last place is the missing name in the deepest directory that is there.
struct WatchedPlaces: Equatable {
  struct Place: Equatable {
    let path: String
    /// As bytes: to Swift, two different names of the file system can be equal.
    var names: [[UInt8]]

    static func == (left: Place, right: Place) -> Bool {
      left.path.utf8.elementsEqual(right.path.utf8) && left.names == right.names
    }
  }

  private(set) var places: [Place] = []
  /// Whether all that matters is in the list; a directory that may not be searched hides the rest.
  private(set) var isComplete = true

  /// - Parameter location: An absolute path.
  init(of location: String, calls: FileCalls) {
    var resolved: [String] = []
    var pending = Array(PathText.components(location).reversed())
    var links = 0
    while let component = pending.popLast() {
      if component == "." { continue }
      if component == ".." {
        _ = resolved.popLast()
        continue
      }
      let directory = "/" + resolved.joined(separator: "/")
      let path = PathText.join(directory, component)
      var status = FileStatus()
      let result = retryingInterrupts {
        calls.statusAt(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &status)
      }
      if result >= 0, status.isDirectory, !pending.isEmpty {
        add(path, name: nil)
        resolved.append(component)
        continue
      }
      add(directory, name: component)
      if result == -ENOENT, Self.leaveMissing(&pending) { continue }
      guard result >= 0, status.isSymbolicLink else {
        isComplete = result >= 0 || result == -ENOENT || result == -ENOTDIR
        return
      }
      links += 1
      var target: [UInt8] = []
      guard links <= PathResolver.mostLinks,
        retryingInterrupts({ calls.readLinkAt(AT_FDCWD, path, &target) }) >= 0,
        let target = String(validating: target, as: UTF8.self)
      else {
        isComplete = false
        return
      }
      if PathText.isAbsolute(target) { resolved.removeAll() }
      pending.append(contentsOf: PathText.components(target).reversed())
    }
  }

  /// Takes what is in a missing directory from what is still to be followed, and the `..` that
  /// leaves it.
  ///
  /// - Returns: Whether it is left.
  private static func leaveMissing(_ pending: inout [String]) -> Bool {
    var depth = 1
    while let component = pending.popLast() {
      if component == ".." { depth -= 1 } else if component != "." { depth += 1 }
      if depth == 0 { return true }
    }
    return false
  }

  private mutating func add(_ path: String, name: String?) {
    let names = name.map { [Array($0.utf8)] } ?? []
    if let known = places.firstIndex(where: { $0.path.utf8.elementsEqual(path.utf8) }) {
      places[known].names += names
    } else {
      places.append(Place(path: path, names: names))
    }
  }
}
