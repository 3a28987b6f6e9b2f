#if os(Linux)
  import CacheTestSupport
  import Foundation
  import Testing

  @testable import SimpleCache

  @Suite struct MemoryPressureLinuxTests {
    @Test func `where neither source can be read, the error says what was tried`() {
      let error = #expect(throws: CacheError.self) {
        try MemoryPressure.events(stallFile: "/nowhere/memory", groupFile: "/nowhere/events")
      }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("/nowhere/memory: No such file") == true)
      #expect(error?.message.contains("/nowhere/events: No such file") == true)
    }

    @Test func `a control group passing its marks is told`() async throws {
      let file = FileManager.default.temporaryDirectory
        .appending(path: "memory.events-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      // In place, as the kernel's file changes; the inode must stay.
      func write(high: Int, maximum: Int) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data("low 0\nhigh \(high)\nmax \(maximum)\noom 0\n".utf8))
        try handle.close()
      }
      try Data("low 0\nhigh 0\nmax 0\noom 0\n".utf8).write(to: file)
      let events = try MemoryPressure.events(stallFile: "/nowhere", groupFile: file.path)
      var iterator = events.makeAsyncIterator()
      try write(high: 1, maximum: 0)
      #expect(await iterator.next() == .warning)
      try write(high: 1, maximum: 1)
      #expect(await iterator.next() == .critical)
    }

    @Test func `listening to the kernel begins and ends without waiting for an event`() async throws
    {
      let events: AsyncStream<MemoryPressure>
      do { events = try MemoryPressure.events() } catch let error as CacheError {
        // Nothing to try here; the reason is in the log.
        print("skipped: \(error)")
        return
      }
      let level = MemoryLevel<Int, Int>()
      level[1] = 1
      let trimming = level.trim(on: events)
      trimming.cancel()
      await trimming.value
      #expect(level[1] == 1)
    }
  }
#endif
