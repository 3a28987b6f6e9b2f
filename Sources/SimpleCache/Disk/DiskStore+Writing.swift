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
      try? unlink(temporary, in: directory)
      throw error
    }
    do {
      return try state.withLock { state throws(FileError) in
        try putInPlace(temporary, slot, in: directory, &state, &removed)
      }
    } catch {
      // As above.
      try? unlink(temporary, in: directory)
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

  /// Makes room and renames the file. The lock is held.
  private func putInPlace(
    _ temporary: String, _ slot: DiskIndex.Slot, in directory: OpenDirectory,
    _ state: inout State, _ removed: inout [Removal]
  ) throws(FileError) -> Bool {
    if isLimited { try makeRoom(for: slot, in: directory, &state, &removed) }
    let result = calls.file.renameAt(directory.descriptor, temporary, slot.name.text)
    if result == -ENOENT { return false }
    state.changed?.insert(slot.name)
    if result < 0 {
      // Whether it happened is not always known: then better nothing than who knows what.
      try drop(slot.name, in: directory, &state)
      throw failure(.replace, slot.name.text, result)
    }
    // An index that is not complete grows as well: those who look at it complete it first.
    state.index.insert(slot)
    state.spareNames.append(temporary)
    return true
  }

  /// Removes what must go before an entry comes in: what has expired, then the least recently used.
  private func makeRoom(
    for slot: DiskIndex.Slot, in directory: OpenDirectory, _ state: inout State,
    _ removed: inout [Removal]
  ) throws(FileError) {
    let now = slot.times.created
    if state.index.isSweepDue(at: now) {
      // What cannot be removed is in nobody's way as long as something else can be.
      _ = dropExpired(at: now, in: directory, &state, &removed)
    }
    var stuck: [EntryName] = []
    var first: FileError?
    let old = state.index[slot.name]
    var looks = state.index.count
    while true {
      let count = state.index.count + (state.index[slot.name] == nil ? 1 : 0)
      let size = state.index.size - (old?.size ?? 0) + slot.size
      let reason: EvictionReason
      if count > countLimit {
        reason = .countLimit
      } else if size > sizeLimit {
        reason = .costLimit
      } else {
        return
      }
      guard let victim = state.index.leastRecent(except: slot.name, stuck) else {
        if let first { throw first }
        return
      }
      // What others keep putting in place of it must not keep this from ending.
      if looks > 0 {
        looks -= 1
        if noteOthers(victim, in: directory, &state) { continue }
      }
      do throws(FileError) { try drop(victim.name, in: directory, &state) } catch {
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
      if noteOthers(entry, in: directory, &state),
        let other = state.index[entry.name],
        !other.times.isExpired(at: now, lastUse: other.lastUse)
      {
        continue
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

  /// Looks whether another process has put a file in the place of one that is to go, or has used it,
  /// and notes what is there instead. The lock is held, and this is seldom.
  ///
  /// - Returns: Whether there was something to note.
  private func noteOthers(
    _ entry: DiskIndex.Slot, in directory: OpenDirectory, _ state: inout State
  ) -> Bool {
    var status = FileStatus()
    let result = calls.file.statusAt(
      directory.descriptor, entry.name.text, AT_SYMLINK_NOFOLLOW, &status)
    // Not any difference: some file systems round times down.
    guard result >= 0,
      status.lastUse > entry.stamp || ![0, status.version.inode].contains(entry.inode)
    else { return false }
    var buffer = [UInt8](repeating: 0, count: 512)
    guard case .entry(var other) = examine(entry.name, entry.name.text, in: directory, &buffer)
    else { return false }
    if other.times == entry.times { other.lastUse = max(other.lastUse, entry.lastUse) }
    state.index.insert(other)
    return true
  }

  /// Removes the entry of a key.
  func remove(_ key: [UInt8]) throws(FileError) {
    let name = EntryName(of: key)
    // A folder that was made anew may have the key.
    for _ in 0..<3 {
      guard let directory = try folder.open(makes: false) else { return forgetAll() }
      if folder.isStill(directory) {
        return try state.withLock { state throws(FileError) in
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
      return try state.withLock { state throws(FileError) in
        var names: [String] = []
        let result = calls.list(directory.descriptor, &names)
        if result < 0 { throw failure(.openDirectory, "", result) }
        var first: FileError?
        for name in names {
          guard let entry = EntryName(name) else {
            // Of this level, whose writing threads start over, or of a process that has ended.
            // What cannot be removed is no entry, and goes at the next start.
            if isLeftover(name) { try? unlink(name, in: directory) }
            continue
          }
          // The others are removed all the same.
          do throws(FileError) { try drop(entry, in: directory, &state) } catch {
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

  func failure(_ step: FileError.Step, _ name: String, _ code: Int32) -> FileError {
    FileError(step, path: folder.path + "/" + name, code: code < 0 ? -code : code)
  }
}
