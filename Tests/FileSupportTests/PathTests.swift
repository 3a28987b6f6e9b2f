import FileSupport
import Foundation
import Testing

@Suite struct PathTests {
  @Test func `every spelling of one file gives one path`() throws {
    let sandbox = try Sandbox()
    try sandbox.makeDirectory("real")
    try sandbox.link("link", to: "real")
    try sandbox.link("absolute", to: sandbox("real"))
    try sandbox.link("real/up", to: "..")
    try sandbox.link("to-a", to: "link/a")
    try sandbox.link("real/to-to-a", to: "../to-a")
    let expected = sandbox("real/a")
    // Before and after the file exists.
    for _ in 0..<2 {
      for path in [
        "real/a", "link/a", "absolute/a", "link/../real/./a", "real//a", "to-a", "real/to-to-a",
        "link/up/absolute/up/to-a", "missing/../real/a", "real/missing/deeper/../../a",
      ] {
        #expect(try ManagedFile(path: sandbox(path)).resolvedPath() == expected, "\(path)")
      }
      try save(text, to: sandbox("to-a"))
      #expect(sandbox.bytes("real/a") == text)
    }
    #expect(
      try ManagedFile(path: sandbox("no/such/link/../a")).resolvedPath() == sandbox("no/such/a"))
    #expect(try ManagedFile(path: "/../a-file-in-the-root").resolvedPath() == "/a-file-in-the-root")
  }

  @Test func `a relative path counts from the current directory`() throws {
    let current = FileManager.default.currentDirectoryPath
    let resolved = try ManagedFile(path: current + "/x").resolvedPath()
    #expect(try ManagedFile(path: "x").resolvedPath() == resolved)
    #expect(try ManagedFile(path: "./y/../x").resolvedPath() == resolved)
    #expect(ManagedFile(path: "x").path == "x")
  }

  @Test func `a later change of the current directory does not move the file`() async throws {
    let sandbox = try Sandbox()
    await #expect(processExitsWith: .success) { [path = sandbox.path as String] in
      try #require(chdir(path) == 0)
      let file = ManagedFile(path: "a")
      try #require(chdir("/") == 0)
      let session = try file.beginSave()
      _ = try session.replace(with: text, sync: .none)
      session.end()
      #expect(try file.resolvedPath() == path + "/a")
    }
    #expect(sandbox.bytes("a") == text)
  }

  @Test(arguments: ["absolute", "relative", "chain", "up"])
  func `a save goes through links, which stay`(_ kind: String) throws {
    let sandbox = try Sandbox()
    try sandbox.makeDirectory("there")
    try sandbox.makeDirectory("here")
    switch kind {
    case "absolute": try sandbox.link("here/link", to: sandbox("there/a"))
    case "relative": try sandbox.link("here/link", to: "../there/a")
    case "chain":
      try sandbox.link("here/link", to: "second")
      try sandbox.link("here/second", to: "../third")
      try sandbox.link("third", to: "there/a")
    default:
      try sandbox.link("there/up", to: "../there/../here/..")
      try sandbox.link("here/link", to: "../there/up/there/a")
    }
    for bytes in [text, newText] {
      try save(bytes, to: sandbox("here/link"))
      #expect(try sandbox.isLink("here/link"))
      #expect(sandbox.bytes("there/a") == bytes)
      #expect(sandbox.listing("there").contains(".a.lock"))
      #expect(!sandbox.listing("here").contains { $0.hasSuffix(".lock") })
    }
  }

  @Test func `a link into missing directories makes them`() throws {
    let sandbox = try Sandbox()
    try sandbox.link("link", to: "new/deeper/a")
    try sandbox.link("directory", to: "other/deeper")
    try save(text, to: sandbox("link"))
    try save(newText, to: sandbox("directory/b"))
    #expect(sandbox.bytes("new/deeper/a") == text && sandbox.bytes("other/deeper/b") == newText)
    #expect(try sandbox.isLink("link") && sandbox.isLink("directory"))
  }

  @Test(arguments: ["missing/../a", "no/such/../../a", "link", "directory/../a"])
  func `a missing directory that .. leaves again hides no file, and a save makes it`(
    _ path: String
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.link("link", to: "missing/../a")
    try sandbox.link("directory", to: "missing")
    let file = ManagedFile(path: sandbox(path))
    #expect(try file.version() == nil)
    try save(text, to: file.path)
    #expect(sandbox.bytes("a") == text)
    #expect(try file.read(limit: 99)?.bytes == text)

    try sandbox.remove(["missing", "no"])
    #expect(try file.read(limit: 99)?.bytes == text)
    #expect(try file.version() == ManagedFile(path: sandbox("a")).version())
    #expect(try file.resolvedPath() == sandbox("a"))
    try file.beginSave().end()
    #expect(sandbox.listing() == [".a.lock", "a", "directory", "link"])
    try save(newText, to: file.path)
    #expect(sandbox.bytes("a") == newText)
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `links in a circle are an error that says so`() throws {
    let sandbox = try Sandbox()
    try sandbox.link("one", to: "two")
    try sandbox.link("two", to: "one")
    let file = ManagedFile(path: sandbox("one"))
    #expect(failure { () throws(FileError) in _ = try file.resolvedPath() }?.code == ELOOP)
    #expect(failure { () throws(FileError) in _ = try file.version() }?.code == ELOOP)
    #expect(failure { () throws(FileError) in _ = try file.read(limit: 9) }?.code == ELOOP)
    #expect(failure { () throws(FileError) in try save(text, to: file.path) }?.code == ELOOP)
    #expect(sandbox.listing() == ["one", "two"])
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `a link whose target is not text is refused, not followed elsewhere`() throws {
    let sandbox = try Sandbox()
    #expect(symlink([CChar(bitPattern: 0xff), 0], sandbox("link")) == 0)
    let file = ManagedFile(path: sandbox("link"))
    #expect(failure { () throws(FileError) in _ = try file.resolvedPath() }?.code == EILSEQ)
    #expect(failure { () throws(FileError) in try save(text, to: file.path) }?.code == EILSEQ)
  }

  @Test func `a path that names a directory is refused`() throws {
    let sandbox = try Sandbox()
    try sandbox.makeDirectory("there")
    try sandbox.link("link", to: "there/")
    try sandbox.link("dangling", to: "missing/")
    for path in ["there", "there/", "a/", "there/.", "there/..", "link", "dangling"] {
      let error = failure { () throws(FileError) in try save(text, to: sandbox(path)) }
      #expect(error?.code == EISDIR && error?.found == "a directory", "\(path)")
    }
    #expect(sandbox.listing() == ["dangling", "link", "there"])
  }

  @Test func `an empty path and one with NUL are refused before the system sees them`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    for path in ["", sandbox("a\0b")] {
      let file = ManagedFile(path: path)
      #expect(failure { () throws(FileError) in _ = try file.resolvedPath() }?.code == EINVAL)
      #expect(failure { () throws(FileError) in _ = try file.version() }?.code == EINVAL)
      #expect(failure { () throws(FileError) in _ = try file.read(limit: 9) }?.code == EINVAL)
      #expect(failure { () throws(FileError) in try save(newText, to: path) }?.code == EINVAL)
    }
    #expect(sandbox.bytes("a") == text)
  }

  @Test func `a file where a directory should be is an error, never absence`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let file = ManagedFile(path: sandbox("a/b"))
    #expect(failure { () throws(FileError) in _ = try file.version() }?.code == ENOTDIR)
    #expect(failure { () throws(FileError) in _ = try file.read(limit: 9) }?.code == ENOTDIR)
    #expect(failure { () throws(FileError) in _ = try file.resolvedPath() }?.code == ENOTDIR)
    #expect(failure { () throws(FileError) in try save(newText, to: file.path) }?.code == ENOTDIR)
  }

  @Test(arguments: [
    "👩‍👩‍👧 Einstellungen", "two\nlines", "e\u{301}", "\u{e9}", "-rf", " ", "a\u{301}.json", "…",
    "\u{301}accent first",
    String(repeating: "x", count: 255), String(repeating: "x", count: 250),
    String(repeating: "👩‍👩‍👧", count: 14), String(repeating: "é", count: 127),
  ])
  func `every name of up to 255 bytes can be a file`(_ name: String) throws {
    let sandbox = try Sandbox()
    for bytes in [text, newText] {
      try save(bytes, to: sandbox(name), sync: .file)
      #expect(sandbox.bytes(name) == bytes)
    }
    #expect(sandbox.listing().count == 2)
    let session = try ManagedFile(path: sandbox(name)).beginSave()
    _ = try session.replace(with: text, sync: .none, movingAside: "2026-11-30T04.51.53Z")
    let aside = try #require(session.movedAside)
    session.end()
    #expect(FileManager.default.contents(atPath: aside) == Data(newText))
    #expect(sandbox.bytes(name) == text)
    #expect(sandbox.listing().count == 3)
  }

  @Test func `names that are equal to Swift and different to the system are two files`() throws {
    let sandbox = try Sandbox()
    try save(text, to: sandbox("e\u{301}"))
    try save(newText, to: sandbox("\u{e9}"))
    #expect(try ManagedFile(path: sandbox("e\u{301}")).read(limit: 99)?.bytes == text)
    #expect(try ManagedFile(path: sandbox("\u{e9}")).read(limit: 99)?.bytes == newText)
  }

  @Test func `long names beside the target are fixed and differ where names differ`() {
    let long = String(repeating: "x", count: 252)
    let names = ["a", "b", "c"].map { SiblingNames.temporary(of: long + $0) }
    #expect(Set(names).count == 3)
    #expect(names.allSatisfy { $0.utf8.count <= 255 && $0.hasSuffix(".tmp") })
    // Written out: another version of the package must come to the same name.
    #expect(
      SiblingNames.lock(of: long + "a")
        == "." + String(repeating: "x", count: 232) + "~6b54a9833991389c.lock")
    #expect(SiblingNames.lock(of: "settings.json") == ".settings.json.lock")
    #expect(SiblingNames.temporary(of: "settings.json") == ".settings.json.tmp")
  }

  @Test func `a name of more than 255 bytes is the system's error`() throws {
    let sandbox = try Sandbox()
    let path = sandbox(String(repeating: "x", count: 256))
    #expect(failure { () throws(FileError) in try save(text, to: path) }?.code == ENAMETOOLONG)
    #expect(sandbox.listing() == [])
  }
}
