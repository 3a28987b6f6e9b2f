import FileSupport
import Foundation

/// A directory of its own for one test, looked at from outside of what is tested.
final class Sandbox: Sendable {
  let path: String

  init() throws {
    path = try String(validating: Self.make(), as: UTF8.self) ?? ""
  }

  private static func make() throws -> [UInt8] {
    // The resolved one: on macOS the temporary directory is behind a link.
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    let path = "\(base)/file-support-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return Array(path.utf8)
  }

  deinit {
    // Best effort: a test that failed may leave what cannot be removed, and has already said so.
    try? FileManager.default.removeItem(atPath: path)
  }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file by plain system calls, with exactly this mode.
  func write(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o600) throws {
    let descriptor = open(self(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw SystemError(name) }
    defer { close(descriptor) }
    guard unsafe_write(descriptor, bytes) == bytes.count,
      fchmod(descriptor, mode_t(truncatingIfNeeded: mode)) == 0
    else { throw SystemError(name) }
  }

  private func unsafe_write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes {
      $0.isEmpty ? 0 : Foundation.write(descriptor, $0.baseAddress, $0.count)
    }
  }

  /// The bytes of a file; nil when there is none.
  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: self(name)).map { Array($0) }
  }

  /// All names, sorted, those in subdirectories too.
  func listing(_ directory: String = "") -> [String] {
    let start = directory.isEmpty ? path : self(directory)
    return (FileManager.default.subpaths(atPath: start) ?? []).sorted()
  }

  func link(_ name: String, to target: String) throws {
    guard symlink(target, self(name)) == 0 else { throw SystemError(name) }
  }

  func makeDirectory(_ name: String, mode: mode_t = 0o755) throws {
    guard mkdir(self(name), mode) == 0 else { throw SystemError(name) }
  }

  /// Removes those of some names that are there.
  func remove(_ names: [String]) throws {
    for name in names where access(self(name), F_OK) == 0 {
      try FileManager.default.removeItem(atPath: self(name))
    }
  }

  func status(_ name: String) throws -> stat {
    var result = stat()
    guard lstat(self(name), &result) == 0 else { throw SystemError(name) }
    return result
  }

  func mode(_ name: String) throws -> UInt32 { UInt32(try status(name).st_mode) & 0o7777 }

  func isLink(_ name: String) throws -> Bool { try status(name).st_mode & S_IFMT == S_IFLNK }

  /// Open descriptors of this process that lead into the sandbox; others belong to other tests.
  func openDescriptors() -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    // The listing's own descriptor is gone by now, hence try?.
    return all.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(path) }
  }
}

struct SystemError: Error, CustomStringConvertible {
  let description: String
  init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
}

/// One whole save.
func save(
  _ bytes: [UInt8], to path: String, sync: SyncLevel = .none, calls: FileCalls = .system
) throws(FileError) {
  let session = try ManagedFile(path: path, calls: calls).beginSave()
  defer { session.end() }
  _ = try session.replace(with: bytes, sync: sync)
}

/// What a call throws, for looking at its parts.
func failure(_ body: () throws(FileError) -> Void) -> FileError? {
  do throws(FileError) {
    try body()
    return nil
  } catch {
    return error
  }
}

let text: [UInt8] = Array("the old content".utf8)
let newText: [UInt8] = Array("the new content, which is longer".utf8)
let isRoot = geteuid() == 0
