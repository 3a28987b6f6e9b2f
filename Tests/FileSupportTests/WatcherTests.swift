import FileSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// What the watcher tells of a file, below the store.
struct WatcherTests {
  private final class Hints: Sendable {
    private let count = Atomic(0)
    var all: Int { count.load(ordering: .acquiring) }
    func add() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Waits for the next one, at most two minutes.
    func next(after old: Int) async -> Bool {
      let deadline = ContinuousClock.now + .seconds(120)
      while all <= old, ContinuousClock.now < deadline {
        // Only so as not to keep a core busy.
        try? await Task.sleep(for: .milliseconds(1))
      }
      return all > old
    }
  }

  private func watch(_ url: URL, settling: Duration = .zero) -> (FileWatcher, Hints) {
    let hints = Hints()
    let watcher = FileWatcher(ManagedFile(path: url.systemPath), settling: settling) { hints.add() }
    return (watcher, hints)
  }

  @Test func `a writer that keeps the file open is told of once it has settled`() async throws {
    let folder = TemporaryFolder()
    try folder.file("a").write("x")
    let (watcher, hints) = watch(folder.file("a"), settling: .milliseconds(5))
    let handle = try FileHandle(forWritingTo: folder.file("a"))
    try handle.write(contentsOf: Data("yy".utf8))
    #expect(await hints.next(after: 0))
    try handle.close()
    watcher.cancel()
  }

  @Test func `other files in the directory say nothing`() async throws {
    let folder = TemporaryFolder()
    try folder.file("a").write("x")
    let (watcher, hints) = watch(folder.file("a"))
    for _ in 0..<100 { try folder.file("b").write("y") }
    try folder.file("a").write("z")
    #expect(await hints.next(after: 0))
    // Emptied, written, closed: at most one hint for each.
    #expect(hints.all <= 3)
    watcher.cancel()
  }

  @Test(arguments: ["missing/../a", "no/./such/../../a"])
  func `a file past a missing directory that .. leaves again is seen`(_ path: String) async throws {
    let folder = TemporaryFolder()
    let hints = Hints()
    let file = ManagedFile(path: folder.url.systemPath + "/" + path)
    let watcher = FileWatcher(file, settling: .zero) { hints.add() }
    for _ in 0..<3 {
      let before = hints.all
      try folder.file("a").write("x")
      #expect(await hints.next(after: before))
    }
    watcher.cancel()
  }

  @Test func `a directory that is removed and made again is found`() async throws {
    let folder = TemporaryFolder()
    let directory = folder.file("a/b/c")
    let (watcher, hints) = watch(directory.appending(path: "file"))
    for _ in 0..<5 {
      let before = hints.all
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try directory.appending(path: "file").write("x")
      #expect(await hints.next(after: before))
      let there = hints.all
      try FileManager.default.removeItem(at: folder.file("a"))
      #expect(await hints.next(after: there))
    }
    watcher.cancel()
  }

  #if os(Linux)
    @Test func `an overflow of the queue counts as a change`() async throws {
      // In a process of its own: it keeps the queue of all watches busy.
      await #expect(processExitsWith: .success) {
        try await WatcherTests().overflow()
      }
    }

    private func overflow() async throws {
      let folder = TemporaryFolder()
      try folder.file("a").write("x")
      let limit =
        Int(
          try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
      // A hint about another file keeps the queue busy while events pile up.
      let gate = DispatchSemaphore(value: 0)
      let isBlocked = DispatchSemaphore(value: 0)
      let isFirst = Atomic(true)
      let blocker = FileWatcher(ManagedFile(path: folder.file("w").systemPath), settling: .zero) {
        guard isFirst.exchange(false, ordering: .acquiringAndReleasing) else { return }
        isBlocked.signal()
        gate.wait()
      }
      let (watcher, hints) = watch(folder.file("a"))
      try folder.file("w").write("w")
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          isBlocked.wait()
          continuation.resume()
        }
      }
      // The kernel joins equal events that follow each other, so the names take turns.
      for _ in 0...(limit / 4) {
        for name in ["b", "c"] {
          let descriptor = open(folder.file(name).systemPath, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
          close(descriptor)
          rename(folder.file(name).systemPath, folder.file(name + "d").systemPath)
        }
      }
      // This one finds the queue full.
      try folder.file("a").write("last")
      gate.signal()
      try #require(await hints.next(after: 0))
      blocker.cancel()
      watcher.cancel()
    }
  #endif
}
