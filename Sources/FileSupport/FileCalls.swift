/// The system calls that the package makes on files, one closure each.
///
/// Every closure answers with what its call returned (zero, where it fills an array), or with the
/// negative `errno`, taken before anything else could change it. Tests put their own closures in to
/// make the Nth call fail. None of them retries; `EINTR` is the business of who calls.
package struct FileCalls: Sendable {
  /// `openat(directory, path, flags, mode)`.
  package var openAt: @Sendable (Int32, String, Int32, UInt32) -> Int32
  /// `close(descriptor)`.
  package var close: @Sendable (Int32) -> Int32
  /// `fstat(descriptor)`.
  package var status: @Sendable (Int32, inout FileStatus) -> Int32
  /// `fstatat(directory, path, flags)`.
  package var statusAt: @Sendable (Int32, String, Int32, inout FileStatus) -> Int32
  /// `faccessat(directory, path, mode, flags)`.
  package var accessAt: @Sendable (Int32, String, Int32, Int32) -> Int32
  /// `geteuid()`.
  package var effectiveUser: @Sendable () -> UInt32
  /// `readlinkat(directory, path)`; the target's bytes are put into the array.
  package var readLinkAt: @Sendable (Int32, String, inout [UInt8]) -> Int32
  /// `getcwd()`; the bytes are put into the array.
  package var currentDirectory: @Sendable (inout [UInt8]) -> Int32

  /// `read(descriptor, buffer, count)`.
  package var read: @Sendable (Int32, UnsafeMutableRawPointer, Int) -> Int
  /// `write(descriptor, buffer, count)`.
  package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int
  /// `fsync(descriptor)`, on Apple platforms `F_FULLFSYNC`.
  package var synchronize: @Sendable (Int32) -> Int32
  /// `fchmod(descriptor, mode)`.
  package var setMode: @Sendable (Int32, UInt32) -> Int32
  /// `fchmodat(directory, path, mode)`.
  package var setModeAt: @Sendable (Int32, String, UInt32) -> Int32
  /// `fchown(descriptor, owner, group)`; `UInt32.max` leaves one as it is.
  package var setOwner: @Sendable (Int32, UInt32, UInt32) -> Int32
  /// `flock(descriptor, LOCK_EX)`.
  package var lock: @Sendable (Int32) -> Int32

  /// `mkdirat(directory, path, mode)`.
  package var makeDirectoryAt: @Sendable (Int32, String, UInt32) -> Int32
  /// `renameat(directory, from, directory, to)`: both names in one directory.
  package var renameAt: @Sendable (Int32, String, String) -> Int32
  /// `linkat(directory, from, directory, to)`: both names in one directory.
  package var linkAt: @Sendable (Int32, String, String) -> Int32
  /// `unlinkat(directory, path, flags)`.
  package var unlinkAt: @Sendable (Int32, String, Int32) -> Int32
}

/// The calls as one reference: what keeps them and is copied often would copy twenty closures.
final class FileCallTable: Sendable {
  let calls: FileCalls

  init(_ calls: FileCalls) { self.calls = calls }
}

/// Makes a call again for as long as a signal interrupts it.
///
/// Not for `close` (the descriptor is gone after EINTR, `close(2)`), `fsync` (a second one may
/// report success for pages that were dropped, https://lwn.net/Articles/752063/) or `rename` (whether
/// it happened is not known).
@inline(__always)
func retryingInterrupts<Number: SignedInteger & FixedWidthInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    if result != interrupted() { return result }
  }
}
