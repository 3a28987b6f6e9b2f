#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileCalls {
  /// The calls as the system makes them.
  package static let system = FileCalls(
    openAt: { directory, path, flags, mode in
      path.withCString { answer(openat(directory, $0, flags, mode_t(truncatingIfNeeded: mode))) }
    },
    close: { answer(systemClose($0)) },
    status: { descriptor, status in
      var raw = stat()
      let result = answer(fstat(descriptor, &raw))
      if result >= 0 { status = FileStatus(raw) }
      return result
    },
    statusAt: { directory, path, flags, status in
      var raw = stat()
      let result = path.withCString { answer(fstatat(directory, $0, &raw, flags)) }
      if result >= 0 { status = FileStatus(raw) }
      return result
    },
    accessAt: { directory, path, mode, flags in
      path.withCString { answer(faccessat(directory, $0, mode, flags)) }
    },
    effectiveUser: { UInt32(geteuid()) },
    readLinkAt: { directory, path, target in
      path.withCString { path in
        // PATH_MAX, with one byte more than a link can have, so that a full buffer is an error.
        var buffer = [CChar](repeating: 0, count: 4097)
        let count = readlinkat(directory, path, &buffer, buffer.count)
        if count < 0 { return -errno }
        if count == buffer.count { return -ENAMETOOLONG }
        target = buffer[..<count].map { UInt8(bitPattern: $0) }
        return 0
      }
    },
    currentDirectory: { path in
      var buffer = [CChar](repeating: 0, count: 4097)
      if getcwd(&buffer, buffer.count) == nil { return -errno }
      path = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return 0
    },
    read: { descriptor, buffer, count in
      let result = systemRead(descriptor, buffer, count)
      return result < 0 ? -Int(errno) : result
    },
    write: { descriptor, buffer, count in
      FileSizeLimit.withoutSignal {
        let result = systemWrite(descriptor, buffer, count)
        return result < 0 ? -Int(errno) : result
      }
    },
    synchronize: { synchronizeToDisk($0) },
    setMode: { answer(fchmod($0, mode_t(truncatingIfNeeded: $1))) },
    setModeAt: { directory, path, mode in
      path.withCString { answer(fchmodat(directory, $0, mode_t(truncatingIfNeeded: mode), 0)) }
    },
    setOwner: { answer(fchown($0, $1, $2)) },
    lock: { answer(flock($0, LOCK_EX)) },
    makeDirectoryAt: { directory, path, mode in
      path.withCString { answer(mkdirat(directory, $0, mode_t(truncatingIfNeeded: mode))) }
    },
    renameAt: { directory, from, to in
      from.withCString { from in
        to.withCString { answer(renameat(directory, from, directory, $0)) }
      }
    },
    linkAt: { directory, from, to in
      from.withCString { from in
        to.withCString { answer(linkat(directory, from, directory, $0, 0)) }
      }
    },
    unlinkAt: { directory, path, flags in
      path.withCString { answer(unlinkat(directory, $0, flags)) }
    })
}

/// The result, or the negative `errno` of the call that was just made.
@inline(__always)
private func answer(_ result: Int32) -> Int32 {
  result < 0 ? -errno : result
}

func interrupted<Number: SignedInteger & FixedWidthInteger>() -> Number {
  Number(-EINTR)
}

// Inside `FileCalls`, `close`, `read` and `write` are the closures.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  read(descriptor, buffer, count)
}
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
