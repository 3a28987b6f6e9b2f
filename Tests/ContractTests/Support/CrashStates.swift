/// Every state in which a power cut may leave the disk after some operations.
///
/// The rules are those of Pillai et al., "All File Systems Are Not Created Equal" (OSDI 2014), at
/// their strictest: what was written to a file is there for sure only after the file was
/// synchronized, and until then may be missing, cut in half, or zeros; a change of names is there
/// for sure only after its directory was synchronized, and until then any of the changes may be
/// missing. A rename is one change: its target is the old file or the new one.
struct CrashStates {
  /// What is on the disk before: the bytes of each path.
  let before: [String: [UInt8]]
  /// Directories that are there before.
  let directories: Set<String>

  /// What can be found at a path after a power cut that follows the operations: nil is no file.
  func contents(of path: String, after operations: ArraySlice<CrashRecorder.Operation>)
    -> Set<[UInt8]?>
  {
    var found: Set<[UInt8]?> = []
    for names in states(after: operations) {
      guard let contents = names[path] else {
        found.insert(nil)
        continue
      }
      for content in contents { found.insert(content) }
    }
    return found
  }

  /// Every combination of names that a power cut may leave, and what each file may then hold.
  func states(after operations: ArraySlice<CrashRecorder.Operation>) -> [[String: Set<[UInt8]>]] {
    let pending = pendingNames(operations)
    // At most a handful are pending: every subset of them is missing.
    return (0..<(1 << pending.count)).map { missing in
      var names = before.mapValues { [$0] as Set<[UInt8]> }
      var directories = directories
      for (position, operation) in operations.enumerated() {
        if let bit = pending.firstIndex(of: position), missing & (1 << bit) != 0 { continue }
        switch operation {
        case .makeDirectory(let path): directories.insert(path)
        case .create(let path, let file): names[path] = contents(of: file, operations)
        case .rename(let from, let to):
          // The file may have its new name although the old one never reached the disk.
          names[to] = names[from] ?? created(from, operations).map { contents(of: $0, operations) }
          names[from] = nil
        case .link(let from, let to): names[to] = names[from]
        case .remove(let path):
          names[path] = nil
          directories.remove(path)
        case .write, .synchronize, .synchronizeDirectory: break
        }
      }
      return names.filter { name, _ in
        parents(of: name).allSatisfy(directories.contains)
      }
    }
  }

  /// The positions of changes of names that no later synchronization of their directory made safe.
  private func pendingNames(_ operations: ArraySlice<CrashRecorder.Operation>) -> [Int] {
    var pending: [(position: Int, directory: String)] = []
    for (position, operation) in operations.enumerated() {
      switch operation {
      case .makeDirectory(let path), .create(let path, _), .rename(_, let path), .link(_, let path),
        .remove(let path):
        pending.append((position, parent(of: path)))
      case .synchronizeDirectory(let path): pending.removeAll { $0.directory == path }
      case .write, .synchronize: break
      }
    }
    return pending.map(\.position)
  }

  /// What a file that was made meanwhile may hold.
  private func contents(
    of file: Int, _ operations: ArraySlice<CrashRecorder.Operation>
  ) -> Set<[UInt8]> {
    var safe: [UInt8] = []
    var all: [UInt8] = []
    for operation in operations {
      switch operation {
      case .write(file, let bytes): all += bytes
      case .synchronize(file): safe = all
      default: break
      }
    }
    let unsafe = all.count - safe.count
    if unsafe == 0 { return [all] }
    return [
      safe, all, Array(all.prefix(safe.count + unsafe / 2)),
      safe + Array(repeating: 0, count: unsafe),
    ]
  }

  private func created(_ path: String, _ operations: ArraySlice<CrashRecorder.Operation>) -> Int? {
    for case .create(path, let file) in operations.reversed() { return file }
    return nil
  }

  private func parent(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The directories above a path, up to one that was there before.
  private func parents(of path: String) -> [String] {
    var result: [String] = []
    var next = parent(of: path)
    while !next.isEmpty, !directories.contains(next) {
      result.append(next)
      next = parent(of: next)
    }
    return result
  }
}
