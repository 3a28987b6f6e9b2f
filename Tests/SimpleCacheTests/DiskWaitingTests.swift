import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// Who waits for the disk, and who does not.
///
/// Known faults: I114 (the first read waited for a list of the whole folder), I115 (a look whether
/// something is cached blocked the user interface).
@Suite struct DiskWaitingTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `making a level touches no disk, and a miss or a hit needs no list of the folder`()
    async throws
  {
    try await level().set("value", forKey: "a")
    let counted = CountedCalls()
    let level = level(countLimit: 100, calls: counted.calls)
    #expect(counted.all == 0)
    #expect(level["missing"] == nil && level["a"] == "value")
    #expect(counted.lists == 0)
    // The bound for a miss and a hit, whatever the folder holds: open, look, read, note, close.
    #expect(counted.all <= 12)
  }

  @Test func `whether an entry is there takes one look at its file`() async throws {
    try await level().set("value", forKey: "a")
    let counted = CountedCalls()
    let level = level(calls: counted.calls)
    #expect(try await level.contains("a"))
    #expect(counted.lists == 0)
    try await level.set("value", forKey: "b")
    let before = counted.all
    #expect(try await level.contains("b"))
    #expect(counted.all == before + 1)
    let counts = CountedCalls()
    let limited = self.level(countLimit: 9, calls: counts.calls)
    for _ in 0..<3 {
      #expect(try await limited.contains("a"))
      time.advance(by: .seconds(6))
    }
    #expect(counts.lists == 1)
  }

  @Test func `a miss and a hit do not wait for who looks through the folder`() async throws {
    try await level().set("value", forKey: "a")
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let held = DispatchSemaphore(value: 0)
    // Also when the test fails before.
    defer { held.signal() }
    var calls = DiskCalls.system
    calls.list = { directory, names in
      begin.yield()
      // A folder of any size: the look through it ends when the test says so.
      held.wait()
      return DiskCalls.system.list(directory, &names)
    }
    let level = level(countLimit: 100, calls: calls)
    let setting = Thread {
      level["b"] = "set"
      end.yield()
    }
    setting.start()
    for await _ in begun { break }
    #expect(level["missing"] == nil)
    #expect(level["a"] == "value")
    #expect(level["b"] == nil)
    held.signal()
    for await _ in ended { break }
    #expect(level["b"] == "set")
    #expect(level.statistics.errors == 0)
  }

  @Test @MainActor func `calls with await never run on the caller's actor`() async throws {
    let counted = CountedCalls()
    let level = level(countLimit: 100, expiry: .hours(1), calls: counted.calls)
    #expect(try await level.contains("a") == false)
    try await level.set("1", forKey: "a")
    #expect(try await level.contains("a"))
    #expect(try await level.get("a") == "1")
    #expect(try await level.entry(for: "a") != nil)
    #expect(try await level.keys == ["a"])
    #expect(try await level.count == 1)
    #expect(try await level.sizeInBytes == 1)
    try await level.removeExpired()
    try await level.remove("a")
    try await level.removeAll()
    #expect(counted.all > 20)
    #expect(counted.onMain == 0)
    // What runs there is seen.
    level["a"] = "1"
    #expect(counted.onMain > 0)
  }

  @Test @MainActor func `hits in memory never let the caller's actor wait for the disk`()
    async throws
  {
    let counted = CountedCalls()
    let disk = level(countLimit: 100, calls: counted.calls)
    let both = MemoryLevel<String, String>().compose(disk)
    for number in 0..<100 { try await both.set("1", forKey: "\(number)") }
    time.advance(by: .seconds(2))
    let before = counted.all
    for number in 0..<99 { #expect(both.getIfReady("\(number)") == "1") }
    try await both.set("1", forKey: "new")
    #expect(counted.all > before + 99)
    #expect(counted.onMain == 0)
    // The set waits until the disk knows all hits: the one that had none has gone.
    #expect(try await disk.keys == (0..<99).map(String.init) + ["new"])
  }

  @Test func `a thousand reads at once end on a small pool`() async throws {
    let level = level()
    for number in 0..<50 { level["\(number)"] = "v\(number)" }
    let all = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        group.addTask { try await level.get("\(number % 50)") == "v\(number % 50)" }
      }
      return try await group.reduce(true) { $0 && $1 }
    }
    #expect(all)
    #expect(level.statistics.hits == 1_000)
  }
}

/// The system's calls, counted.
private final class CountedCalls: Sendable {
  /// Marks the queue of the main actor, whichever thread serves it.
  private let mainKey = DispatchSpecificKey<Bool>()

  private struct Counts { var (all, lists, onMain) = (0, 0, 0) }
  private let counts = Guarded(Counts())

  init() { DispatchQueue.main.setSpecific(key: mainKey, value: true) }

  deinit { DispatchQueue.main.setSpecific(key: mainKey, value: nil) }

  var all: Int { counts.withLock { $0.all } }
  var lists: Int { counts.withLock { $0.lists } }
  var onMain: Int { counts.withLock { $0.onMain } }

  private func note(isList: Bool = false) {
    let isMain = DispatchQueue.getSpecific(key: mainKey) != nil
    counts.withLock { counts in
      counts.all += 1
      if isList { counts.lists += 1 }
      if isMain { counts.onMain += 1 }
    }
  }

  var calls: DiskCalls {
    let system = DiskCalls.system
    var calls = system
    calls.list = { [self] directory, names in
      note(isList: true)
      return system.list(directory, &names)
    }
    calls.setTime = { [self] descriptor, stamp in
      note()
      return system.setTime(descriptor, stamp)
    }
    calls.setTimeAt = { [self] directory, name, stamp in
      note()
      return system.setTimeAt(directory, name, stamp)
    }
    calls.file.openAt = { [self] directory, name, flags, mode in
      note()
      return system.file.openAt(directory, name, flags, mode)
    }
    calls.file.status = { [self] descriptor, status in
      note()
      return system.file.status(descriptor, &status)
    }
    calls.file.statusAt = { [self] directory, name, flags, status in
      note()
      return system.file.statusAt(directory, name, flags, &status)
    }
    calls.file.read = { [self] descriptor, buffer, count in
      note()
      return system.file.read(descriptor, buffer, count)
    }
    calls.file.write = { [self] descriptor, buffer, count in
      note()
      return system.file.write(descriptor, buffer, count)
    }
    calls.file.close = { [self] descriptor in
      note()
      return system.file.close(descriptor)
    }
    calls.file.unlinkAt = { [self] directory, name, flags in
      note()
      return system.file.unlinkAt(directory, name, flags)
    }
    calls.file.renameAt = { [self] directory, old, new in
      note()
      return system.file.renameAt(directory, old, new)
    }
    return calls
  }
}
