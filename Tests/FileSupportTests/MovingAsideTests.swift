import FileSupport
import Foundation
import Testing

@Suite struct MovingAsideTests {
  private func moveAside(_ path: String, calls: FileCalls = .system) throws(FileError) -> String? {
    let session = try ManagedFile(path: path, calls: calls).beginSave()
    defer { session.end() }
    _ = try session.replace(with: newText, sync: .none, movingAside: "now")
    return session.movedAside
  }

  @Test(arguments: [0, EPERM, EOPNOTSUPP, EMLINK, EXDEV] as [Int32])
  func `no earlier file is ever overwritten, with hard links and without`(_ code: Int32) throws {
    let sandbox = try Sandbox()
    var calls = FileCalls.system
    if code != 0 { calls.linkAt = { _, _, _ in -code } }
    for round in 1...12 {
      try sandbox.write("a", [UInt8(round)], mode: 0o640)
      let path = try moveAside(sandbox("a"), calls: calls)
      #expect(path == sandbox(round == 1 ? "a.damaged-now" : "a.damaged-now-\(round)"))
      #expect(sandbox.bytes("a") == newText)
    }
    for round in 1...12 {
      let name = round == 1 ? "a.damaged-now" : "a.damaged-now-\(round)"
      #expect(sandbox.bytes(name) == [UInt8(round)])
      #expect(try sandbox.mode(name) == 0o640)
    }
    #expect(sandbox.listing().count == 14)
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `behind a link, the file is moved and the link stays`() throws {
    let sandbox = try Sandbox()
    try sandbox.makeDirectory("there")
    try sandbox.write("there/a", text)
    try sandbox.link("link", to: "there/a")
    #expect(try moveAside(sandbox("link")) == sandbox("there/a.damaged-now"))
    #expect(sandbox.bytes("there/a.damaged-now") == text)
    #expect(try sandbox.isLink("link"))
  }

  @Test(arguments: [0, EPERM] as [Int32])
  func `a save that fails leaves the damaged file at its name, and no second one`(
    _ code: Int32
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let real = FileCalls.system
    for step in ["write", "fsync", "rename"] {
      var calls = real
      if code != 0 { calls.linkAt = { _, _, _ in -code } }
      switch step {
      case "write": calls.write = { _, _, _ in -Int(ENOSPC) }
      case "fsync": calls.synchronize = { _ in -EIO }
      default:
        calls.renameAt = { directory, from, to in
          from == ".a.tmp" ? -EACCES : real.renameAt(directory, from, to)
        }
      }
      for _ in 1...20 {
        let session = try ManagedFile(path: sandbox("a"), calls: calls).beginSave()
        let error = failure { () throws(FileError) in
          _ = try session.replace(with: newText, sync: .file, movingAside: "now")
        }
        #expect(error != nil && session.movedAside == nil)
        session.end()
        #expect(sandbox.bytes("a") == text)
        #expect(sandbox.listing().filter { $0 != ".a.lock" } == ["a"], "\(step)")
      }
    }
    #expect(try moveAside(sandbox("a")) == sandbox("a.damaged-now"))
  }

  @Test(arguments: [SyncLevel.none, .file, .fileAndDirectory])
  func `names that cannot be made safe are an error of the move, with nothing changed`(
    _ level: SyncLevel
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let real = FileCalls.system
    var calls = real
    calls.synchronize = { descriptor in
      var status = FileStatus()
      _ = real.status(descriptor, &status)
      return status.mode & UInt32(S_IFMT) == UInt32(S_IFDIR) ? -EIO : 0
    }
    let session = try ManagedFile(path: sandbox("a"), calls: calls).beginSave()
    let error = failure { () throws(FileError) in
      _ = try session.replace(with: newText, sync: level, movingAside: "now")
    }
    #expect(error?.step == .moveAside && error?.code == EIO)
    #expect(session.movedAside == nil)
    session.end()
    #expect(sandbox.bytes("a") == text)
    #expect(sandbox.listing().filter { $0 != ".a.lock" } == ["a"])
  }

  @Test func `a file that is mounted by itself stays, and the error is that of the rename`() throws
  {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    var calls = FileCalls.system
    // What Linux answers for a bind mount of one file.
    calls.linkAt = { _, _, _ in -EXDEV }
    calls.renameAt = { _, _, _ in -EBUSY }
    let session = try ManagedFile(path: sandbox("a"), calls: calls).beginSave()
    let error = failure { () throws(FileError) in
      _ = try session.replace(with: newText, sync: .none, movingAside: "now")
    }
    #expect(error?.step == .moveAside && error?.code == EBUSY)
    session.end()
    #expect(sandbox.bytes("a") == text)
    #expect(sandbox.listing().filter { $0 != ".a.lock" } == ["a"])
  }

  @Test func `the damaged file has its name until the new one takes it`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let real = FileCalls.system
    var calls = real
    let seen = Log()
    calls.write = { descriptor, buffer, count in
      seen.add("written, \(sandbox.bytes("a") == text)")
      return real.write(descriptor, buffer, count)
    }
    calls.linkAt = { directory, from, to in
      seen.add("linked, \(sandbox.bytes("a") == text)")
      return real.linkAt(directory, from, to)
    }
    calls.renameAt = { directory, from, to in
      seen.add("renamed, \(sandbox.bytes("a") == text)")
      return real.renameAt(directory, from, to)
    }
    _ = try moveAside(sandbox("a"), calls: calls)
    #expect(seen.all == ["written, true", "linked, true", "renamed, true"])
  }

  @Test func `a label that would lead out of the directory is refused`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let session = try ManagedFile(path: sandbox("a")).beginSave()
    defer { session.end() }
    for label in ["/../../x", "a\0b", "x/\u{301}", String(repeating: "x", count: 999)] {
      #expect(
        failure { () throws(FileError) in
          _ = try session.replace(with: newText, sync: .none, movingAside: label)
        }?.code == EINVAL)
    }
    #expect(sandbox.bytes("a") == text)
    #expect(sandbox.listing().filter { $0 != ".a.lock" } == ["a"])
  }

  @Test func `a file that is gone meanwhile is made anew`() throws {
    let sandbox = try Sandbox()
    try #require(try moveAside(sandbox("a")) == nil)
    #expect(sandbox.bytes("a") == newText)
  }
}
