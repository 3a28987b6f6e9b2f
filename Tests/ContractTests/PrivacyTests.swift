import FileSupport
import Foundation
import SimpleStore
import Synchronization
import TestSupport
import Testing

/// Who can read a file, at every moment, and what somebody else can put in the way.
///
/// Known faults: I22 (link replaced), I24 and I26 (permissions widened).
@Suite struct PrivacyTests {
  /// Looks at every file of a folder, again and again, from another thread.
  ///
  /// - Parameter isWrong: What must never be seen of a file.
  /// - Returns: How often it looked, and what was wrong.
  private func watching(
    _ folder: TemporaryFolder, for isWrong: @escaping @Sendable (stat) -> Bool,
    during body: () throws -> Void
  ) rethrows -> (looks: Int, wrong: [String]) {
    let isDone = DoneFlag()
    let finished = DispatchSemaphore(value: 0)
    let result = Seen()
    let names = ["settings.json", ".settings.json.tmp", ".settings.json.lock"]
    let paths = names.map { folder.file($0).systemPath }
    Thread.detachNewThread {
      while !isDone.isSet {
        for (name, path) in zip(names, paths) {
          var status = stat()
          guard lstat(path, &status) == 0 else { continue }
          let wrong =
            isWrong(status)
            ? "\(name) \(String(status.st_mode, radix: 8)) \(status.st_uid)" : nil
          result.add(wrong)
        }
      }
      finished.signal()
    }
    defer {
      isDone.set()
      finished.wait()
    }
    // Not before the other thread is looking.
    while result.all.looks == 0, FileManager.default.fileExists(atPath: paths[0]) { usleep(100) }
    try body()
    return result.all
  }

  @Test(arguments: [0o600, 0o640, 0o644] as [UInt32])
  func `a file is never readable by more people than before, in a thousand saves`(
    mode: UInt32
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    try BackendKind.json.put(Settings.document(name: "secret"), into: file)
    file.setMode(mode)
    let isGivenAway = Nobody.isRoot && chown(file.systemPath, 65534, 65534) == 0
    let store = SimpleStore<Settings>(BackendKind.json.backend(at: file))
    let seen = try watching(folder) { status in
      // What group and others may do counts only for the group that the file had.
      let bits = UInt32(status.st_mode) & 0o077
      return bits & ~mode != 0 || isGivenAway && bits & 0o070 != 0 && status.st_gid != 65534
    } during: {
      for count in 1...1000 { try store.set(\.count, to: count) }
    }
    #expect(seen.wrong == [])
    #expect(seen.looks > 1000)
    #expect(try file.mode == mode)
    if isGivenAway { #expect(try file.status.st_uid == 65534) }
  }

  @Test func `a new file and its directories are its owner's only, whatever the umask`() throws {
    let sh = try #require(Tool.path("sh"))
    for mask in ["000", "022", "077", "777"] {
      let folder = TemporaryFolder()
      let file = folder.file("a/b/settings.json")
      let outcome = try Probe.run(
        "set", file.systemPath, "name", "secret",
        wrapper: [sh, "-c", "umask \(mask); exec \"$0\" \"$@\""])
      #expect(outcome.status == 0, "umask \(mask): \(outcome)")
      #expect(try file.mode == 0o600)
      #expect(try folder.file("a").mode == 0o700)
      #expect(try folder.file("a/b").mode == 0o700)
      #expect(try folder.file("a/b/.settings.json.lock").mode == 0o600)
    }
  }

  enum Trap: String, CaseIterable {
    case link, danglingLink, hardLink, fifo, directory, readableFile
  }

  /// Lays a trap at a name and returns the file that it would damage.
  private func lay(_ trap: Trap, at url: URL, in folder: TemporaryFolder) throws -> URL {
    let victim = folder.file("victim")
    try victim.write("precious")
    victim.setMode(0o644)
    switch trap {
    case .link: try #require(symlink("victim", url.systemPath) == 0)
    case .danglingLink: try #require(symlink("nowhere", url.systemPath) == 0)
    case .hardLink: try #require(link(victim.systemPath, url.systemPath) == 0)
    case .fifo: try #require(mkfifo(url.systemPath, 0o666) == 0)
    case .directory: try #require(mkdir(url.systemPath, 0o755) == 0)
    case .readableFile:
      try url.write("left over")
      url.setMode(0o666)
    }
    return victim
  }

  @Test(arguments: Trap.allCases)
  func `what lies at the name of the temporary file is not written through`(_ trap: Trap) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    let store = SimpleStore<Settings>(BackendKind.json.backend(at: file))
    store.name = "old"
    for round in 0..<50 {
      let temporary = folder.file(".settings.json.tmp")
      let victim = try lay(trap, at: temporary, in: folder)
      let seen = watching(folder) { status in
        // What was laid there is looked at as well; only files with the secret in them count.
        status.st_mode & S_IFMT == S_IFREG && status.st_size > 9 && status.st_mode & 0o077 != 0
      } during: {
        store.name = "new \(round)"
      }
      #expect(seen.wrong == [])
      #expect(try victim.text == "precious")
      #expect(try victim.mode == 0o644)
      #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere").systemPath))
      if trap == .directory {
        #expect(store.saveError?.code == .unwritable)
        #expect(store.name == "old")
        #expect(rmdir(temporary.systemPath) == 0)
      } else {
        #expect(store.saveError == nil)
        #expect(try file.mode == 0o600)
        #expect(try BackendKind.json.document(in: file)?["name"] == .string("new \(round)"))
      }
      try FileManager.default.removeItem(at: victim)
    }
  }

  @Test(arguments: Trap.allCases)
  func `what lies at the name of the lock is not followed, written or waited for`(
    _ trap: Trap
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    try BackendKind.json.put(Settings.document(name: "old"), into: file)
    let lock = folder.file(".settings.json.lock")
    let victim = try lay(trap, at: lock, in: folder)
    let store = SimpleStore<Settings>(BackendKind.json.backend(at: file))
    let error = failure { () throws(StoreError) in try store.set(\.name, to: "new") }
    #expect(try victim.text == "precious")
    #expect(try victim.mode == 0o644)
    #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere").systemPath))
    let isUsable = trap == .hardLink || trap == .readableFile
    #expect((error == nil) == isUsable)
    if !isUsable { #expect(error?.code == .unwritable) }
    #expect(
      try BackendKind.json.document(in: file)
        == Settings.document(name: isUsable ? "new" : "old"))
    #expect(try folder.allNames.contains(".settings.json.tmp") == false)
  }
}

/// An atomic flag that a thread can capture.
private final class DoneFlag: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}

/// What the looking thread has seen.
private final class Seen: Sendable {
  private let state = Guarded((looks: 0, wrong: [String]()))
  var all: (looks: Int, wrong: [String]) { state.withLock { $0 } }
  func add(_ wrong: String?) {
    state.withLock { state in
      state.looks += 1
      if let wrong { state.wrong.append(wrong) }
    }
  }
}
