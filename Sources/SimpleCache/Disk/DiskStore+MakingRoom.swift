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
  /// Removes what must go before an entry comes in: what has expired, then the least recently used.
  ///
  /// - Returns: Whether there is room. Not if it would have to be made among entries that this level does
  ///   not know; `isLast` brings the new one in all the same.
  func makeRoom(
    for slot: DiskIndex.Slot, in directory: OpenDirectory, isLast: Bool, _ state: inout State,
    _ shared: SharedTally?, _ removed: inout [Removal]
  ) throws(FileError) -> Bool {
    let now = slot.times.created
    if state.index.isSweepDue(at: now) {
      // What cannot be removed is in nobody's way as long as something else can be.
      _ = dropExpired(at: now, in: directory, &state, &removed)
    }
    var stuck: [EntryName] = []
    var first: FileError?
    var looks = state.index.count
    while true {
      var amount = FolderTally(count: state.index.count, size: state.index.size)
      if let tally = shared?.amount {
        amount = tally
        amount += state.gone
      }
      let old = state.index[slot.name]
      amount += FolderTally(count: old == nil ? 1 : 0, size: slot.size - (old?.size ?? 0))
      let reason: EvictionReason
      if amount.count > countLimit {
        reason = .countLimit
      } else if amount.size > sizeLimit {
        reason = .costLimit
      } else {
        return true
      }
      guard let victim = state.index.leastRecent(except: slot.name, stuck) else {
        if let first { throw first }
        // Others have set what fills the folder.
        return shared == nil || isLast
      }
      // What others keep putting in place of it must not keep this from ending.
      var isKnown: Bool?
      if looks > 0 {
        looks -= 1
        switch noteOthers(victim, in: directory, &state) {
        case .nothing: isKnown = true
        case .changed: continue
        case .removed:
          // By somebody who takes nothing off the tally, unless another level will do so.
          if shared?.isAlone == true, !isLast {
            state.isTallyWrong = true
            return false
          }
          continue
        }
      }
      do throws(FileError) {
        try drop(victim.name, in: directory, &state, isKnown: isKnown)
      } catch {
        // A few stay where they are; where nothing can be removed, not all are tried.
        first = first ?? error
        stuck.append(victim.name)
        if stuck.count == 8 { throw error }
        continue
      }
      removed.append(Removal(key: victim.key, reason: reason))
    }
  }

  /// Removes the entries that have expired. The lock is held.
  ///
  /// - Returns: Why one of them could not be removed; the others are all the same.
  func dropExpired(
    at now: Int64, in directory: OpenDirectory, _ state: inout State, _ removed: inout [Removal]
  ) -> FileError? {
    var first: FileError?
    for entry in state.index.expired(at: now) {
      switch noteOthers(entry, in: directory, &state) {
      case .nothing: break
      case .removed: continue
      case .changed:
        if let other = state.index[entry.name],
          !other.times.isExpired(at: now, lastUse: other.lastUse)
        {
          continue
        }
      }
      do throws(FileError) {
        try drop(entry.name, in: directory, &state)
        removed.append(Removal(key: entry.key, reason: nil))
      } catch {
        first = first ?? error
        state.index.keepExpired(entry)
      }
    }
    return first
  }

  private enum OthersDeed {
    case nothing, changed, removed
  }

  /// Looks whether another process has put a file in the place of one that is to go, has used or
  /// removed it, and notes what is there instead. The lock is held, and this is seldom.
  private func noteOthers(
    _ entry: DiskIndex.Slot, in directory: OpenDirectory, _ state: inout State
  ) -> OthersDeed {
    var status = FileStatus()
    let result = calls.file.statusAt(
      directory.descriptor, entry.name.text, AT_SYMLINK_NOFOLLOW, &status)
    if result == -ENOENT {
      state.index.remove(entry.name)
      state.changed?.insert(entry.name)
      return .removed
    }
    // Not any difference: some file systems round times down.
    guard result >= 0, status.lastUse > entry.stamp || !entry.isSameFile(status)
    else { return .nothing }
    var buffer = [UInt8](repeating: 0, count: 512)
    guard case .entry(var other) = examine(entry.name, entry.name.text, in: directory, &buffer)
    else { return .nothing }
    if other.times == entry.times { other.lastUse = max(other.lastUse, entry.lastUse) }
    state.index.insert(other)
    return .changed
  }

  /// Notes what is there under the name of an entry that is to be replaced, if another level has set or
  /// removed it.
  ///
  /// - Returns: Whether that could be found out.
  func noteReplaced(
    _ name: EntryName, in directory: OpenDirectory, _ state: inout State
  ) -> Bool {
    var status = FileStatus()
    let text = name.text
    let result = calls.file.statusAt(directory.descriptor, text, AT_SYMLINK_NOFOLLOW, &status)
    if result == -ENOENT {
      state.index.remove(name)
      return true
    }
    if result >= 0, state.index[name]?.isSameFile(status) == true { return true }
    var buffer = [UInt8](repeating: 0, count: 512)
    switch examine(name, text, in: directory, &buffer) {
    case .entry(let other): state.index.insert(other)
    // Nobody has counted it.
    case .foreign: state.index.remove(name)
    case .unknown: return false
    }
    return true
  }
}
