import FileSupport
import SimpleStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many entries a folder holds, and how many bytes their values take together.
struct FolderTally: Equatable, Sendable {
  var count = 0
  var size = 0

  static func += (left: inout FolderTally, right: FolderTally) {
    // Sizes of files of this machine do not overflow; those in a file of somebody else's making may.
    left.count &+= right.count
    left.size &+= right.size
  }
}

/// The file by which levels with limits that share a folder know how much is in it, whichever of them,
/// in whichever process, has set it; and the lock that makes them change the folder in turn.
///
/// Numbers are little endian.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 4 | "SCTL", or nothing while a level changes the folder, and if it was killed meanwhile |
/// | 4 | 4 | CRC-32 of what is after it, up to 56 |
/// | 8 | 8 | version of this layout: 1 |
/// | 16 | 8 | which level was the last |
/// | 24 | 8 | how many entries there are |
/// | 32 | 8 | how many bytes their values take together |
/// | 40 | 8 | which look through the folder it goes back to |
/// | 48 | 8 | what was at 56 when it was reckoned |
/// | 56 | 8 | another number whenever a level has changed the folder without the lock |
///
/// It is a help, not the truth: every level looks through the folder when it starts, and every five
/// seconds in which it sets something, and notes what there is.
final class TallyFile: Sendable {
  static let name = ".tally"
  private static let length = 56
  private static let magic: UInt32 = 0x4C54_4353  // "SCTL"
  private static let version: UInt64 = 1

  let directory: OpenDirectory
  private let descriptor: Int32
  private let calls: DiskCalls

  /// - Returns: `nil` if there can be no such file, or something else has its name.
  init?(in directory: OpenDirectory, calls: DiskCalls) {
    let descriptor = repeating {
      calls.file.openAt(
        directory.descriptor, Self.name,
        O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
    }
    guard descriptor >= 0 else { return nil }
    self.directory = directory
    self.descriptor = descriptor
    self.calls = calls
    var status = FileStatus()
    guard calls.file.status(descriptor, &status) >= 0,
      status.mode & UInt32(S_IFMT) == UInt32(S_IFREG)
    else { return nil }
  }

  // What is written through it matters to who reads it before it is closed.
  deinit { _ = calls.file.close(descriptor) }

  /// Waits until no other level changes the folder.
  ///
  /// - Parameter patience: In nanoseconds. Others have the lock for as long as a rename takes, or a look
  ///   through the folder; one that is stopped meanwhile has it until it goes on.
  /// - Returns: Whether it has the lock. Not if it took too long, or the file system has none.
  func lock(patience: Int64) -> Bool {
    var (waited, pause): (Int64, Int64) = (0, 50_000)
    while true {
      let result = repeating { calls.tryLock(descriptor) }
      if result >= 0 { return true }
      guard result == -EWOULDBLOCK, waited < patience else { return false }
      calls.pause(pause)
      waited += pause
      pause = min(pause * 2, 2_000_000)
    }
  }

  func unlock() { _ = repeating { calls.unlock(descriptor) } }

  struct Taken {
    /// `nil` if nobody knows it.
    var tally: FolderTally?
    /// Which level wrote it, and the look that it goes back to.
    var level: UInt64 = 0
    var look: UInt64 = 0
    fileprivate var objection: UInt64 = 0
  }

  /// Reads the tally, and notes that nobody knows it until it is written again. The lock is held.
  func take() -> Taken {
    let whole = Self.length + 8
    // Unsafe, and right: there are as many bytes as are asked for.
    return withUnsafeTemporaryAllocation(byteCount: whole, alignment: 8) { bytes in
      var taken = Taken()
      guard let base = bytes.baseAddress else { return taken }
      let count = repeating { calls.readAt(descriptor, base, whole, 0) }
      guard count >= Self.length else { return taken }
      if count == whole { taken.objection = load(bytes, Self.length, as: UInt64.self) }
      guard load(bytes, 0, as: UInt32.self) == Self.magic,
        load(bytes, 4, as: UInt32.self) == sum(bytes),
        load(bytes, 8, as: UInt64.self) == Self.version,
        load(bytes, 48, as: UInt64.self) == taken.objection
      else { return taken }
      let tally = FolderTally(
        count: Int(truncatingIfNeeded: load(bytes, 24, as: UInt64.self)),
        size: Int(truncatingIfNeeded: load(bytes, 32, as: UInt64.self)))
      taken.level = load(bytes, 16, as: UInt64.self)
      taken.look = load(bytes, 40, as: UInt64.self)
      var nothing: UInt32 = 0
      let written = repeating { calls.writeAt(descriptor, &nothing, 4, 0) }
      if written == 4, tally.count >= 0, tally.size >= 0 { taken.tally = tally }
      return taken
    }
  }

  /// Writes the tally. What cannot be written is looked for by who wants to know it. The lock is held.
  ///
  /// - Parameter taken: What was read by who has the lock.
  func put(_ tally: FolderTally, by level: UInt64, look: UInt64, after taken: Taken) {
    // Unsafe, and right: as above; every byte is written.
    withUnsafeTemporaryAllocation(byteCount: Self.length, alignment: 8) { bytes in
      guard let base = bytes.baseAddress else { return }
      store(bytes, 0, Self.magic)
      store(bytes, 8, Self.version)
      store(bytes, 16, level)
      store(bytes, 24, UInt64(truncatingIfNeeded: tally.count))
      store(bytes, 32, UInt64(truncatingIfNeeded: tally.size))
      store(bytes, 40, look)
      store(bytes, 48, taken.objection)
      store(bytes, 4, sum(bytes))
      _ = repeating { calls.writeAt(descriptor, base, Self.length, 0) }
    }
  }

  /// Says that the folder was changed without the lock: what its holder will write is wrong.
  func object() {
    var number = UInt64.random(in: 1 ... .max)
    // What cannot be written is found by the next look.
    _ = repeating { calls.writeAt(descriptor, &number, 8, Int64(Self.length)) }
  }

  private func sum(_ bytes: UnsafeMutableRawBufferPointer) -> UInt32 {
    Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[8..<Self.length]))
  }

  /// The offset is one of the table above.
  private func load<Number: FixedWidthInteger>(
    _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int, as type: Number.Type
  ) -> Number {
    Number(littleEndian: bytes.load(fromByteOffset: offset, as: type))
  }

  private func store(
    _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int, _ number: some FixedWidthInteger
  ) {
    bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
  }
}
