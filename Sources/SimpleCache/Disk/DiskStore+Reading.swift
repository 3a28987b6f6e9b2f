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
  enum Outcome: Sendable {
    case hit(Data, deadline: Int64, inode: UInt64)
    case miss
    case expired
  }

  /// What was found at an entry's name.
  private enum Found {
    case absent
    case foreign(FileStatus)
    case file(UnsafeMutableRawBufferPointer, FileStatus)
  }

  /// Reads the value of a key. Does not need the index.
  ///
  /// A file that is damaged, cut off or not an entry is a miss and is removed.
  ///
  /// - Throws: When the system fails otherwise.
  func read(_ key: [UInt8]) throws(FileError) -> Outcome {
    let name = EntryName(of: key)
    for _ in 0..<3 {
      guard let directory = try folder.open(makes: false) else {
        forgetAll()
        return .miss
      }
      if let outcome = try read(key, name, in: directory) { return outcome }
      if folder.isStill(directory) {
        noteAbsence(of: name, in: directory)
        return .miss
      }
      // The folder was deleted, and perhaps made again by another process.
      forgetAll()
    }
    return .miss
  }

  /// Forgets what has no file, unless a `set` has brought one since the look that found none.
  func noteAbsence(of name: EntryName, in directory: OpenDirectory) {
    state.withLock { state in
      // A miss of what nobody knows costs no second look.
      guard state.index[name] != nil || state.changed != nil else { return }
      var status = FileStatus()
      let result = calls.file.statusAt(
        directory.descriptor, name.text, AT_SYMLINK_NOFOLLOW, &status)
      guard result == -ENOENT else { return }
      state.index.remove(name)
      state.changed?.insert(name)
    }
  }

  /// - Returns: `nil` if there is no file.
  private func read(
    _ key: [UInt8], _ name: EntryName, in directory: OpenDirectory
  ) throws(FileError) -> Outcome? {
    let text = name.text
    // O_NONBLOCK: opening a FIFO would wait for a writer.
    let descriptor = repeating {
      calls.file.openAt(
        directory.descriptor, text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0)
    }
    if descriptor == -ENOENT { return nil }
    if descriptor == -ELOOP || descriptor == -ENXIO {
      // A link, or a socket or device without anybody behind it. What is there cannot be told apart
      // from a new entry without a look, and the lock is held meanwhile.
      discardForeign(name, in: directory)
      return .miss
    }
    if descriptor < 0 { throw failure(.openFile, text, descriptor) }
    // Nothing is written through it, so its close has nothing to report.
    defer { _ = calls.file.close(descriptor) }
    var status = FileStatus()
    let examined = repeating { calls.file.status(descriptor, &status) }
    if examined < 0 { throw failure(.examineFile, text, examined) }
    guard status.mode & UInt32(S_IFMT) == UInt32(S_IFREG),
      let size = Int(exactly: status.version.size),
      size >= DiskEntryHeader.length
    else {
      discard(name, status, in: directory)
      return .miss
    }

    // Unsafe, and right: the buffer has `room` bytes, of which the first `count` are read into, and
    // it is freed here or by the `Data` that takes it.
    // A first piece tells whether this is an entry: a foreign file may be larger than memory.
    var room = min(size, 1 << 20)
    guard var base = malloc(room) else { throw failure(.readFile, text, -ENOMEM) }
    var isTaken = false
    defer { if !isTaken { free(base) } }
    var count = 0
    while count < size {
      if count == room {
        guard let larger = realloc(base, size) else { throw failure(.readFile, text, -ENOMEM) }
        base = larger
        room = size
      }
      let wanted = room - count
      let result = repeating { calls.file.read(descriptor, base + count, wanted) }
      if result < 0 { throw failure(.readFile, text, Int32(result)) }
      if result == 0 { break }
      count += min(result, wanted)
      let beginning = UnsafeRawBufferPointer(start: base, count: count)
      if count >= DiskEntryHeader.length, DiskEntryHeader(beginning, fileSize: size) == nil {
        break
      }
    }
    let bytes = UnsafeRawBufferPointer(start: base, count: count)
    guard count == size, let header = DiskEntryHeader(bytes, fileSize: size),
      DiskEntryHeader.isIntact(bytes)
    else {
      discard(name, status, in: directory)
      return .miss
    }
    // The file has as many bytes as its header says, so the key's are there.
    guard header.keyLength == key.count,
      key.withUnsafeBytes({ key in
        key.baseAddress.map { memcmp($0, base + DiskEntryHeader.length, key.count) == 0 } ?? true
      })
    else { return .miss }
    let now = now
    var lastUse = status.lastUse
    if header.times.sliding > 0 {
      // The file's time is not set at each use.
      lastUse = lastUseByIndex(name, header.times, lastUse)
    }
    if header.times.isExpired(at: now, lastUse: lastUse) {
      discard(name, status, in: directory)
      return .expired
    }
    noteUse(name, status, header, key, at: now, through: descriptor, in: directory)

    isTaken = true
    return .hit(
      Self.value(of: header, in: base), deadline: header.times.deadline(lastUse: now),
      inode: status.version.inode)
  }

  /// When the entry with these times was last used, by its file and by the index.
  func lastUseByIndex(_ name: EntryName, _ times: DiskTimes, _ lastUse: Int64) -> Int64 {
    state.withLock { state in
      guard let known = state.index[name], known.times == times else { return lastUse }
      return max(lastUse, known.lastUse)
    }
  }

  /// The value as the owner of the buffer of its file, which comes from `malloc`.
  private static func value(
    of header: DiskEntryHeader, in buffer: UnsafeMutableRawPointer
  ) -> Data {
    let (start, count) = (DiskEntryHeader.length + header.keyLength, header.valueLength)
    // Unsafe, and right: the file, and so the buffer, has `count` bytes from `start` on.
    // Copying a page costs less than a buffer with an owner of its own.
    if count <= 4_096 {
      defer { free(buffer) }
      return Data(bytes: buffer + start, count: count)
    }
    // `free` is given the beginning of the buffer, not that of the value.
    let address = UInt(bitPattern: buffer)
    return Data(
      bytesNoCopy: buffer + start, count: count,
      deallocator: .custom { _, _ in free(UnsafeMutableRawPointer(bitPattern: address)) })
  }

  /// Notes that an entry was used: in the index at once, in the file's time when that is more than a
  /// second old, because setting it takes half as long as reading a small entry. If it lives for less
  /// than eight seconds after a use, for other processes, when an eighth of that has passed.
  private func noteUse(
    _ name: EntryName, _ status: FileStatus, _ header: DiskEntryHeader, _ key: [UInt8],
    at now: Int64, through descriptor: Int32, in directory: OpenDirectory
  ) {
    let stamp: Int64? = state.withLock { state in
      let stamp = nextStamp(&state, now: now)
      let onDisk: Int64
      if let known = state.index.use(name, header.times, size: header.valueLength, at: stamp) {
        onDisk = known
      } else {
        onDisk = status.lastUse
        // Of another process, or of an earlier one. Unless it is gone again, it counts from now on.
        if isStill(name, status, in: directory) {
          state.index.insert(
            DiskIndex.Slot(
              name: name, key: key, size: header.valueLength, times: header.times, lastUse: stamp,
              stamp: onDisk, inode: status.version.inode))
          state.changed?.insert(name)
        }
      }
      // Also if it is from the future: somebody set the clock back.
      let sliding = header.times.sliding
      let step = sliding > 0 ? min(1_000_000_000, sliding / 8) : 1_000_000_000
      guard onDisk < now - step || onDisk > now + 1_000_000_000 else { return nil }
      state.index.setStamp(name, stamp)
      return stamp
    }
    // An age that cannot be noted costs an earlier eviction, nothing else.
    if let stamp { _ = calls.setTime(descriptor, stamp) }
  }

  /// Notes that entries were used in a level above this one.
  ///
  /// It says that they are wanted, not when: an entry whose life counts from its last use does not
  /// live longer for it, or one that is over would come back.
  func noteUses(of keys: [[UInt8]]) {
    let now = now
    for key in keys {
      let name = EntryName(of: key)
      let stamp: Int64? = state.withLock { state in
        // What the level above got from here is known here.
        guard let entry = state.index[name] else { return nil }
        let stamp = nextStamp(&state, now: now)
        if entry.times.sliding > 0 {
          state.index.wish(name, at: stamp)
          return nil
        }
        guard let onDisk = state.index.use(name, entry.times, size: entry.size, at: stamp),
          abs(onDisk.subtractingReportingOverflow(now).partialValue) > 1_000_000_000
        else { return nil }
        state.index.setStamp(name, stamp)
        return stamp
      }
      // As above; the folder is there, or there is nothing to note.
      if let stamp, let directory = try? folder.open(makes: false) {
        _ = calls.setTimeAt(directory.descriptor, name.text, stamp)
      }
    }
  }

  /// Whether the name still leads to the file that was read.
  private func isStill(
    _ name: EntryName, _ status: FileStatus, in directory: OpenDirectory
  ) -> Bool {
    var current = FileStatus()
    let result = calls.file.statusAt(
      directory.descriptor, name.text, AT_SYMLINK_NOFOLLOW, &current)
    return result >= 0 && current.version.inode == status.version.inode
      && current.version.device == status.version.device
  }

  /// Removes a file that is no valid entry, unless a new one has taken its place.
  private func discard(_ name: EntryName, _ status: FileStatus, in directory: OpenDirectory) {
    changeIfFree(directory) { state in
      if isStill(name, status, in: directory) {
        // It stays a miss; the next read tries again.
        try? drop(name, in: directory, &state)
      }
    }
  }

  /// Removes an entry whose bytes turned out to be no value, unless a new one has taken its place.
  func discard(_ key: [UInt8], inode: UInt64) {
    // It stays a miss if it cannot be removed.
    guard let directory = try? folder.open(makes: false) else { return }
    var status = FileStatus()
    status.version = FileVersion(
      device: directory.device, inode: inode, size: 0, modified: status.version.modified,
      changed: status.version.changed)
    discard(EntryName(of: key), status, in: directory)
  }

  private func discardForeign(_ name: EntryName, in directory: OpenDirectory) {
    changeIfFree(directory) { state in
      var status = FileStatus()
      let result = calls.file.statusAt(
        directory.descriptor, name.text, AT_SYMLINK_NOFOLLOW, &status)
      if result >= 0, status.mode & UInt32(S_IFMT) != UInt32(S_IFREG) {
        // As above. `unlink` removes a link itself, never what it points to.
        try? drop(name, in: directory, &state)
      }
    }
  }

  /// The folder is gone, and with it everything that was in it.
  func forgetAll() {
    state.withLock { state in
      state.index = DiskIndex()
      state.isComplete = false
    }
  }
}

extension FileStatus {
  /// The modification time in nanoseconds since 1970.
  var lastUse: Int64 {
    let (product, overflow) = version.modified.seconds.multipliedReportingOverflow(
      by: 1_000_000_000)
    if overflow { return version.modified.seconds < 0 ? .min : .max }
    let (sum, carry) = product.addingReportingOverflow(version.modified.nanoseconds)
    return carry ? .max : sum
  }
}
