import FileSupport
import Foundation
import Testing

/// What lies at the names that a read or a save uses.
@Suite struct HostileNeighbourTests {
  @Test(arguments: ["FIFO", "directory", "socket", "device"])
  func `a target that is not a file is named, never waited for, never replaced`(_ kind: String)
    throws
  {
    let sandbox = try Sandbox()
    let found: String
    switch kind {
    case "FIFO":
      try #require(mkfifo(sandbox("a"), 0o600) == 0)
      found = "a FIFO"
    case "directory":
      try sandbox.makeDirectory("a")
      found = "a directory"
    case "socket":
      try makeSocket(sandbox("a"))
      found = "a socket"
    default:
      try sandbox.link("a", to: "/dev/full")
      found = "a device"
    }
    let before = try sandbox.status("a").st_ino
    let file = ManagedFile(path: sandbox("a"))
    #expect(failure { () throws(FileError) in _ = try file.version() }?.found == found)
    #expect(failure { () throws(FileError) in _ = try file.read(limit: 9) }?.found == found)
    #expect(failure { () throws(FileError) in _ = try file.beginSave() }?.found == found)
    #expect(sandbox.listing() == ["a"])
    #expect(try sandbox.status("a").st_ino == before)
    #expect(sandbox.openDescriptors() == [])
  }

  private func makeSocket(_ path: String) throws {
    // By name through /proc: the whole path is too long for a socket's address.
    let directory = open((path as NSString).deletingLastPathComponent, O_RDONLY)
    defer { close(directory) }
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "/proc/self/fd/\(directory)/a".utf8)
    }
    // Unsafe, and right: the address is read as the general one, with its own size.
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemError(path) }
  }

  @Test(arguments: ["file", "link", "dangling link", "hard link", "FIFO"])
  func `a leftover at the temporary name is removed and never written through`(_ kind: String)
    throws
  {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let victim = Array("the victim's".utf8)
    try sandbox.write("victim", victim, mode: 0o644)
    switch kind {
    case "file": try sandbox.write(".a.tmp", [UInt8](repeating: 1, count: 9999), mode: 0o666)
    case "link": try sandbox.link(".a.tmp", to: "victim")
    case "dangling link": try sandbox.link(".a.tmp", to: "nowhere")
    case "hard link": try #require(link(sandbox("victim"), sandbox(".a.tmp")) == 0)
    default: try #require(mkfifo(sandbox(".a.tmp"), 0o666) == 0)
    }
    try save(newText, to: sandbox("a"))
    #expect(sandbox.bytes("a") == newText)
    #expect(try sandbox.mode("a") == 0o600)
    #expect(sandbox.bytes("victim") == victim)
    #expect(try sandbox.mode("victim") == 0o644)
    #expect(sandbox.listing() == [".a.lock", "a", "victim"])
  }

  @Test func `a directory at the temporary name is an error that names it`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    try sandbox.makeDirectory(".a.tmp")
    let error = failure { () throws(FileError) in try save(newText, to: sandbox("a")) }
    #expect(error?.step == .removeLeftover && error?.found == "a directory")
    #expect(error?.path == sandbox(".a.tmp"))
    #expect(sandbox.bytes("a") == text)
    #expect(sandbox.listing() == [".a.tmp", "a"])
  }

  @Test(arguments: [
    ("link", "a symbolic link"), ("dangling link", "a symbolic link"), ("FIFO", "a FIFO"),
    ("directory", "a directory"),
  ])
  func `what is not a file at the lock's name is an error, touched by nobody`(
    _ kind: String, _ found: String
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    try sandbox.write("victim", text, mode: 0o644)
    switch kind {
    case "link": try sandbox.link(".a.lock", to: "victim")
    case "dangling link": try sandbox.link(".a.lock", to: "nowhere")
    case "FIFO": try #require(mkfifo(sandbox(".a.lock"), 0o600) == 0)
    default: try sandbox.makeDirectory(".a.lock")
    }
    let error = failure { () throws(FileError) in try save(newText, to: sandbox("a")) }
    #expect(error?.step == .openLock && error?.found == found)
    #expect(error?.path == sandbox(".a.lock"))
    #expect(sandbox.bytes("a") == text && sandbox.bytes("victim") == text)
    #expect(sandbox.listing() == [".a.lock", "a", "victim"])
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `a lock file that is another name of somebody's file is only locked`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("victim", text, mode: 0o644)
    try #require(link(sandbox("victim"), sandbox(".a.lock")) == 0)
    try save(newText, to: sandbox("a"))
    #expect(sandbox.bytes("victim") == text)
    #expect(try sandbox.mode("victim") == 0o644)
  }

  @Test func `a link that takes the target's place during a save is not replaced`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let session = try ManagedFile(path: sandbox("a")).beginSave()
    defer { session.end() }
    try #require(unlink(sandbox("a")) == 0)
    try sandbox.link("a", to: "elsewhere")
    let error = failure { () throws(FileError) in
      _ = try session.replace(with: newText, sync: .none)
    }
    #expect(error?.code == ELOOP)
    #expect(failure { () throws(FileError) in _ = try session.read(limit: 9) }?.code == ELOOP)
    #expect(try sandbox.isLink("a"))
  }
}
