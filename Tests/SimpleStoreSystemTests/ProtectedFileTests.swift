import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// A file for secrets is for its owner only, or it is not used.
struct ProtectedFileTests {
  let folder = TemporaryFolder()
  var file: URL { folder.file("private/tokens.json") }
  var directory: URL { folder.file("private") }

  private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.systemPath)[.posixPermissions] as? Int
  }

  private func setMode(_ url: URL, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.systemPath)
  }

  @Test func `it keeps the laws of a backend`() async {
    let laws = { () -> BackendLaws in
      let folder = TemporaryFolder()
      return BackendLaws { .protectedFile(at: folder.file("private/a.json")) }
    }
    #expect(laws().nothingLoadsAsNil() == [])
    #expect(laws().loadingChangesNothing() == [])
    #expect(laws().savedLoadsEqual() == [])
    #expect(laws().failedSaveKeepsTheLast() == [])
    #expect(await laws().readersSeeWholeDocuments() == [])
  }

  @Test func `directory and file are made for their owner only`() throws {
    let old = umask(0)
    defer { umask(old) }
    let store = SimpleStore<User>(.protectedFile(at: file))
    store.name = "secret"
    #expect(store.saveError == nil)
    #expect(try mode(directory) == 0o700)
    #expect(try mode(file) == 0o600)
    #expect(SimpleStore<User>(.protectedFile(at: file)).name == "secret")
  }

  enum Fault: CaseIterable {
    case wideFile, executableFile, wideDirectory, linkedFile, linkedDirectory, notAFile,
      notADirectory
  }

  private func spoil(_ fault: Fault) throws {
    let manager = FileManager.default
    let other = folder.file("other")
    switch fault {
    case .wideFile: try setMode(file, 0o640)
    case .executableFile: try setMode(file, 0o601)
    case .wideDirectory: try setMode(directory, 0o710)
    case .linkedFile:
      try manager.moveItem(at: file, to: other)
      try manager.createSymbolicLink(at: file, withDestinationURL: other)
    case .linkedDirectory:
      try manager.moveItem(at: directory, to: other)
      try manager.createSymbolicLink(at: directory, withDestinationURL: other)
    case .notAFile:
      try manager.removeItem(at: file)
      try manager.createDirectory(at: file, withIntermediateDirectories: false)
    case .notADirectory:
      try manager.removeItem(at: directory)
      try directory.write("")
    }
  }

  @Test(arguments: Fault.allCases)
  func `what is not for this user only is refused, at opening and at a save`(
    _ fault: Fault
  ) throws {
    let content: [UInt8]?
    do {
      let running = SimpleStore<User>(.protectedFile(at: file))
      running.name = "secret"
      try spoil(fault)
      content = try? file.bytes
      running.name = "changed"
      #expect(running.saveError?.code == .unwritable)
      #expect(running.name == "secret")
    }

    let store = SimpleStore<User>(.protectedFile(at: file))
    guard case .failed(let error) = store.loadState, error.code == .unreadable else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.path?.isEmpty == false)
    store.name = "changed"
    #expect(store.saveError?.code == .unreadable)
    #expect(store.name == "")
    #expect((try? file.bytes) == content)
  }

  @Test(arguments: ["link/a.json", "link//a.json", "link/./a.json", ".//link/././/a.json"])
  func `a linked directory is refused however its path is spelled`(_ spelling: String) throws {
    SimpleStore<User>(.protectedFile(at: file)).name = "secret"
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: directory)
    let url = URL(filePath: "\(folder.url.systemPath)/\(spelling)")
    let store = SimpleStore<User>(.protectedFile(at: url))
    guard case .failed(let error) = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.description.contains("it is a symbolic link"))
    store.name = "changed"
    #expect(store.saveError?.code == .unreadable)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.systemPath).count == 2)
  }

  @Test func `it works again when the modes are put right`() throws {
    SimpleStore<User>(.protectedFile(at: file)).name = "secret"
    try setMode(file, 0o644)
    let store = SimpleStore<User>(.protectedFile(at: file))
    try setMode(file, 0o400)
    try store.reload()
    #expect(store.name == "secret")
  }

  @Test func `a file of another user is refused`() throws {
    guard geteuid() == 0 else {
      print("skipped: only root can give a file to another user")
      return
    }
    SimpleStore<User>(.protectedFile(at: file)).name = "secret"
    for url in [file, directory] {
      try #require(chown(url.systemPath, 65_534, 65_534) == 0)
      let store = SimpleStore<User>(.protectedFile(at: file))
      guard case .failed(let error) = store.loadState else {
        Issue.record("\(store.loadState)")
        return
      }
      #expect(error.description.contains("belongs to another user (65534)"))
      try #require(chown(url.systemPath, 0, 0) == 0)
    }
    #expect(SimpleStore<User>(.protectedFile(at: file)).name == "secret")
  }

  @Test func `a damaged file is moved aside, and stays for its owner only`() throws {
    SimpleStore<User>(.protectedFile(at: file)).name = "secret"
    try Data("{\"na".utf8).write(to: file)
    try setMode(file, 0o600)
    let store = SimpleStore<User>(.protectedFile(at: file))
    store.name = "new"
    let aside = URL(filePath: try #require(store.loadReport.damagedFile))
    #expect(try aside.text == "{\"na")
    #expect(try mode(aside) == 0o600)
  }
}
