import Foundation
import SimpleStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The least that replaces a file safely: the system calls, in C's shape, without a lock, without a
/// look at what is there, without keeping its owner and mode.
struct RawReplacement {
  private let path: String
  private let temporary: String
  private let directory: Int32
  private let durability: Durability

  /// - Parameter folder: Stays open for the life of the process, so that only the synchronising of
  ///   the directory counts.
  init(_ folder: URL, _ durability: Durability) throws {
    path = folder.appending(path: "raw").path
    temporary = folder.appending(path: "raw.tmp").path
    self.durability = durability
    directory = try Self.check(open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open")
  }

  func write(_ bytes: [UInt8]) throws {
    let descriptor = try Self.check(
      open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), "open")
    let written = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    guard written == bytes.count else { throw Bench.Fault(description: "write: \(errno)") }
    if durability != .processCrash { try Self.check(fsync(descriptor), "fsync") }
    try Self.check(close(descriptor), "close")
    try Self.check(rename(temporary, path), "rename")
    if durability == .durable { try Self.check(fsync(directory), "fsync") }
  }

  @discardableResult
  private static func check(_ result: Int32, _ call: String) throws -> Int32 {
    guard result >= 0 else { throw Bench.Fault(description: "\(call): error \(errno)") }
    return result
  }
}

// Inside `RawReplacement`, `write` is its own method.
private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  write(descriptor, bytes, count)
}

/// One look at a file: what a store has to do at least to see whether it was changed.
func rawStatus(of path: String) -> Int32 {
  var status = stat()
  return stat(path, &status)
}
