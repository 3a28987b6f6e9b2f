package import FileSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls of a disk level: those on files, and what only a cache needs. They answer with a
/// result or the negative `errno`; tests put others in.
package struct DiskCalls: Sendable {
  package var file: FileCalls
  /// `futimens(descriptor)`: the modification time, in nanoseconds since 1970.
  package var setTime: @Sendable (Int32, Int64) -> Int32
  /// `utimensat(directory, name, AT_SYMLINK_NOFOLLOW)`, as ``setTime``.
  package var setTimeAt: @Sendable (Int32, String, Int64) -> Int32
  /// The names in an open directory.
  package var list: @Sendable (Int32, inout [String]) -> Int32
  /// `flock(descriptor, LOCK_EX | LOCK_NB)`.
  package var tryLock: @Sendable (Int32) -> Int32
  /// `flock(descriptor, LOCK_UN)`.
  package var unlock: @Sendable (Int32) -> Int32
  /// `pread(descriptor, buffer, count, offset)`.
  package var readAt: @Sendable (Int32, UnsafeMutableRawPointer, Int, Int64) -> Int
  /// `pwrite(descriptor, buffer, count, offset)`.
  package var writeAt: @Sendable (Int32, UnsafeRawPointer, Int, Int64) -> Int
  /// `nanosleep`, for so many nanoseconds, fewer than a second.
  package var pause: @Sendable (Int64) -> Void
  /// Whether there is a process with this number: `kill(number, 0)`.
  package var isAlive: @Sendable (Int32) -> Bool

  /// The calls as the system makes them.
  package static let system = DiskCalls(
    file: .system,
    setTime: { descriptor, time in
      futimens(descriptor, Self.times(time)) < 0 ? -errno : 0
    },
    setTimeAt: { directory, name, time in
      utimensat(directory, name, Self.times(time), AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0
    },
    list: { directory, names in
      let descriptor = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if descriptor < 0 { return -errno }
      guard let stream = fdopendir(descriptor) else {
        let code = errno
        close(descriptor)
        return -code
      }
      defer { closedir(stream) }
      while true {
        errno = 0
        guard let entry = readdir(stream) else { return -errno }
        // Unsafe, and right: `d_name` ends with a NUL and lives until the next `readdir`.
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
        }
        // What is not UTF-8 is no file of ours.
        if let name { names.append(name) }
      }
    },
    tryLock: { flock($0, LOCK_EX | LOCK_NB) < 0 ? -errno : 0 },
    unlock: { flock($0, LOCK_UN) < 0 ? -errno : 0 },
    readAt: { descriptor, buffer, count, offset in
      let result = pread(descriptor, buffer, count, numericCast(offset))
      return result < 0 ? -Int(errno) : result
    },
    writeAt: { descriptor, buffer, count, offset in
      FileSizeLimit.withoutSignal {
        let result = pwrite(descriptor, buffer, count, numericCast(offset))
        return result < 0 ? -Int(errno) : result
      }
    },
    pause: { nanoseconds in
      var time = timespec()
      time.tv_nsec = numericCast(nanoseconds)
      // A signal ends it early, which costs one more try.
      nanosleep(&time, nil)
    },
    isAlive: { kill($0, 0) == 0 || errno != ESRCH })

  /// The time of access is of no use to anybody: it is set along with the other.
  private static func times(_ nanoseconds: Int64) -> [timespec] {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec()
    time.tv_sec = numericCast(rest < 0 ? seconds - 1 : seconds)
    time.tv_nsec = numericCast(rest < 0 ? rest + 1_000_000_000 : rest)
    return [time, time]
  }
}
