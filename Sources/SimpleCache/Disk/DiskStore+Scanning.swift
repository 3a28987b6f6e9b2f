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
  /// Makes the index that of the folder, if that was not done within this time.
  ///
  /// The folder is looked through without the lock of the entries: reads and misses do not wait.
  ///
  /// - Parameters:
  ///   - maximumAge: In nanoseconds of the monotonic clock; 0 always looks.
  ///   - removed: Gets what had to go because the folder held more than it may.
  func bringUpToDate(maximumAge: Int64, _ removed: inout [Removal]) throws(FileError) {
    func isCurrent() -> Bool {
      state.withLock { state in
        guard state.isComplete, maximumAge > 0 else { return false }
        let age = clock.monotonic().nanoseconds.subtractingReportingOverflow(state.lastScan)
        return !age.overflow && age.partialValue < maximumAge
      }
    }
    if isCurrent() { return }
    removed += try scanning.withLock { _ throws(FileError) in
      // Who waited may find it done.
      isCurrent() ? [] : try scan()
    }
  }

  private func scan() throws(FileError) -> [Removal] {
    let started = clock.monotonic().nanoseconds
    guard let directory = try folderThatIsThere() else {
      return state.withLock { state in
        state.index = DiskIndex()
        state.isComplete = true
        state.lastScan = started
        return []
      }
    }
    return try withTally(in: directory, looks: true) { shared throws(FileError) in
      try scan(directory, started: started, &shared)
    }
  }

  /// Makes the index what is in the folder, and the tally as well.
  private func scan(
    _ directory: OpenDirectory, started: Int64, _ shared: inout SharedTally?
  ) throws(FileError) -> [Removal] {
    let known = state.withLock { state in
      state.changed = []
      return state.index
    }
    var names: [String] = []
    let result = calls.list(directory.descriptor, &names)
    if result < 0 {
      state.withLock { $0.changed = nil }
      throw failure(.openDirectory, "", result)
    }
    // What cannot be looked into counts all the same.
    var hidden = FolderTally()
    var found: [DiskIndex.Slot] = []
    found.reserveCapacity(names.count)
    var buffer = [UInt8](repeating: 0, count: 512)
    for text in names {
      guard let name = EntryName(text) else {
        // It is no entry: it stays until the next start if it cannot be removed.
        if isLeftover(text) { _ = try? unlink(text, in: directory) }
        continue
      }
      if let slot = look(at: name, text, known: known[name], in: directory, &buffer, &hidden) {
        found.append(slot)
      }
    }
    let now = now
    return state.withLock { state in
      let changed = state.changed ?? []
      state.changed = nil
      state.index.settle(at: now)
      // What others changed meanwhile is in the index, or no longer, whatever was seen.
      let entries =
        found.filter { !changed.contains($0.name) }.map { state.index.combined($0, at: now) }
        + changed.compactMap { state.index[$0] }
      state.index = DiskIndex(entries)
      state.isComplete = true
      state.lastScan = started
      // The limits may be lower than last time, or another process has filled the folder.
      var removed: [Removal] = []
      while state.index.count > countLimit || state.index.size > sizeLimit,
        let victim = state.index.leastRecent
      {
        let reason: EvictionReason = state.index.count > countLimit ? .countLimit : .costLimit
        // Who sets something tries again and says so; who counts gets what is there.
        do throws(FileError) { try drop(victim.name, in: directory, &state) } catch { break }
        removed.append(Removal(key: victim.key, reason: reason))
      }
      if shared != nil {
        hidden += FolderTally(count: state.index.count, size: state.index.size)
        shared?.amount = hidden
        state.look = .random(in: 1 ... .max)
        shared?.look = state.look
        state.gone = FolderTally()
        state.isTallyWrong = false
      }
      return removed
    }
  }

  private func folderThatIsThere() throws(FileError) -> OpenDirectory? {
    for _ in 0..<3 {
      guard let directory = try folder.open(makes: false) else { return nil }
      if folder.isStill(directory) { return directory }
      forgetAll()
    }
    return nil
  }

  /// An entry as the index keeps it; what is none is removed.
  private func look(
    at name: EntryName, _ text: String, known: DiskIndex.Slot?, in directory: OpenDirectory,
    _ buffer: inout [UInt8], _ hidden: inout FolderTally
  ) -> DiskIndex.Slot? {
    if var known {
      var status = FileStatus()
      let result = calls.file.statusAt(directory.descriptor, text, AT_SYMLINK_NOFOLLOW, &status)
      if result < 0 { return nil }
      if known.isStill(status) {
        known.inode = status.version.inode
        return known
      }
    }
    switch examine(name, text, in: directory, &buffer) {
    case .entry(let slot): return slot
    case .foreign(let status): return remove(name, text, status, in: directory)
    case .unknown:
      var status = FileStatus()
      let result = calls.file.statusAt(directory.descriptor, text, AT_SYMLINK_NOFOLLOW, &status)
      if result >= 0 {
        hidden += FolderTally(
          count: 1, size: max(0, Int(status.version.size) - DiskEntryHeader.length))
      }
      return nil
    }
  }

  /// What a look at one file finds.
  enum Examined {
    case entry(DiskIndex.Slot)
    /// No entry; without a status it is a link.
    case foreign(FileStatus?)
    /// Nothing, or the system failed.
    case unknown
  }

  /// Reads what a file begins with.
  func examine(
    _ name: EntryName, _ text: String, in directory: OpenDirectory, _ buffer: inout [UInt8]
  ) -> Examined {
    var status = FileStatus()
    let descriptor = repeating {
      calls.file.openAt(
        directory.descriptor, text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0)
    }
    if descriptor == -ELOOP { return .foreign(nil) }
    // It cannot be counted, and a read of it will say why.
    if descriptor < 0 { return .unknown }
    defer { _ = calls.file.close(descriptor) }
    guard calls.file.status(descriptor, &status) >= 0 else { return .unknown }
    guard status.mode & UInt32(S_IFMT) == UInt32(S_IFREG),
      let size = Int(exactly: status.version.size)
    else { return .foreign(status) }
    guard let count = readBeginning(of: descriptor, size, &buffer) else { return .unknown }
    let slot: DiskIndex.Slot? = buffer.withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<count])
      guard let header = DiskEntryHeader(bytes, fileSize: size),
        DiskEntryHeader.length + header.keyLength <= count
      else { return nil }
      let key = Array(bytes[DiskEntryHeader.length..<(DiskEntryHeader.length + header.keyLength)])
      guard EntryName(of: key) == name else { return nil }
      let stamp = status.lastUse
      // The file system's clock is up to 10 ms behind where the time was left to it: then it was set
      // last when it was made.
      let lastUse = header.times.sliding > 0 ? stamp : max(stamp, header.times.created)
      return DiskIndex.Slot(
        name: name, key: key, size: header.valueLength, times: header.times, lastUse: lastUse,
        stamp: stamp, inode: status.version.inode)
    }
    return slot.map { .entry($0) } ?? .foreign(status)
  }

  /// Reads until header and key are in the buffer.
  ///
  /// - Returns: How many bytes are; `nil` if the system failed.
  private func readBeginning(of descriptor: Int32, _ size: Int, _ buffer: inout [UInt8]) -> Int? {
    var count = 0
    var wanted = min(size, buffer.count)
    while count < wanted {
      let room = wanted - count
      // The read gets the part of the buffer behind what is read already.
      let result = buffer.withUnsafeMutableBytes { bytes -> Int in
        guard let base = bytes.baseAddress else { return 0 }
        return repeating { calls.file.read(descriptor, base + count, room) }
      }
      if result < 0 { return nil }
      if result == 0 { return count }
      count += min(result, room)
      if count == wanted, count >= DiskEntryHeader.length {
        let header = buffer.withUnsafeBytes { DiskEntryHeader($0, fileSize: size) }
        guard let header else { return count }
        wanted = DiskEntryHeader.length + header.keyLength
        if wanted > buffer.count {
          buffer.append(contentsOf: repeatElement(0, count: wanted - buffer.count))
        }
      }
    }
    return count
  }

  /// Removes what is no entry, unless an entry has taken its place.
  private func remove(
    _ name: EntryName, _ text: String, _ status: FileStatus?, in directory: OpenDirectory
  ) -> DiskIndex.Slot? {
    state.withLock { state in
      var current = FileStatus()
      let result = calls.file.statusAt(directory.descriptor, text, AT_SYMLINK_NOFOLLOW, &current)
      guard result >= 0 else { return nil }
      let isSame =
        status.map { $0.version.inode == current.version.inode }
        ?? (current.mode & UInt32(S_IFMT) != UInt32(S_IFREG))
      // What cannot be removed is a miss in any case.
      if isSame { try? drop(name, in: directory, &state) }
      return nil
    }
  }

  /// What a look at the whole folder gives.
  struct Contents: Sendable {
    var keys: [[UInt8]] = []
    var size = 0
    /// Why something that has expired could not be removed.
    var failure: FileError?
  }

  /// Looks through the folder, and removes what has expired.
  ///
  /// - Parameter removed: Gets what had to go.
  func contents(_ removed: inout [Removal]) throws(FileError) -> Contents {
    try bringUpToDate(maximumAge: 0, &removed)
    guard let directory = try folder.open(makes: false) else { return Contents() }
    let now = now
    let (expired, contents) = try change(directory) { state in
      var expired: [Removal] = []
      var contents = Contents()
      contents.failure = dropExpired(at: now, in: directory, &state, &expired)
      var entries = state.index.entries
      if contents.failure != nil {
        entries.removeAll { $0.times.isExpired(at: now, lastUse: $0.lastUse) }
      }
      contents.keys = entries.map(\.key)
      contents.size = entries.reduce(0) { $0 + $1.size }
      return (expired, contents)
    }
    removed += expired
    return contents
  }

  /// Whether there is an entry, by its file: it is looked at, and what it begins with is read if it is
  /// not the one that the index knows.
  ///
  /// - Parameter removed: Gets what had to go if this is the first look at a folder with limits.
  func contains(_ key: [UInt8], _ removed: inout [Removal]) throws(FileError) -> Bool {
    if isLimited { try bringUpToDate(maximumAge: .max, &removed) }
    let name = EntryName(of: key)
    for _ in 0..<3 {
      guard let directory = try folder.open(makes: false) else {
        forgetAll()
        return false
      }
      var status = FileStatus()
      let text = name.text
      let result = repeating {
        calls.file.statusAt(directory.descriptor, text, AT_SYMLINK_NOFOLLOW, &status)
      }
      if result >= 0 { return isEntry(key, name, text, status, in: directory) }
      if result != -ENOENT { throw failure(.examineFile, text, result) }
      if folder.isStill(directory) {
        noteAbsence(of: name, in: directory)
        return false
      }
      forgetAll()
    }
    return false
  }

  /// Whether the file with this status is a valid entry of the key.
  private func isEntry(
    _ key: [UInt8], _ name: EntryName, _ text: String, _ status: FileStatus,
    in directory: OpenDirectory
  ) -> Bool {
    var slot = state.withLock { $0.index[name] }
    if slot?.isStill(status) != true {
      var buffer = [UInt8](repeating: 0, count: 512)
      guard case .entry(let found) = examine(name, text, in: directory, &buffer) else {
        return false
      }
      slot = found
    }
    guard let slot, slot.key == key else { return false }
    let lastUse = lastUseByIndex(name, slot.times, slot.lastUse)
    return !slot.times.isExpired(at: now, lastUse: lastUse)
  }
}
