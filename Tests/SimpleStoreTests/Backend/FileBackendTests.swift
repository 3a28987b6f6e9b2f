import Foundation
import SimpleStore
import TestSupport
import Testing

/// Files as the store leaves and finds them.
struct FileBackendTests {
  @Test(arguments: BackendKind.files)
  func `opening and reading leave bytes, times and the folder as they were`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["name": .string("Ann"), "age": .string("bad"), "more": .bool(true)])
    let before = (try place.version, try place.file.bytes, try place.folder.allNames)
    do {
      let store = SimpleStore<User>(place.backend)
      _ = (store.name, store.item, store.loadReport, store.loadState)
      try store.reload()
      store.name = "Ann"
    }
    #expect(try place.version == before.0)
    #expect(try place.file.bytes == before.1)
    #expect(try place.folder.allNames == before.2)
  }

  @Test(arguments: BackendKind.files, ["", " \n\t\r\n"])
  func `a blank file holds nothing to lose, and is written over`(
    _ kind: BackendKind, _ content: String
  ) throws {
    let place = kind.place()
    try place.file.write(content)
    let store = SimpleStore<User>(place.backend)
    guard case .loaded = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(store.loadReport.wasEmpty)
    store.age = 1
    #expect(try place.stored()?["age"] == .integer(1))
    #expect(try place.folder.names == [place.file.lastPathComponent])
  }

  @Test(arguments: BackendKind.files, ["hello", "{\"name\": \"An", "[1]", "<plist>", "bplist00"])
  func `damaged bytes survive, however often the file is opened`(
    _ kind: BackendKind, _ content: String
  ) throws {
    let place = kind.place()
    try place.file.write(content)
    for _ in 0..<3 {
      let store = SimpleStore<User>(place.backend)
      guard case .damaged(let error) = store.loadState, error.code == .damaged else {
        Issue.record("\(store.loadState)")
        return
      }
      #expect(error.path == place.file.systemPath)
      #expect(try place.file.text == content)
    }
    let refusing = SimpleStore<User>(place.backend, onDamage: .refuse)
    refusing.age = 1
    #expect(refusing.saveError?.code == .damaged)
    #expect(try place.file.text == content)

    let store = SimpleStore<User>(place.backend)
    store.age = 1
    #expect(store.saveError == nil)
    let kept = try #require(store.loadReport.damagedFile)
    #expect(try URL(filePath: kept).text == content)
    #expect(try place.stored()?["age"] == .integer(1))
    store.age = 2
    #expect(try place.folder.names.count == 2)
  }

  @Test func `a binary property list stays binary, a new one is what was asked for`() throws {
    let place = BackendKind.binaryPropertyList.place()
    do { SimpleStore<User>(place.backend).age = 1 }
    #expect(try place.file.bytes.starts(with: "bplist00".utf8))
    SimpleStore<User>(.plist(at: place.file)).age = 2
    #expect(try place.file.bytes.starts(with: "bplist00".utf8))
    #expect(try place.stored()?["age"] == .integer(2))
  }

  @Test func `missing directories are made for their owner only, and so is the file`() throws {
    let folder = TemporaryFolder()
    let url = folder.file("new/a/b/settings.json")
    SimpleStore<User>(.json(at: url)).name = "sky"
    let mode = { (path: String) in
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(url.systemPath) == 0o600)
    #expect(try mode(folder.file("new").systemPath) == 0o700)
  }

  @Test(arguments: [Durability.processCrash, .consistent, .durable])
  func `every durability saves`(_ durability: Durability) throws {
    let place = BackendKind.json.place()
    let store = SimpleStore<User>(place.makeBackend(durability: durability))
    store.age = 1
    store.age = 2
    #expect(store.saveError == nil)
    #expect(try place.stored()?["age"] == .integer(2))
  }

  @Test func `a directory in place of the file is an error, never empty`() throws {
    let folder = TemporaryFolder()
    let store = SimpleStore<User>(.json(at: folder.url))
    guard case .failed(let error) = store.loadState, error.code == .unreadable else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.description.contains("it is a directory"))
    store.age = 1
    #expect(store.saveError?.code == .unreadable)
    #expect(store.age == 0)
  }

  @Test(arguments: BackendKind.files, ["a circle of links", "a file above it"])
  func `what kept the path from being followed can be put right while the store is open`(
    _ kind: BackendKind, _ fault: String
  ) throws {
    let folder = TemporaryFolder()
    let directory = folder.file("there")
    let url = folder.file("there/settings")
    if fault == "a file above it" {
      try directory.write("")
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: directory.systemPath, withDestinationPath: "there")
    }
    let store = SimpleStore<User>(kind.backend(at: url))
    let second = SimpleStore<User>(kind.backend(at: url))
    guard case .failed(let error) = store.loadState, error.code == .unreadable else {
      Issue.record("\(store.loadState)")
      return
    }
    store.age = 1
    #expect(store.saveError?.code == .unreadable)
    #expect(throws: StoreError.self) { try store.reload() }

    try FileManager.default.removeItem(at: directory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    try Data(kind.format.encode(["name": .string("Ann")])).write(to: url)
    store.age = 2
    #expect(store.saveError?.code == .unreadable)
    try store.reload()
    #expect(store.name == "Ann")
    store.age = 3
    #expect(store.saveError == nil)
    let third = SimpleStore<User>(kind.backend(at: url))
    #expect(third.age == 3)
    third.age = 4
    #expect(store.age == 4 && second.age == 4)
  }

  @Test(arguments: ["", ".", "..", "a/b", "/etc/x", "a\0b", "../../x"])
  func `a name that is no file name is refused`(_ name: String) {
    for backend in [FileBackend.json(named: name), .plist(named: name)] {
      let store = SimpleStore<User>(backend)
      guard case .failed(let error) = store.loadState, error.code == .invalidLocation else {
        Issue.record("\(store.loadState)")
        return
      }
      #expect(error.localizedDescription == error.description)
      store.age = 1
      #expect(store.saveError?.code == .invalidLocation)
    }
  }

  @Test func `the URL of a relative path is that of the directory it counted from`() async {
    await #expect(processExitsWith: .success) {
      let backend = FileBackend(path: "settings.json", format: .json, durability: .consistent)
      let before = backend.fileURL
      try #require(chdir("/") == 0)
      #expect(before != nil && backend.fileURL == before)
      #expect(backend.fileURL?.path(percentEncoded: false) != "/settings.json")
    }
  }

  @Test func `a URL that is no file is refused`() throws {
    let url = try #require(URL(string: "https://example.test/user.json"))
    let store = SimpleStore<User>(.json(at: url))
    guard case .failed(let error) = store.loadState, error.code == .invalidLocation else {
      Issue.record("\(store.loadState)")
      return
    }
  }
}
