import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// Files, directories and file systems as they are met outside.
///
/// Known faults: I07, I13, I14 (opening writes), I18, I22 (links), I28, I31, I33, I34, I38.
@Suite struct FileTests {
  @Test(arguments: BackendKind.files)
  func `opening, reading and closing write nothing`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    #expect(try Probe.run("get", file.systemPath, "name").output == "\n")
    #expect(try folder.allNames == [])
    try kind.put(Settings.document(name: "Ann"), into: file)
    let (before, content) = (try file.status, try file.bytes)
    do {
      let store = SimpleStore<Settings>(kind.backend(at: file))
      #expect(store.name == "Ann")
      try store.reload()
      store.name = "Ann"
      store.batchUpdate { _ in }
    }
    #expect(try Probe.run("get", file.systemPath, "name").output == "Ann\n")
    let after = try file.status
    #expect(after.st_ino == before.st_ino)
    #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    #expect(after.st_ctim.tv_nsec == before.st_ctim.tv_nsec)
    #expect(try file.bytes == content)
    #expect(try folder.allNames == [file.lastPathComponent])
  }

  @Test(
    .enabled(if: Tool.path("strace") != nil, "needs strace, to see the system calls of a process"))
  func `the system calls of a process are those that the promises need`() throws {
    let strace = try #require(Tool.path("strace"))
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    let log = folder.file("log")
    let wrapper = [strace, "-f", "-qq", "-y", "-o", log.systemPath]
    try BackendKind.json.put(Settings.document(name: "Ann"), into: file)

    #expect(try Probe.run("get", file.systemPath, "name", wrapper: wrapper).output == "Ann\n")
    let reading = try log.text.split(separator: "\n").filter { $0.contains(folder.url.systemPath) }
    #expect(!reading.isEmpty)
    for call in ["O_CREAT", "O_RDWR", "O_WRONLY", "flock(", "rename", "unlink", "mkdir", "write("] {
      #expect(!reading.contains { $0.contains(call) && !$0.contains("execve") }, "\(call)")
    }

    try FileManager.default.removeItem(at: log)
    let outcome = try Probe.run(
      "set", file.systemPath, "name", "Bea", "--durability", "durable", wrapper: wrapper)
    #expect(outcome.status == 0)
    let lines = try log.text.split(separator: "\n").map(String.init)
    // Each after the one before it: lock, a temporary file of its own, write, synchronize, rename,
    // synchronize the directory.
    let steps = [
      ["flock(", "LOCK_EX"], ["openat(", ".settings.json.tmp", "O_EXCL", "O_NOFOLLOW", "0600"],
      ["write(", ".settings.json.tmp"], ["fsync(", ".settings.json.tmp"], ["rename"], ["fsync("],
    ]
    var rest = lines[...]
    for step in steps {
      let found = rest.firstIndex { line in step.allSatisfy { line.contains($0) } }
      let index = try #require(found, "\(step)")
      rest = rest[(index + 1)...]
    }
  }

  @Test(arguments: BackendKind.files)
  func `a file that is not there is made by the first save, with its directories`(
    _ kind: BackendKind
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("new/a/b/settings." + kind.suffix)
    let outcome = try Probe.run("set", file.systemPath, "name", "Ann")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try kind.document(in: file) == Settings.document(name: "Ann"))
  }

  @Test(arguments: BackendKind.files)
  func `a shorter document leaves no tail of the longer one`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let store = SimpleStore<Settings>(kind.backend(at: file))
    store.name = String(repeating: "long ", count: 2000)
    let long = try file.bytes.count
    store.name = "x"
    #expect(try file.bytes.count < long - 9000)
    #expect(try kind.document(in: file) == Settings.document(name: "x"))
  }

  @Test(arguments: BackendKind.files)
  func `a file that is deleted while the program runs is written again, whole`(
    _ kind: BackendKind
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    try kind.put(["future": .bool(true), "name": .string("Ann")], into: file)
    let store = SimpleStore<Settings>(kind.backend(at: file))
    try FileManager.default.removeItem(at: file)
    store.count = 7
    let document = try kind.document(in: file)
    #expect(document?["future"] == .bool(true))
    #expect(document?["name"] == .string("Ann"))
    #expect(document?["count"] == .integer(7))
  }

  @Test(arguments: [false, true])
  func `a directory that is deleted or moved while the program runs is made again`(
    isMoved: Bool
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("a/b/settings.json")
    let store = SimpleStore<Settings>(BackendKind.json.backend(at: file))
    store.name = "Ann"
    if isMoved {
      try FileManager.default.moveItem(at: folder.file("a"), to: folder.file("elsewhere"))
    } else {
      try FileManager.default.removeItem(at: folder.file("a"))
    }
    store.count = 7
    #expect(store.saveError == nil)
    #expect(try BackendKind.json.document(in: file) == Settings.document(name: "Ann", count: 7))
    if isMoved {
      let moved = folder.file("elsewhere/b/settings.json")
      #expect(try BackendKind.json.document(in: moved) == Settings.document(name: "Ann"))
    }
  }

  @Test func `a symbolic link stays, and what it points to is replaced`() throws {
    let folder = TemporaryFolder()
    let target = folder.file("dotfiles/settings.json")
    try FileManager.default.createDirectory(
      at: folder.file("dotfiles"), withIntermediateDirectories: false)
    for link in ["dotfiles/settings.json", "../" + folder.url.lastPathComponent + "/first.json"] {
      let url = folder.file(link.hasPrefix("dot") ? "first.json" : "second.json")
      try #require(symlink(link, url.systemPath) == 0)
      // Dangling at first, then not; then a link to a link.
      for name in ["Ann", "Bea"] {
        #expect(try Probe.run("set", url.systemPath, "name", name).status == 0)
        #expect(try url.status.st_mode & S_IFMT == S_IFLNK)
        #expect(try BackendKind.json.document(in: target)?["name"] == .string(name))
      }
    }
    #expect(try folder.names == ["dotfiles", "first.json", "second.json"])
  }

  @Test func `another name of the file keeps the old content`() throws {
    let folder = TemporaryFolder()
    let (file, other) = (folder.file("settings.json"), folder.file("other.json"))
    try BackendKind.json.put(Settings.document(name: "old"), into: file)
    try #require(link(file.systemPath, other.systemPath) == 0)
    #expect(try Probe.run("set", file.systemPath, "name", "new").status == 0)
    #expect(try BackendKind.json.document(in: file)?["name"] == .string("new"))
    #expect(try BackendKind.json.document(in: other)?["name"] == .string("old"))
  }

  enum Strange: String, CaseIterable { case directory, fifo, device, emptyDevice, linkToItself }

  @Test(arguments: Strange.allCases)
  func `what is no file is neither read nor waited for nor replaced`(_ strange: Strange) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    switch strange {
    case .directory: try #require(mkdir(file.systemPath, 0o755) == 0)
    case .fifo: try #require(mkfifo(file.systemPath, 0o644) == 0)
    case .device: try #require(symlink("/dev/zero", file.systemPath) == 0)
    case .linkToItself: try #require(symlink("settings.json", file.systemPath) == 0)
    case .emptyDevice: try #require(symlink("/dev/null", file.systemPath) == 0)
    }
    let before = try file.status
    let reading = try Probe.run("get", file.systemPath, "name")
    #expect(reading.status == 1)
    #expect(reading.errors.contains("code=unreadable"), "\(reading)")
    let writing = try Probe.run("set", file.systemPath, "name", "x")
    #expect(writing.status == 1, "\(writing)")
    #expect(try file.status.st_ino == before.st_ino)
    #expect(try folder.allNames == ["settings.json"])
  }

  @Test(arguments: BackendKind.files)
  func `a file that cannot be read now is never taken for an empty one`(_ kind: BackendKind) throws
  {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    try kind.put(Settings.document(name: "Ann"), into: file)
    let content = try file.bytes
    var calls = FileCalls.system
    calls.read = { _, _, _ in -Int(EIO) }
    let store = SimpleStore<Settings>(
      FileBackend(
        path: file.systemPath, format: kind.fileFormat, durability: .consistent, calls: calls))
    guard case .failed(let error) = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.systemError == EIO)
    #expect(failure { () throws(StoreError) in try store.set(\.count, to: 1) }?.systemError == EIO)
    #expect(failure { () throws(StoreError) in try store.save() }?.systemError == EIO)
    #expect(try file.bytes == content)
    #expect(try folder.allNames == [file.lastPathComponent])
  }
}
