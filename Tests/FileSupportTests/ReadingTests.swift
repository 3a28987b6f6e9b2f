import FileSupport
import Foundation
import Testing

@Suite struct ReadingTests {
  @Test func `reading touches nothing and makes nothing`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text, mode: 0o444)
    let before = try sandbox.status("a")
    let content = try ManagedFile(path: sandbox("a")).read(limit: text.count)
    #expect(content?.bytes == text)
    #expect(try content?.version == ManagedFile(path: sandbox("a")).version())
    #expect(try ManagedFile(path: sandbox("absent")).read(limit: 9) == nil)
    #expect(try ManagedFile(path: sandbox("no/such/directory")).version() == nil)
    let after = try sandbox.status("a")
    #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    #expect(before.st_ctim.tv_nsec == after.st_ctim.tv_nsec)
    #expect(sandbox.listing() == ["a"])
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `a file beyond the limit is refused without reading it`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    try #require(truncate(sandbox("a"), 3 << 30) == 0)
    let reads = Log()
    let real = FileCalls.system
    var calls = real
    calls.read = {
      reads.add("")
      return real.read($0, $1, $2)
    }
    let file = ManagedFile(path: sandbox("a"), calls: calls)
    #expect(failure { () throws(FileError) in _ = try file.read(limit: 1 << 26) }?.code == EFBIG)
    let session = try file.beginSave()
    defer { session.end() }
    #expect(failure { () throws(FileError) in _ = try session.read(limit: 14) }?.code == EFBIG)
    #expect(reads.all == [])
    try #require(truncate(sandbox("a"), 15) == 0)
    #expect(failure { () throws(FileError) in _ = try file.read(limit: 14) }?.code == EFBIG)
    #expect(try file.read(limit: 15)?.bytes == text)
  }

  @Test func `a file that is changed while it is read is read again`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let path = sandbox("a")
    let count = Log()
    let real = FileCalls.system
    var calls = real
    calls.read = { descriptor, buffer, size in
      count.add("")
      let result = real.read(descriptor, buffer, min(size, 4))
      if count.all.count == 2 {
        // In place, to the same size.
        let other = open(path, O_WRONLY)
        _ = real.write(other, [UInt8](repeating: 65, count: text.count), text.count)
        _ = real.close(other)
      }
      return result
    }
    let content = try ManagedFile(path: path, calls: calls).read(limit: 100)
    #expect(content?.bytes == [UInt8](repeating: 65, count: text.count))
    #expect(sandbox.openDescriptors() == [])
  }

  @Test func `a file that never stands still is an error in the end`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let path = sandbox("a")
    let real = FileCalls.system
    var calls = real
    calls.read = { descriptor, buffer, size in
      let other = open(path, O_WRONLY | O_APPEND)
      _ = real.write(other, [65], 1)
      _ = real.close(other)
      return real.read(descriptor, buffer, size)
    }
    let file = ManagedFile(path: path, calls: calls)
    #expect(failure { () throws(FileError) in _ = try file.read(limit: 9999) }?.code == EBUSY)
  }

  @Test func `a file that is replaced while it is read gives one whole version`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("a", text)
    let path = sandbox("a")
    let real = FileCalls.system
    var calls = real
    calls.read = { descriptor, buffer, size in
      #expect(failure { () throws(FileError) in try save(newText, to: path) } == nil)
      return real.read(descriptor, buffer, min(size, 5))
    }
    let content = try ManagedFile(path: path, calls: calls).read(limit: 100)
    #expect(content?.bytes == text)
    #expect(try content?.version != ManagedFile(path: path).version())
  }

  @Test func `readers always see whole versions while another thread saves`() async throws {
    let sandbox = try Sandbox()
    let path = sandbox("a")
    try save([UInt8](repeating: 0, count: 30_000), to: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 1...200 {
          try save([UInt8](repeating: UInt8(round), count: 30_000 + round), to: path)
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<500 {
            let bytes = try #require(try ManagedFile(path: path).read(limit: 40_000)).bytes
            let round = bytes[0]
            #expect(bytes.count == 30_000 + Int(round) && bytes.allSatisfy { $0 == round })
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
