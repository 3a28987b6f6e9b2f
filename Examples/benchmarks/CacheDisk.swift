import Foundation
import SimpleCache

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The disk level against the system calls that it cannot do without.
func diskCacheBenchmarks(_ bench: Bench) throws -> [Row] {
  let entries = bench.isQuick ? 500 : 5_000
  let folder = try bench.newFolder()
  let raw = try RawCache(try bench.newFolder())
  var rows: [Row] = []
  let level = DiskLevel<String, Data>(directory: folder)
  for (size, name) in [(1_024, "1 KB"), (100 * 1_024, "100 KB")] {
    let value = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let count = size > 10_000 ? entries / 50 : entries
    let keys = (0..<count).map { "https://example.com/\(size)/\($0 &* 7_919)" }
    let names = keys.map { "raw-\(size)-\($0.utf8.count)-\($0.suffix(20).filter(\.isNumber))" }
    for (key, name) in zip(keys, names) {
      level[key] = value
      try raw.set(name, value)
    }
    var (ours, theirs) = (0, 0)
    let isSmall = size == 1_024
    rows.append(
      Row(
        "set, \(name), over an old entry", against: "tmp + write + rename",
        try bench.measure.ratio(
          { times in
            for _ in 0..<times {
              ours = (ours + 1) % count
              level[keys[ours]] = value
            }
          },
          to: { times in
            for _ in 0..<times {
              theirs = (theirs + 1) % count
              try raw.set(names[theirs], value)
            }
          }), goal: isSmall ? .atMost(1.2) : nil))
    if isSmall { rows.append(try limitedRow(bench, level, folder, keys, value)) }
    rows.append(
      Row(
        "get, \(name)", against: "open + fstat + read + close",
        try bench.measure.ratio(
          { times in
            for _ in 0..<times {
              ours = (ours + 1) % count
              blackHole(level[keys[ours]])
            }
          },
          to: { times in
            for _ in 0..<times {
              theirs = (theirs + 1) % count
              blackHole(try raw.get(names[theirs]))
            }
          }), goal: isSmall ? .atMost(1.3) : nil))
  }
  for key in (0..<entries / 50).map({ "https://example.com/\(100 * 1_024)/\($0 &* 7_919)" }) {
    level[key] = nil
  }
  rows.append(
    Row(
      "index of \(entries) entries", against: "readdir + fstatat + header reads",
      try bench.measure.ratio(
        { times in
          for _ in 0..<times {
            // With a limit the first set makes the index, and nothing is kept of a value that is
            // too large: what is left is the index.
            let level = DiskLevel<String, Data>(directory: folder, countLimit: 1_000_000)
            level["one"] = Data()
          }
        }, to: { times in for _ in 0..<times { try raw.index(folder) } }), goal: .atMost(2)))
  return rows
}

/// What it adds to count for a limit, in a file that all levels on the folder share. In one folder,
/// because what a file system takes for a rename differs from folder to folder by more than that.
private func limitedRow(
  _ bench: Bench, _ level: DiskLevel<String, Data>, _ folder: URL, _ keys: [String], _ value: Data
) throws -> Row {
  let limited = DiskLevel<String, Data>(directory: folder, countLimit: keys.count)
  var (one, other) = (0, 0)
  return Row(
    "set, 1 KB, over an old entry, with a limit", against: "without",
    try bench.measure.ratio(
      { times in
        for _ in 0..<times {
          one = (one + 1) % keys.count
          limited[keys[one]] = value
        }
      },
      to: { times in
        for _ in 0..<times {
          other = (other + 1) % keys.count
          level[keys[other]] = value
        }
      }))
}

/// The least that a disk cache has to do, in C's shape: nothing is checked or remembered.
private struct RawCache {
  private let directory: Int32

  /// - Parameter folder: Stays open for the life of the process.
  init(_ folder: URL) throws {
    directory = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory < 0 { throw Bench.Fault(description: "open: \(errno)") }
  }

  func set(_ name: String, _ value: Data) throws {
    let descriptor = openat(directory, "tmp", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let written = value.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == value.count, close(descriptor) == 0,
      renameat(directory, "tmp", directory, name) == 0
    else { throw Bench.Fault(description: "raw set: \(errno)") }
  }

  func get(_ name: String) throws -> Data {
    let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw Bench.Fault(description: "raw get: \(errno)")
    }
    defer { close(descriptor) }
    let size = Int(status.st_size)
    guard let buffer = malloc(size), read(descriptor, buffer, size) == size else {
      throw Bench.Fault(description: "raw get: \(errno)")
    }
    return Data(bytesNoCopy: buffer, count: size, deallocator: .free)
  }

  func index(_ folder: URL) throws {
    guard let stream = opendir(folder.path) else {
      throw Bench.Fault(description: "opendir: \(errno)")
    }
    defer { closedir(stream) }
    let directory = dirfd(stream)
    var header = [UInt8](repeating: 0, count: 128)
    while let entry = readdir(stream) {
      // `d_name` ends with a NUL and lives until the next `readdir`.
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          var status = stat()
          guard name[0] != CChar(UInt8(ascii: ".")),
            fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0
          else { return }
          let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC)
          blackHole(read(descriptor, &header, header.count))
          close(descriptor)
        }
      }
    }
  }
}
