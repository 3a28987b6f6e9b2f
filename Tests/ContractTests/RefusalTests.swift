import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// Places that refuse to be written, or to be read.
///
/// Known faults: I28, I29, I31 (disk full), I37.
@Suite struct RefusalTests {
  /// A folder with a valid file, all of it nobody's.
  private func scene(_ kind: BackendKind = .json) throws -> (TemporaryFolder, URL, [UInt8]) {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    try kind.put(Settings.document(name: "old"), into: file)
    file.setMode(0o600)
    folder.url.setMode(0o755)
    Nobody.own(folder.url, file)
    return (folder, file, try file.bytes)
  }

  /// Runs the probe without the rights of root.
  private func asNobody(_ arguments: String...) throws -> ChildProcess.Outcome {
    let output = TemporaryFolder()
    // Anybody may start the copy of the probe that lies where everybody may go.
    let wrapper = try #require(Nobody.wrapper)
    let command = wrapper + [Self.probe.file("store-probe").systemPath] + arguments
    var outcome = try ChildProcess(command, folder: output).wait()
    // 126: the copy is "text file busy" while a child that another test is just starting still has
    // the descriptor that the copy was written through.
    for _ in 0..<100 where outcome.status == 126 {
      usleep(50_000)
      let again = TemporaryFolder()
      outcome = try ChildProcess(command, folder: again).wait()
    }
    return outcome
  }

  private static let probe: TemporaryFolder = {
    let folder = TemporaryFolder()
    // A copy that cannot be made is a probe that does not start, which the tests tell.
    try? FileManager.default.copyItem(
      atPath: Probe.path, toPath: folder.file("store-probe").systemPath)
    folder.url.setMode(0o755)
    folder.file("store-probe").setMode(0o755)
    return folder
  }()

