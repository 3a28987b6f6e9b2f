import FileSupport
import Foundation
import Testing

@Suite struct MovingAsideTests {
  private func moveAside(_ path: String, calls: FileCalls = .system) throws(FileError) -> String {
    let session = try ManagedFile(path: path, calls: calls).beginSave()
    defer { session.end() }
    return try session.moveAside(label: "now")
  }

  @Test(arguments: [0, EPERM, EOPNOTSUPP, EMLINK] as [Int32])
  func `no earlier file is ever overwritten, with hard links and without`(_ code: Int32) throws {
    let sandbox = try Sandbox()
    var calls = FileCalls.system
    if code != 0 { calls.linkAt = { _, _, _ in -code } }
    for round in 1...12 {
      try sandbox.write("a", [UInt8(round)], mode: 0o640)
      let path = try moveAside(sandbox("a"), calls: calls)
      #expect(path == sandbox(round == 1 ? "a.damaged-now" : "a.damaged-now-\(round)"))
      #expect(sandbox.bytes("a") == nil)
    }
    for round in 1...12 {
      let name = round == 1 ? "a.damaged-now" : "a.damaged-now-\(round)"
      #expect(sandbox.bytes(name) == [UInt8(round)])
      #expect(try sandbox.mode(name) == 0o640)
    }
    #expect(sandbox.listing().count == 13)
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

  @Test func `moving aside and saving is one session`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let session = try ManagedFile(path: sandbox("a")).beginSave()
    _ = try session.moveAside(label: "x")
    #expect(try session.version() == nil)
    _ = try session.replace(with: newText, sync: .none)
    session.end()
    #expect(sandbox.bytes("a.damaged-x") == text && sandbox.bytes("a") == newText)
    #expect(sandbox.listing() == [".a.lock", "a", "a.damaged-x"])
  }

  @Test func `a label that would lead out of the directory, and a missing file, are refused`()
    throws
  {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let session = try ManagedFile(path: sandbox("a")).beginSave()
    defer { session.end() }
    for label in ["/../../x", "a\0b", "x/\u{301}", String(repeating: "x", count: 999)] {
      #expect(
        failure { () throws(FileError) in _ = try session.moveAside(label: label) }?.code == EINVAL)
    }
    try #require(unlink(sandbox("a")) == 0)
    #expect(
      failure { () throws(FileError) in _ = try session.moveAside(label: "x") }?.code == ENOENT)
  }
}
