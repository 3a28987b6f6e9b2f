#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension ApplicationDirectories {
    /// XDG Base Directory Specification 0.8: the variable when it is set, not empty and absolute
    /// ("If an implementation encounters a relative path … it should consider the path invalid and
    /// ignore it"), else its default below the home directory.
    static func base(for purpose: Purpose, environment: [String: String]) -> String? {
      let (variable, fallback) =
        switch purpose {
        case .settings: ("XDG_CONFIG_HOME", ".config")
        case .caches: ("XDG_CACHE_HOME", ".cache")
        }
      if let path = environment[variable], PathText.isAbsolute(path) { return path }
      if let home = environment["HOME"], PathText.isAbsolute(home) {
        return PathText.join(home, fallback)
      }
      return homeOfUserDatabase().map { PathText.join($0, fallback) }
    }

    /// The file name of the running executable: of `/proc/self/exe`, which needs no cooperation of
    /// whoever started the process, else of the first argument.
    static func ownName(calls: FileCalls = .system, arguments: [String] = CommandLine.arguments)
      -> String
    {
      var bytes: [UInt8] = []
      if calls.readLinkAt(AT_FDCWD, "/proc/self/exe", &bytes) >= 0,
        let path = String(validating: bytes, as: UTF8.self)
      {
        let name = PathText.split(path).name
        // The kernel says so of an executable that was replaced while it runs (`proc(5)`): an
        // updated program must still find its settings. A file may also really be called that.
        let mark = " (deleted)"
        var status = FileStatus()
        if name.hasSuffix(mark), calls.statusAt(AT_FDCWD, path, 0, &status) < 0 {
          return String(name.dropLast(mark.count))
        }
        return name
      }
      return arguments.first.map { PathText.split($0).name } ?? ""
    }

    private static func homeOfUserDatabase() -> String? {
      for size in [1 << 10, 1 << 14, 1 << 20] {
        let (result, home) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) {
          buffer -> (Int32, String?) in
          guard let start = buffer.baseAddress else { return (ENOMEM, nil) }
          var record = passwd()
          var found: UnsafeMutablePointer<passwd>?
          var result: Int32
          repeat {
            result = getpwuid_r(geteuid(), &record, start, buffer.count, &found)
          } while result == EINTR
          guard result == 0, found != nil, let home = record.pw_dir else { return (result, nil) }
          // Unsafe, and right: `pw_dir` points to a C string in `buffer`, which lives until here.
          return (0, String(validatingCString: home))
        }
        if result == ERANGE { continue }
        return home.flatMap { PathText.isAbsolute($0) ? $0 : nil }
      }
      return nil
    }
  }
#endif
