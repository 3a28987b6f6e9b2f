#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Which file systems other machines may change without this one's kernel knowing, so that
  /// `inotify` stays silent (`inotify(7)`, "Limitations and caveats").
  ///
  /// From `/proc/self/mountinfo`, since the headers that Swift sees have no `statfs`. A device that
  /// is not listed there (a btrfs subvolume) counts as local. Looked up each time: the number of a
  /// device that is none goes to what is mounted next.
  enum RemoteFileSystems {
    static func contain(_ path: String) -> Bool {
      var status = stat()
      guard stat(path, &status) == 0 else { return false }
      return isRemote(UInt64(status.st_dev))
    }

    private static func isRemote(_ device: UInt64) -> Bool {
      // As `major` and `minor` of `makedev(3)`, which are macros.
      let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
      let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
      let number = "\(major):\(minor)"
      for line in mountTable().split(separator: "\n") {
        // 36 35 98:0 /root /mount rw,noatime shared:1 - ext3 /dev/root rw
        let words = line.split(separator: " ")
        guard words.count > 2, words[2] == number, let dash = words.firstIndex(of: "-"),
          dash + 1 < words.count
        else { continue }
        return isRemote(type: words[dash + 1])
      }
      return false
    }

    static func isRemote(type: some StringProtocol) -> Bool {
      let prefixes = ["nfs", "cifs", "smb", "9p", "ceph", "afs", "fuse.sshfs", "fuse.gluster"]
      return prefixes.contains { type.hasPrefix($0) }
    }

    private static func mountTable() -> String {
      let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return "" }
      defer { close(descriptor) }
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: text, as: UTF8.self) }
        text += buffer[..<count]
      }
    }
  }
#endif
