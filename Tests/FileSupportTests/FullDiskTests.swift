import FileSupport
import Foundation
import Testing

#if !canImport(Darwin)
  /// Real refusals of real file systems, as far as root may set them up.
  @Suite(.enabled(if: isRoot, "needs root, to mount file systems"), .serialized)
  struct FullDiskTests {
    private func mounted(
      _ sandbox: Sandbox, _ source: String, _ name: String, _ type: String, _ flags: UInt,
      _ options: String, _ body: () throws -> Void
    ) throws {
      guard mount(source, sandbox(name), type, flags, options) == 0 else {
        print("skipped: not allowed to mount here: \(SystemError(type))")
        return
      }
      // Lazily, so that a failed test cannot leave it behind.
      defer { umount2(sandbox(name), 2) }
      try body()
    }

    @Test func `a full disk leaves the old file, no temporary one, and works again with space`()
      throws
    {
      let sandbox = try Sandbox()
      try sandbox.makeDirectory("disk")
      try mounted(sandbox, "tmpfs", "disk", "tmpfs", 0, "size=64k") {
        try save(text, to: sandbox("disk/a"))
        let large = [UInt8](repeating: 1, count: 1_000_000)
        let error = failure { () throws(FileError) in try save(large, to: sandbox("disk/a")) }
        #expect(error?.step == .write && error?.code == ENOSPC)
        #expect(error?.path == sandbox("disk/.a.tmp"))
        #expect(sandbox.bytes("disk/a") == text)
        #expect(sandbox.listing("disk") == [".a.lock", "a"])
        #expect(sandbox.openDescriptors() == [])
        try save(newText, to: sandbox("disk/a"))
        #expect(sandbox.bytes("disk/a") == newText)
      }
    }

    @Test func `a first save on a full disk leaves nothing`() throws {
      let sandbox = try Sandbox()
      try sandbox.makeDirectory("disk")
      try mounted(sandbox, "tmpfs", "disk", "tmpfs", 0, "size=16k") {
        let large = [UInt8](repeating: 1, count: 1_000_000)
        let error = failure { () throws(FileError) in try save(large, to: sandbox("disk/new/a")) }
        #expect(error?.code == ENOSPC)
        #expect(sandbox.listing("disk") == [])
      }
    }

    @Test func `no inode left is an error that leaves the old file`() throws {
      let sandbox = try Sandbox()
      try sandbox.makeDirectory("disk")
      // The root, the file and its lock.
      try mounted(sandbox, "tmpfs", "disk", "tmpfs", 0, "size=64k,nr_inodes=3") {
        try sandbox.write("disk/a", text)
        try sandbox.write("disk/.a.lock", [])
        let error = failure { () throws(FileError) in try save(newText, to: sandbox("disk/a")) }
        #expect(error?.step == .createTemporary && error?.code == ENOSPC)
        #expect(sandbox.bytes("disk/a") == text)
      }
    }

    @Test func `a read-only file system is an error, and the file can still be read`() throws {
      let sandbox = try Sandbox()
      try sandbox.makeDirectory("disk")
      try mounted(sandbox, "tmpfs", "disk", "tmpfs", 0, "size=64k") {
        try sandbox.write("disk/a", text)
        // MS_REMOUNT | MS_RDONLY
        try #require(mount("tmpfs", sandbox("disk"), "tmpfs", 32 | 1, "") == 0)
        let error = failure { () throws(FileError) in try save(newText, to: sandbox("disk/a")) }
        #expect(error?.code == EROFS)
        #expect(try ManagedFile(path: sandbox("disk/a")).read(limit: 99)?.bytes == text)
      }
    }

    @Test func `a bind-mounted file is refused with EBUSY and never rewritten in place`() throws {
      let sandbox = try Sandbox()
      try sandbox.write("source", text)
      try sandbox.write("a", [])
      // MS_BIND
      try mounted(sandbox, sandbox("source"), "a", "none", 4096, "") {
        let error = failure { () throws(FileError) in try save(newText, to: sandbox("a")) }
        #expect(error?.step == .replace && error?.code == EBUSY)
        #expect(sandbox.bytes("a") == text && sandbox.bytes("source") == text)
        #expect(sandbox.listing() == ["a", "source"])
        let moved = failure { () throws(FileError) in
          let session = try ManagedFile(path: sandbox("a")).beginSave()
          defer { session.end() }
          _ = try session.replace(with: newText, sync: .none, movingAside: "x")
        }
        #expect(moved?.step == .moveAside && moved?.code == EBUSY)
        #expect(sandbox.bytes("a") == text)
        #expect(sandbox.listing() == ["a", "source"])
      }
    }

    @Test func `an immutable file is an error and stays`() throws {
      let sandbox = try Sandbox()
      try sandbox.write("a", text)
      let places: [String] = ["/usr/bin/chattr", "/sbin/chattr", "/usr/sbin/chattr"]
      guard let command = places.first(where: { access($0, X_OK) == 0 }) else {
        print("skipped: the command chattr (e2fsprogs) is not here")
        return
      }
      func change(_ flag: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = [flag, sandbox("a")]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
      }
      guard try change("+i") else {
        print("skipped: this file system has no immutable files")
        return
      }
      let error = failure { () throws(FileError) in try save(newText, to: sandbox("a")) }
      let moved = failure { () throws(FileError) in
        let session = try ManagedFile(path: sandbox("a")).beginSave()
        defer { session.end() }
        _ = try session.replace(with: newText, sync: .none, movingAside: "x")
      }
      #expect(try change("-i"))
      #expect(error?.step == .replace && error?.code == EPERM)
      #expect(moved?.step == .moveAside && moved?.code == EPERM)
      #expect(sandbox.bytes("a") == text)
      #expect(sandbox.listing() == ["a"])
    }
  }
#endif
