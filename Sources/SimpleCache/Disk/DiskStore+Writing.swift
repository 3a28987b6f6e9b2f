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
  /// Keeps a value.
  ///
  /// Room is made before the file gets its name, so the limits hold at every moment. When it throws,
  /// the old value is there or none.
  ///
  /// - Parameter removed: Gets what had to go, also when it throws.
  /// - Returns: Whether the value was not larger than all may be together.
  func write(
    _ key: [UInt8], _ value: Data, expiry: Int64, sliding: Int64, _ removed: inout [Removal]
  ) throws(FileError) -> Bool {
    let now = now
    let times = DiskTimes(created: now, expiry: expiry, sliding: sliding)
    let header = DiskEntryHeader(keyLength: key.count, valueLength: value.count, times: times)
    guard countLimit > 0, sizeLimit > 0, value.count <= sizeLimit, UInt32(exactly: key.count) != nil
    else {
      try remove(key)
      let reason: EvictionReason = countLimit == 0 ? .countLimit : .tooCostly
      removed.append(Removal(key: key, reason: reason))
      return false
    }
    if times.isExpired(at: now, lastUse: now) {
      try remove(key)
      removed.append(Removal(key: key, reason: nil))
      return true
    }
    if isLimited { try bringUpToDate(maximumAge: 5_000_000_000, &removed) }
    let name = EntryName(of: key)
    let file = header.file(key: key, value: value)
    defer { file.deallocate() }
    for _ in 0..<8 {
      guard let directory = try folder.open(makes: true) else { continue }
      let slot = DiskIndex.Slot(
        name: name, key: key, size: value.count, times: times, lastUse: now, stamp: now, inode: 0)
      if try write(UnsafeRawBufferPointer(file), slot, in: directory, &removed) { return true }
      // The folder, or the file on its way, was removed by somebody else.
      if !folder.isStill(directory) { forgetAll() }
    }
    throw FileError(.replace, path: folder.path + "/" + name.text, code: ENOENT)
  }

  /// - Returns: Whether it was done; not if the folder or the file on its way is gone.
  private func write(
    _ file: UnsafeRawBufferPointer, _ slot: DiskIndex.Slot, in directory: OpenDirectory,
    _ removed: inout [Removal]
  ) throws(FileError) -> Bool {
    var slot = slot
    var temporary = ""
    var descriptor: Int32 = -EEXIST
    // A name that was used before is still taken if the system failed to say that it was.
    for _ in 0..<8 where descriptor == -EEXIST {
      temporary = state.withLock { state in
        slot.lastUse = nextStamp(&state, now: slot.lastUse)
        if let name = state.spareNames.popLast() { return name }
        state.temporaries += 1
        return ".tmp-\(mark)-\(state.temporaries)"
      }
      descriptor = repeating {
        calls.file.openAt(
          directory.descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
          0o600)
      }
    }
    if descriptor == -ENOENT { return false }
    if descriptor < 0 { throw failure(.createTemporary, temporary, descriptor) }
    do {
      try fill(descriptor, temporary, file, &slot)
    } catch {
      // The failure that is thrown is the one that matters; the next start removes what is left.
      _ = try? unlink(temporary, in: directory)
      throw error
    }
    do {
      for looks in 1... {
        let placing = try withTally(in: directory) { shared throws(FileError) in
          try state.withLock { state throws(FileError) in
            try putInPlace(
              temporary, slot, in: directory, isLast: looks > 4, &state, &shared, &removed)
          }
        }
        if placing != .unclear { return placing == .done }
        try bringUpToDate(maximumAge: 0, &removed)
      }
      return false
    } catch {
      // As above.
      _ = try? unlink(temporary, in: directory)
      throw error
    }
  }

  /// Writes and closes the file.
  private func fill(
    _ descriptor: Int32, _ name: String, _ file: UnsafeRawBufferPointer,
    _ slot: inout DiskIndex.Slot
  ) throws(FileError) {
    var failed: (FileError.Step, Int32)?
    // Each write gets the part of the buffer behind what is written already.
    var rest = file
    while failed == nil, let base = rest.baseAddress, !rest.isEmpty {
      let result = repeating { calls.file.write(descriptor, base, rest.count) }
      if result <= 0 { failed = (.write, result == 0 ? -EIO : Int32(result)) }
      rest = UnsafeRawBufferPointer(rebasing: rest[min(max(result, 0), rest.count)...])
    }
    if failed == nil { noteTime(descriptor, &slot) }
    let closed = calls.file.close(descriptor)
    // EINTR: closed all the same on Linux and Apple platforms, and a cache needs no more.
    if failed == nil, closed < 0, closed != -EINTR { failed = (.close, closed) }
    if let (step, code) = failed { throw failure(step, name, code) }
  }

  /// Sees to it that the file's time is that of its last use, and notes which file it is.
  ///
  /// The time that the file has got by being written is right to a few milliseconds, and what has been
  /// set is told apart by the header. Setting it takes six times as long as the look, which is why it
  /// is set only where it matters or the clocks differ.
  private func noteTime(_ descriptor: Int32, _ slot: inout DiskIndex.Slot) {
    var status = FileStatus()
    if calls.file.status(descriptor, &status) >= 0 {
      slot.inode = status.version.inode
      slot.stamp = status.lastUse
      let (difference, overflow) = slot.stamp.subtractingReportingOverflow(slot.lastUse)
      if slot.times.sliding == 0, !overflow, difference.magnitude < 50_000_000 { return }
    }
    slot.stamp = slot.lastUse
    // An age that cannot be noted is the time of writing.
    _ = calls.setTime(descriptor, slot.stamp)
  }

  private enum Placing: Sendable {
    case done
    /// The folder, or the file on its way, is not there.
    case gone
    /// How much the folder holds is not known: it has to be looked through.
    case unclear
  }

  /// Makes room and renames the file. The lock is held.
  ///
  /// - Parameter isLast: Whether to go by the index where nothing better is known.
  private func putInPlace(
    _ temporary: String, _ slot: DiskIndex.Slot, in directory: OpenDirectory, isLast: Bool,
    _ state: inout State, _ shared: inout SharedTally?, _ removed: inout [Removal]
  ) throws(FileError) -> Placing {
    if isLimited {
      settle(&shared, &state)
      if let known = shared, known.amount == nil {
        if !isLast { return .unclear }
        shared = nil
      }
      if shared?.isAlone == false {
        guard noteReplaced(slot.name, in: directory, &state) || isLast else { return .unclear }
      }
      guard
        try makeRoom(for: slot, in: directory, isLast: isLast, &state, shared, &removed)
      else { return .unclear }
    }
    let result = calls.file.renameAt(directory.descriptor, temporary, slot.name.text)
    if result == -ENOENT {
      settle(&shared, &state)
      return .gone
    }
    state.changed?.insert(slot.name)
    if result < 0 {
      // Whether it happened is not always known: then better nothing than who knows what.
      try drop(slot.name, in: directory, &state, isKnown: false)
      throw failure(.replace, slot.name.text, result)
    }
    if isLimited {
      let old = state.index[slot.name]
      state.gone += FolderTally(count: old == nil ? 1 : 0, size: slot.size - (old?.size ?? 0))
      // What no tally says is found by the next look.
      if shared == nil { state.isTallyWrong = true }
      settle(&shared, &state)
    }
    // An index that is not complete grows as well: those who look at it complete it first.
    state.index.insert(slot)
    state.spareNames.append(temporary)
    return .done
  }

  func failure(_ step: FileError.Step, _ name: String, _ code: Int32) -> FileError {
    FileError(step, path: folder.path + "/" + name, code: code < 0 ? -code : code)
  }
}
