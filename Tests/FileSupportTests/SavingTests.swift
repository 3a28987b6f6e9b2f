import FileSupport
import Foundation
import Testing

@Suite struct SavingTests {
  @Test func `a first save makes the file, readable by its owner only`() throws {
    let sandbox = try Sandbox()
    try save(newText, to: sandbox("a"))
    #expect(sandbox.bytes("a") == newText)
    #expect(try sandbox.mode("a") == 0o600)
    #expect(try sandbox.mode(".a.lock") == 0o600)
    #expect(sandbox.listing() == [".a.lock", "a"])
    #expect(sandbox.openDescriptors() == [])
  }

  @Test(arguments: [SyncLevel.none, .file, .fileAndDirectory], [0, 1, 15, 100_000, 5_000_000])
  func `what is saved is read, byte for byte, longer or shorter than before`(
    _ sync: SyncLevel, _ count: Int
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", [UInt8](repeating: 7, count: 20_000))
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    try save(bytes, to: sandbox("a"), sync: sync)
    #expect(sandbox.bytes("a") == bytes)
    #expect(try ManagedFile(path: sandbox("a")).read(limit: count)?.bytes == bytes)
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o664, 0o200, 0o755] as [UInt32])
  func `the mode of the old file is kept`(_ mode: UInt32) throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text, mode: mode)
    try save(newText, to: sandbox("a"))
    #expect(try sandbox.mode("a") == mode)
    #expect(sandbox.bytes("a") == newText)
  }

  @Test func `set-user-ID, set-group-ID and sticky bits are never given to the new file`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text, mode: 0o7755)
    try save(newText, to: sandbox("a"))
    #expect(try sandbox.mode("a") == 0o755)
  }

  @Test func `a file without write permission is refused and stays, for root too`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text, mode: 0o444)
    let error = failure { () throws(FileError) in try save(newText, to: sandbox("a")) }
    #expect(error?.code == EACCES)
    #expect(error?.path == sandbox("a"))
    #expect(sandbox.bytes("a") == text)
    #expect(try sandbox.mode("a") == 0o444)
    #expect(sandbox.listing() == ["a"])
    #expect(try ManagedFile(path: sandbox("a")).read(limit: 100)?.bytes == text)
  }

  @Test func `a file that loses its write permission under the lock is refused`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let session = try ManagedFile(path: sandbox("a")).beginSave()
    defer { session.end() }
    chmod(sandbox("a"), 0o444)
    #expect(
      failure { () throws(FileError) in _ = try session.replace(with: newText, sync: .none) }?.code
        == EACCES)
    #expect(sandbox.bytes("a") == text)
  }

  @Test func `the new file has its mode and owner before its first byte`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text, mode: 0o640)
    if isRoot { #expect(chown(sandbox("a"), 1234, 4321) == 0) }
    var calls = FileCalls.system
    let real = FileCalls.system
    let temporary = sandbox(".a.tmp")
    calls.openAt = { directory, path, flags, mode in
      if flags & O_CREAT != 0 { #expect(mode == 0o600) }
      return real.openAt(directory, path, flags, mode)
    }
    calls.write = { descriptor, buffer, count in
      var status = stat()
      #expect(stat(temporary, &status) == 0)
      #expect(status.st_size == 0 && status.st_mode & 0o7777 == 0o640)
      if isRoot { #expect(status.st_uid == 1234 && status.st_gid == 4321) }
      return real.write(descriptor, buffer, count)
    }
    try save(newText, to: sandbox("a"), calls: calls)
    #expect(sandbox.bytes("a") == newText)
  }

  @Test func `a session that changes nothing leaves the directory as it was`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let before = try sandbox.status("a")
    let session = try ManagedFile(path: sandbox("a")).beginSave()
    #expect(try session.read(limit: 100)?.bytes == text)
    session.end()
    session.end()
    #expect(sandbox.listing() == ["a"])
    let after = try sandbox.status("a")
    #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_ino == after.st_ino)

    try ManagedFile(path: sandbox("new/deeper/b")).beginSave().end()
    #expect(sandbox.listing() == ["a"])
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `a session that is forgotten ends by itself`() throws {
    let sandbox = try Sandbox()
    _ = try ManagedFile(path: sandbox("a")).beginSave()
    #expect(sandbox.openDescriptors() == [])
    #expect(sandbox.listing() == [])
  }

  @Test func `missing directories are made for the owner only, and again when deleted`() throws {
    let sandbox = try Sandbox()
    let file = ManagedFile(path: sandbox("one/two/a"))
    for bytes in [text, newText] {
      let session = try file.beginSave()
      _ = try session.replace(with: bytes, sync: .fileAndDirectory)
      session.end()
      #expect(sandbox.bytes("one/two/a") == bytes)
      #expect(try sandbox.mode("one") == 0o700 && sandbox.mode("one/two") == 0o700)
      try FileManager.default.removeItem(atPath: sandbox("one"))
    }
  }

  @Test func `a directory that is moved during a save takes the save with it`() throws {
    let sandbox = try Sandbox()
    try sandbox.makeDirectory("one")
    let file = ManagedFile(path: sandbox("one/a"))
    let session = try file.beginSave()
    #expect(rename(sandbox("one"), sandbox("two")) == 0)
    _ = try session.replace(with: text, sync: .none)
    session.end()
    #expect(sandbox.bytes("two/a") == text)
    try save(newText, to: sandbox("one/a"))
    #expect(sandbox.bytes("one/a") == newText && sandbox.bytes("two/a") == text)
  }

  @Test func `another name of the old file keeps the old bytes`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    #expect(link(sandbox("a"), sandbox("other")) == 0)
    try save(newText, to: sandbox("a"))
    #expect(sandbox.bytes("other") == text && sandbox.bytes("a") == newText)
  }

  @Test func `the version that a save returns is the one that is found afterwards`() throws {
    let sandbox = try Sandbox()
    let file = ManagedFile(path: sandbox("a"))
    #expect(try file.version() == nil)
    let session = try file.beginSave()
    #expect(try session.version() == nil)
    let first = try session.replace(with: text, sync: .none)
    #expect(try session.version() == first)
    let second = try session.replace(with: text, sync: .none)
    session.end()
    #expect(first != second)
    #expect(try file.version() == second)
    #expect(try file.read(limit: 100)?.version == second)
  }

  @Test(arguments: ["in place", "replaced", "removed"])
  func `an edit right after the rename is seen at the next comparison`(_ kind: String) throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let real = FileCalls.system
    var calls = real
    let path = sandbox("a")
    let edit = Array("edited by hand".utf8)
    calls.renameAt = { directory, from, to in
      let result = real.renameAt(directory, from, to)
      switch kind {
      case "in place":
        #expect(FileManager.default.contents(atPath: path) == Data(newText))
        let descriptor = open(path, O_WRONLY | O_TRUNC)
        _ = real.write(descriptor, edit, edit.count)
        _ = real.close(descriptor)
      case "replaced":
        #expect((try? Data(edit).write(to: URL(fileURLWithPath: path), options: .atomic)) != nil)
      default: #expect(unlink(path) == 0)
      }
      return result
    }
    let file = ManagedFile(path: path, calls: calls)
    let session = try file.beginSave()
    let version = try session.replace(with: newText, sync: .none)
    session.end()
    #expect(try file.version() != version)
    #expect(sandbox.bytes("a") == (kind == "removed" ? nil : edit))
  }

  @Test(arguments: [SyncLevel.none, .file, .fileAndDirectory])
  func `the steps of a save are in order, and only those of its level are made`(
    _ sync: SyncLevel
  ) throws {
    let sandbox = try Sandbox()
    let steps = Log()
    let real = FileCalls.system
    var calls = real
    calls.write = {
      steps.add("write"); return real.write($0, $1, $2)
    }
    calls.synchronize = {
      var status = FileStatus()
      _ = real.status($0, &status)
      steps.add(status.mode & 0o170000 == 0o040000 ? "sync directory" : "sync")
      return real.synchronize($0)
    }
    calls.renameAt = {
      steps.add("rename"); return real.renameAt($0, $1, $2)
    }
    let path = sandbox("new/a")
    try save(text, to: path, sync: sync, calls: calls)
    switch sync {
    case .none: #expect(steps.all == ["write", "rename"])
    // The directory that was made is an entry of the one above it.
    case .file: #expect(steps.all == ["write", "sync", "rename", "sync directory"])
    case .fileAndDirectory:
      #expect(steps.all == ["write", "sync", "rename", "sync directory", "sync directory"])
    }
    steps.clear()
    try save(newText, to: path, sync: sync, calls: calls)
    switch sync {
    case .none: #expect(steps.all == ["write", "rename"])
    case .file: #expect(steps.all == ["write", "sync", "rename"])
    case .fileAndDirectory: #expect(steps.all == ["write", "sync", "rename", "sync directory"])
    }
  }

  @Test func `a failed synchronization of the directory is an error, with the new file in place`()
    throws
  {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let count = Log()
    let real = FileCalls.system
    var calls = real
    calls.synchronize = {
      count.add("")
      return count.all.count == 2 ? -EIO : real.synchronize($0)
    }
    let error = failure { () throws(FileError) in
      try save(newText, to: sandbox("a"), sync: .fileAndDirectory, calls: calls)
    }
    #expect(error == FileError(.syncDirectory, path: sandbox.path, code: EIO))
    #expect(sandbox.bytes("a") == newText)
    #expect(count.all.count == 2)
  }
}
