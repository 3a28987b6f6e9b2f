import FileSupport
import Foundation
import SimpleStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension DiskStore {
  /// Removes the entry of a key.
  func remove(_ key: [UInt8]) throws(FileError) {
    let name = EntryName(of: key)
    // A folder that was made anew may have the key.
    for _ in 0..<3 {
      guard let directory = try folder.open(makes: false) else { return forgetAll() }
      if folder.isStill(directory) {
        return try change(directory) { state throws(FileError) in
          try drop(name, in: directory, &state)
        }
      }
      forgetAll()
    }
  }

  /// Removes all entries, and what was left of writing some. Other files stay.
  func removeAll() throws(FileError) {
    for _ in 0..<3 {
      guard let directory = try folder.open(makes: false) else { return forgetAll() }
      guard folder.isStill(directory) else {
        forgetAll()
        continue
      }
      return try change(directory) { state throws(FileError) in
        var names: [String] = []
        let result = calls.list(directory.descriptor, &names)
        if result < 0 { throw failure(.openDirectory, "", result) }
        var first: FileError?
        for name in names {
          guard let entry = EntryName(name) else {
            // Of this level, whose writing threads start over, or of a process that has ended.
            // What cannot be removed is no entry, and goes at the next start.
            if isLeftover(name) { _ = try? unlink(name, in: directory) }
            continue
          }
          // The others are removed all the same.
          do throws(FileError) {
            try drop(entry, in: directory, &state, isKnown: false)
          } catch {
            first = first ?? error
          }
        }
        if let first { throw first }
        state.index = DiskIndex()
      }
    }
  }

  /// Whether this is the file of a writer that has ended.
  func isLeftover(_ name: String) -> Bool {
    guard name.hasPrefix(".tmp-"), !name.hasPrefix(".tmp-\(mark)-") else { return false }
    let parts = name.dropFirst(5).split(separator: "-")
    guard parts.count == 3, let process = Int32(parts[0]), process > 0 else { return false }
    return !calls.isAlive(process)
  }
}