  @Test(.enabled(if: Nobody.wrapper != nil, Comment(rawValue: Nobody.sentence)))
  func `a read-only directory can be read, refuses saves, and works again afterwards`() throws {
    let (folder, file, old) = try scene()
    folder.url.setMode(0o555)
    #expect(try asNobody("get", file.systemPath, "name").output == "old\n")
    let outcome = try asNobody("set", file.systemPath, "name", "new")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("code=unwritable") && outcome.errors.contains("errno=\(EACCES)"))
    #expect(try file.bytes == old)
    #expect(try folder.allNames == ["settings.json"])
    folder.url.setMode(0o755)
    #expect(try asNobody("set", file.systemPath, "name", "new").status == 0)
    #expect(try BackendKind.json.document(in: file)?["name"] == .string("new"))
  }

  @Test(.enabled(if: Nobody.wrapper != nil, Comment(rawValue: Nobody.sentence)))
  func `a file that may not be read is an error, and is not saved over`() throws {
    let (folder, file, old) = try scene()
    file.setMode(0o000)
    for command in [["get", file.systemPath, "name"], ["set", file.systemPath, "name", "new"]] {
      let outcome =
        command.count == 3
        ? try asNobody(command[0], command[1], command[2])
        : try asNobody(command[0], command[1], command[2], command[3])
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.contains("code=unreadable") && outcome.errors.contains("errno=\(EACCES)"))
    }
    file.setMode(0o600)
    #expect(try file.bytes == old)
    #expect(try folder.allNames == ["settings.json"])
  }

  @Test(arguments: BackendKind.files)
  func `a read-only file refuses saves, and keeps its mode`(_ kind: BackendKind) throws {
    // For root too, who passes the checks of the system.
    let (folder, file, old) = try scene(kind)
    file.setMode(0o444)
    let outcome = try Probe.run("set", file.systemPath, "name", "new")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("code=unwritable") && outcome.errors.contains("errno=\(EACCES)"))
    #expect(try file.bytes == old)
    #expect(try file.mode == 0o444)
    #expect(try folder.allNames == [file.lastPathComponent])
  }

  @Test(.disabled(if: Sanitizer.current == .thread, threadSanitizerAndLimit))
  func `a file that may not grow leaves the old one, and saves go on when it may`() throws {
    let (folder, file, old) = try scene()
    let sh = try #require(Tool.path("sh"))
    let long = String(repeating: "x", count: 5000)
    let limit = "ulimit -f 1; exec \"$0\" \"$@\""
    let outcome = try Probe.run("set", file.systemPath, "name", long, wrapper: [sh, "-c", limit])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("step=write") && outcome.errors.contains("errno=\(EFBIG)"))
    #expect(try file.bytes == old)
    #expect(try folder.names == ["settings.json"])
    #expect(try Probe.run("set", file.systemPath, "name", long).status == 0)
  }

  @Test func `a disk that is full refuses saves, and takes them when there is room again`() throws {
    let (folder, file, old) = try scene()
    let plan = FaultPlan(.error(ENOSPC), at: 1, fromThereOn: true, isArmed: false)
    var calls = FileCalls.system
    calls.write = plan.calls(on: .system).write
    let store = SimpleStore<Settings>(
      FileBackend(path: file.systemPath, format: .json, durability: .consistent, calls: calls))
    plan.isArmed = true
    for _ in 0..<20 {
      let error = failure { () throws(StoreError) in try store.set(\.name, to: "new") }
      #expect(error?.systemError == ENOSPC)
      #expect(store.name == "old")
    }
    #expect(try file.bytes == old)
    #expect(try folder.names == ["settings.json"])
    #expect(folder.openDescriptors == [])
    plan.isArmed = false
    try store.set(\.name, to: "new")
    #expect(try BackendKind.json.document(in: file)?["name"] == .string("new"))
  }

  /// Mounts something over a path for as long as `body` runs; false where that is not allowed.
  private func mounting(_ arguments: [String], at url: URL, _ body: () throws -> Void) throws
    -> Bool
  {
    guard Nobody.isRoot, let mount = Tool.path("mount"), let umount = Tool.path("umount") else {
      return false
    }
    let output = TemporaryFolder()
    let mounted = try ChildProcess([mount] + arguments + [url.systemPath], folder: output)
      .wait()
    guard mounted.status == 0 else { return false }
    defer {
      // Whether it could be taken away again is seen when the folder is removed.
      _ = try? ChildProcess([umount, "-l", url.systemPath], folder: output).wait()
    }
    try body()
    return true
  }

  private static let mountSentence: Comment = "mounting is not allowed here"

  @Test func `a file system of 64 KB that is full keeps the old file`() throws {
    let folder = TemporaryFolder()
    let place = folder.file("mount")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let isMounted = try mounting(["-t", "tmpfs", "-o", "size=64k", "none"], at: place) {
      let file = place.appending(path: "settings.json")
      let store = SimpleStore<Settings>(BackendKind.json.backend(at: file))
      try store.set(\.name, to: "old")
      let old = try file.bytes
      let huge = String(repeating: "x", count: 1 << 20)
      #expect(
        failure { () throws(StoreError) in try store.set(\.name, to: huge) }?.systemError == ENOSPC)
      #expect(try file.bytes == old)
      let names = try FileManager.default.contentsOfDirectory(atPath: place.systemPath)
      #expect(Set(names) == ["settings.json", ".settings.json.lock"])
      try store.set(\.name, to: "new")
      #expect(try BackendKind.json.document(in: file)?["name"] == .string("new"))
    }
    if !isMounted { print("skipped: \(Self.mountSentence)") }
  }

  @Test func `a file that is a mount of its own says why it cannot be replaced`() throws {
    let (folder, file, old) = try scene()
    let other = folder.file("other")
    try Data(old).write(to: other)
    let isMounted = try mounting(["--bind", other.systemPath], at: file) {
      let store = SimpleStore<Settings>(BackendKind.json.backend(at: file))
      let error = failure { () throws(StoreError) in try store.set(\.name, to: "new") }
      #expect(error?.systemError == EBUSY)
      #expect(error.map { "\($0)".contains("mount") } == true)
      let found = (try other.bytes, try file.bytes, try folder.allNames)
      #expect(found.0 == old && found.1 == old)
      #expect(!found.2.contains(".settings.json.tmp"))
    }
    if !isMounted { print("skipped: \(Self.mountSentence)") }
  }

  @Test func `a rename that is refused because of a mount says why`() throws {
    let (folder, file, old) = try scene()
    var calls = FileCalls.system
    calls.renameAt = { _, _, _ in -EBUSY }
    let store = SimpleStore<Settings>(
      FileBackend(path: file.systemPath, format: .json, durability: .consistent, calls: calls))
    let error = failure { () throws(StoreError) in try store.set(\.name, to: "new") }
    #expect(error?.systemError == EBUSY)
    #expect(error.map { "\($0)".contains("mount") } == true)
    #expect(try file.bytes == old)
    #expect(try folder.names == ["settings.json"])
  }
}
