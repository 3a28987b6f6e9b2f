import FileSupport
import Foundation
import Testing

@Suite struct LockTests {
  @Test func `a lock file that is removed before the lock is granted is made again`() throws {
    let sandbox = try Sandbox()
    try sandbox.write(".a.lock", [])
    let lock = sandbox(".a.lock")
    let locks = Log()
    let real = FileCalls.system
    var calls = real
    calls.lock = {
      locks.add("")
      if locks.all.count == 1 { #expect(unlink(lock) == 0) }
      return real.lock($0)
    }
    try save(text, to: sandbox("a"), calls: calls)
    #expect(locks.all.count == 2)
    #expect(sandbox.bytes("a") == text)
    #expect(sandbox.listing() == [".a.lock", "a"])
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `a directory that is removed before the lock is granted is made again`() throws {
    let sandbox = try Sandbox()
    let directory = sandbox("new")
    let locks = Log()
    let real = FileCalls.system
    var calls = real
    calls.lock = {
      locks.add("")
      if locks.all.count <= 2 { try? FileManager.default.removeItem(atPath: directory) }
      return real.lock($0)
    }
    try save(text, to: sandbox("new/a"), calls: calls)
    #expect(locks.all.count == 3)
    #expect(sandbox.bytes("new/a") == text)
  }

  @Test func `a save whose lock file was removed meanwhile is refused, not mixed with another`()
    throws
  {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let file = ManagedFile(path: sandbox("a"))
    let slow = try file.beginSave()
    try #require(unlink(sandbox(".a.lock")) == 0)
    let quick = try file.beginSave()
    let error = failure { () throws(FileError) in _ = try slow.replace(with: [1], sync: .none) }
    #expect(error?.step == .lock && error?.code == ESTALE)
    #expect(
      failure { () throws(FileError) in
        _ = try slow.replace(with: [1], sync: .none, movingAside: "x")
      }?.code == ESTALE)
    slow.end()
    #expect(sandbox.bytes("a") == text)
    _ = try quick.replace(with: newText, sync: .none)
    quick.end()
    #expect(sandbox.bytes("a") == newText)
    #expect(sandbox.listing() == [".a.lock", "a"])
  }

  @Test func `a session that changed nothing removes its own lock file, never another one's`()
    throws
  {
    let sandbox = try Sandbox()
    let file = ManagedFile(path: sandbox("a"))
    let idle = try file.beginSave()
    try #require(unlink(sandbox(".a.lock")) == 0)
    let busy = try file.beginSave()
    idle.end()
    #expect(sandbox.listing() == [".a.lock"])
    _ = try busy.replace(with: text, sync: .none)
    busy.end()
    #expect(sandbox.bytes("a") == text)
  }

  @Test(arguments: [ENOLCK, ENOSYS] as [Int32])
  func `where there are no locks, what was made for one goes again`(_ code: Int32) throws {
    let sandbox = try Sandbox()
    var calls = FileCalls.system
    calls.lock = { _ in -code }
    let path = sandbox("new/deeper/a")
    for _ in 0..<2 {
      let error = failure { () throws(FileError) in try save(text, to: path, calls: calls) }
      #expect(error?.step == .lock && error?.code == code)
      #expect(sandbox.listing() == [])
    }
    // One that was there stays.
    try sandbox.makeDirectory("new")
    try sandbox.write("new/.b.lock", [])
    #expect(
      failure { () throws(FileError) in try save(text, to: sandbox("new/b"), calls: calls) }?.code
        == code)
    #expect(sandbox.listing() == ["new", "new/.b.lock"])
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `no increment of several threads is lost, though sessions remove their locks`()
    async throws
  {
    let sandbox = try Sandbox()
    let path = sandbox("new/count")
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<50 {
            do {
              let session = try ManagedFile(path: path).beginSave()
              defer { session.end() }
              // Every other session changes nothing, and so takes lock and directory away.
              if (round + task) % 2 == 0 { continue }
              let old = try session.read(limit: 100).map {
                String(decoding: $0.bytes, as: UTF8.self)
              }
              let count = (old.flatMap { Int($0) } ?? 0) + 1
              _ = try session.replace(with: Array(String(count).utf8), sync: .none)
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    #expect(sandbox.bytes("new/count") == Array("100".utf8))
  }

  @Test func `a first session that changes nothing races with others and loses nothing`()
    async throws
  {
    for _ in 0..<50 {
      let sandbox = try Sandbox()
      let path = sandbox("one/two/a")
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            #expect(
              failure { () throws(FileError) in
                let session = try ManagedFile(path: path).beginSave()
                defer { session.end() }
                if task == 0 { _ = try session.replace(with: text, sync: .none) }
              } == nil)
          }
        }
      }
      #expect(sandbox.bytes("one/two/a") == text)
      // The lock file may be gone: whoever made it, came to the lock after the one that saved, and
      // changed nothing, removes it, while he holds it. The next save makes it again.
      let others = sandbox.listing().filter { $0 != "one/two/.a.lock" }
      #expect(others == ["one", "one/two", "one/two/a"])
    }
  }

  @Test func `a save waits for another process that holds the lock`() async throws {
    let sandbox = try Sandbox()
    let path = sandbox("a")
    try save(text, to: path)
    let places: [String] = ["/usr/bin/flock", "/bin/flock"]
    guard let command = places.first(where: { access($0, X_OK) == 0 }) else {
      print("skipped: the command flock (util-linux) is not here")
      return
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    let output = Pipe()
    let input = Pipe()
    process.standardOutput = output
    process.standardInput = input
    // Holds the lock until its input ends, then writes the file as the last thing under the lock.
    process.arguments = [
      sandbox(".a.lock"), "sh", "-c", "echo held; read line; printf theirs > '\(path)'",
    ]
    try process.run()
    #expect(try output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))

    let real = FileCalls.system
    var calls = real
    calls.lock = { descriptor in
      // Asked without waiting: it is not to be had.
      #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0)
      // Only now may the holder go on.
      input.fileHandleForWriting.closeFile()
      return real.lock(descriptor)
    }
    let session = try ManagedFile(path: path, calls: calls).beginSave()
    #expect(try session.read(limit: 100)?.bytes == Array("theirs".utf8))
    _ = try session.replace(with: newText, sync: .none)
    session.end()
    process.waitUntilExit()
    #expect(sandbox.bytes("a") == newText)
  }
}
