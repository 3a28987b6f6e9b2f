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

/// The entries of a disk level as bytes: one file each in a folder, with an index in memory.
///
/// A file is written beside its place and renamed into it, so it is whole or not there; it is not
/// synchronised, because after a power cut a damaged entry is a miss and no more. The lock is held
/// for renaming, removing and bookkeeping, never for reading, encoding or writing.
final class DiskStore: Sendable {
  struct State: Sendable {
    var index = DiskIndex()
    /// Whether the index is that of the folder.
    var isComplete = false
    /// The names that changed while somebody was looking through the folder.
    var changed: Set<EntryName>?
    var lastScan = Int64.min
    var lastStamp = Int64.min
    var temporaries = 0
    /// Names for files that are not in place yet, used before and free again. A name that the file
    /// system has just looked up is cheaper than a new one.
    var spareNames: [String] = []
    /// What this level has removed and not yet taken off the tally: numbers below zero.
    var gone = FolderTally()
    /// The look through the folder, by whichever level, that the tally went back to then.
    var look: UInt64 = 0
    /// Whether it has changed something without knowing what that does to the tally.
    var isTallyWrong = false
  }

  /// What left the folder, and why; `nil` is that it expired.
  struct Removal: Sendable {
    let key: [UInt8]
    let reason: EvictionReason?
  }

  let folder: DiskFolder
  let countLimit: Int
  let sizeLimit: Int
  let clock: CacheClock
  let state = Guarded(State())
  /// Held by who looks through the folder.
  let scanning = Guarded<Void>(())
  /// Held by who brings something into a folder with limits; taken after `scanning` and before `state`.
  let turn = Guarded(Turn())
  /// Tells what this level has done to the folder from what others have.
  let identity = UInt64.random(in: 1 ... .max)
  /// Tells the files of this level that are not in place yet from those of others.
  let mark = "\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))"

  init(path: String, countLimit: Int?, sizeLimit: Int?, clock: CacheClock, calls: DiskCalls) {
    folder = DiskFolder(path: path, calls: calls)
    self.countLimit = countLimit ?? .max
    self.sizeLimit = sizeLimit ?? .max
    self.clock = clock
  }

  var calls: DiskCalls { folder.calls }
  var isLimited: Bool { countLimit != .max || sizeLimit != .max }

  /// The wall clock in nanoseconds since 1970.
  var now: Int64 { clock.wall().nanosecondsSince1970 }

  /// A stamp of use: the time, and later than any other stamp of this level, as long as the clock was
  /// not set back. The clocks of file systems stand still for milliseconds.
  func nextStamp(_ state: inout State, now: Int64) -> Int64 {
    let isAhead = state.lastStamp >= now && state.lastStamp - now < 1_000_000_000
    state.lastStamp = isAhead ? state.lastStamp + 1 : now
    return state.lastStamp
  }

  /// Removes a file. That it is gone already is no failure.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  func unlink(_ name: String, in directory: OpenDirectory) throws(FileError) -> Bool {
    let result = repeating { calls.file.unlinkAt(directory.descriptor, name, 0) }
    if result < 0, result != -ENOENT {
      throw FileError(.removeLeftover, path: folder.path + "/" + name, code: -result)
    }
    return result >= 0
  }
}

extension Date {
  /// Held at the ends of `Int64`. Without `Duration`, whose 128 bits take a tenth of a small read.
  var nanosecondsSince1970: Int64 {
    let nanoseconds = timeIntervalSince1970 * 1e9
    if nanoseconds.isNaN { return 0 }
    return Int64(exactly: nanoseconds.rounded()) ?? (nanoseconds < 0 ? .min : .max)
  }
}
