import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// Files that nobody's store has written, or not to the end.
///
/// Known faults: I02 (crash at every start), I03 and I15 (defaults written over what could be
/// rescued), I07 (empty file), I10, I12, I14, I18 (tail of a longer version).
@Suite struct HostileFileTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let outcome: String
    var testDescription: String { name }
    var url: URL { Self.folder.appending(path: name) }
    var kind: BackendKind { BackendKind.files.first { $0.suffix == url.pathExtension } ?? .json }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpus")

    /// The rows of the table in the folder.
    static let all: [Sample] = {
      let table = (try? folder.appending(path: "README.md").text) ?? ""  // told by the test below
      return table.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 3, cells[0].hasPrefix("`") else { return nil }
        return Sample(name: cells[0].replacing("`", with: ""), outcome: cells[1])
      }
    }()
  }

  @Test func `every file of the corpus is in its table`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Sample.folder.systemPath)
    #expect(Set(names).subtracting(["README.md", "make.py"]) == Set(Sample.all.map(\.name)))
    #expect(Sample.all.count > 60)
  }

  @Test(arguments: Sample.all)
  func `a hostile file is a value, empty or damaged, and no byte of it is lost`(
    _ sample: Sample
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + sample.kind.suffix)
    let content = try sample.url.bytes
    try Data(content).write(to: file)
    file.setMode(0o640)
    let before = try file.status

    // Opened three times, as by three starts of a program: nothing is written.
    for _ in 0..<3 {
      let store = SimpleStore<Settings>(sample.kind.backend(at: file))
      let outcome =
        switch store.loadState {
        case .loaded: store.loadReport.wasEmpty ? "empty" : "loaded"
        case .damaged: "damaged"
        case .failed(let error): "failed: \(error)"
        case .absent: "absent"
        }
      #expect(outcome == sample.outcome, "\(store.loadState)")
      #expect(store.name == (sample.outcome == "loaded" ? "Ann" : ""))
    }
    #expect(try file.bytes == content)
    #expect(try file.status.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    #expect(try folder.allNames == [file.lastPathComponent])

    // Refused: nothing is written either.
    if sample.outcome == "damaged" {
      let refusing = SimpleStore<Settings>(sample.kind.backend(at: file), onDamage: .refuse)
      #expect(
        failure { () throws(StoreError) in try refusing.set(\.name, to: "x") }?.code == .damaged)
      #expect(failure { () throws(StoreError) in try refusing.reload() }?.code == .damaged)
      #expect(try file.bytes == content)
    }

    // Saved over: a valid file, and what was damaged beside it, named in the report.
    let store = SimpleStore<Settings>(sample.kind.backend(at: file))
    try store.set(\.name, to: "Bea")
    #expect(try sample.kind.document(in: file)?["name"] == .string("Bea"))
    let aside = try folder.names.filter { $0.contains(".damaged-") }
    #expect(aside.count == (sample.outcome == "damaged" ? 1 : 0))
    if let name = aside.first {
      #expect(try folder.file(name).bytes == content)
      #expect(store.loadReport.damagedFile == folder.file(name).systemPath)
      #expect(try folder.file(name).mode == 0o640)
    }
  }

  @Test(arguments: BackendKind.files)
  func `however often a file is damaged, all damaged bytes are kept`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let store = SimpleStore<Settings>(kind.backend(at: file))
    store.name = "Ann"
    for round in 0..<12 {
      try file.write("<rubbish \(round)")
      store.count += 1
      #expect(store.saveError == nil)
      #expect(
        try kind.document(in: file) == Settings.document(name: "Ann", count: round + 1))
    }
    let kept = try folder.names.filter { $0.contains(".damaged-") }.map {
      try folder.file($0).text
    }
    #expect(Set(kept) == Set((0..<12).map { "<rubbish \($0)" }))
  }

  @Test(arguments: BackendKind.files)
  func `a damaged file that cannot be moved aside is not saved over`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    try file.write("<rubbish")
    var calls = FileCalls.system
    calls.linkAt = { _, _, _ in -EACCES }
    let store = SimpleStore<Settings>(
      FileBackend(
        path: file.systemPath, format: kind.fileFormat, durability: .durable, calls: calls))
    let error = failure { () throws(StoreError) in try store.set(\.name, to: "x") }
    #expect(error?.code == .unwritable)
    #expect(error?.systemError == EACCES)
    #expect(store.name == "")
    #expect(try file.text == "<rubbish")
    #expect(try folder.names == [file.lastPathComponent])
  }

  @Test(arguments: [1_000_000, 129])
  func `deep nesting is an error, fast, in every format`(_ depth: Int) throws {
    let texts: [(BackendKind, String)] = [
      (.json, String(repeating: "[", count: depth)),
      (.json, "{\"a\":" + String(repeating: "{\"a\":", count: depth)),
      (.xmlPropertyList, "<plist><dict><key>a</key>" + String(repeating: "<array>", count: depth)),
      (
        .xmlPropertyList,
        "<plist>" + String(repeating: "<dict><key>a</key>", count: depth)
      ),
    ]
    for (kind, text) in texts {
      let folder = TemporaryFolder()
      let file = folder.file("settings." + kind.suffix)
      try file.write(text)
      let outcome = try Probe.run("get", file.systemPath, "name")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("code=damaged"), "\(outcome)")
    }
  }

  @Test(arguments: BackendKind.files)
  func `a value nested too deep fails its call, and every other key still saves`(
    _ kind: BackendKind
  ) throws {
    struct Deep: StoreItem {
      @StoreParam(key: "name", default: "") var name
      @StoreParam(key: "value", default: Nested(depth: 0)) var value
    }
    struct Nested: StoreConvertible {
      let depth: Int
      init(depth: Int) { self.depth = depth }
      init?(storeValue: StoreValue) { self.init(depth: 0) }
      var storeValue: StoreValue {
        (0..<depth).reduce(.integer(1)) { value, _ in .array([value]) }
      }
    }
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let store = SimpleStore<Deep>(kind.backend(at: file))
    let error = failure { () throws(StoreError) in
      try store.set(\.value, to: Nested(depth: 1000))
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.key == "value")
    try store.set(\.name, to: "Ann")
    #expect(try kind.document(in: file)?["name"] == .string("Ann"))
  }

  @Test(arguments: BackendKind.files)
  func `a file of three gigabytes is refused without being read`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    try file.write("")
    try #require(truncate(file.systemPath, 3 << 30) == 0)
    let store = SimpleStore<Settings>(kind.backend(at: file))
    guard case .failed(let error) = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    #expect(error.code == .unreadable)
    #expect(failure { () throws(StoreError) in try store.set(\.name, to: "x") } != nil)
    #expect(try file.status.st_size == 3 << 30)
    #expect(try folder.names == [file.lastPathComponent])
  }

  /// Every truncation, and changes of every byte: each bit, and some others by seed; all 255 when
  /// everything is tried.
  @Test(arguments: BackendKind.files)
  func `any change to a file gives a value or an error, and its bytes are kept`(
    _ kind: BackendKind
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let document: StoreDocument = ["name": .string("Ann"), "count": .integer(7)]
    let good = try kind.format.encode(document)
    var random = SplitMix64(seed: 1)
    var (runs, damaged) = (0, 0)
    for content in Mutations(of: good) {
      if !isExhaustive, content.count == good.count {
        let difference = zip(content, good).map { $0 ^ $1 }.first { $0 != 0 } ?? 0
        if difference.nonzeroBitCount != 1, Int.random(in: 0..<40, using: &random) != 0 { continue }
      }
      runs += 1
      try Data(content).write(to: file)
      let store = SimpleStore<Settings>(kind.backend(at: file))
      let text = "\(content)"
      #expect(try file.bytes == content, "\(text)")
      try store.set(\.note, to: "x")
      let saved = try kind.document(in: file)
      #expect(saved?["note"] == .string("x"), "\(text)")
      let aside = try folder.names.filter { $0.contains(".damaged-") }
      if case .damaged = store.loadState {
        damaged += 1
        let kept = try aside.map { try folder.file($0).bytes }
        #expect(kept == [content], "\(text)")
      } else {
        #expect(aside == [], "\(text)")
        let format = kind.fileFormat.format(of: content)
        let read = content.isEmpty ? StoreDocument() : try format.decode(content)
        for (key, value) in read where key != "note" {
          #expect(saved?[key] == value, "\(text)")
        }
      }
      for name in aside { try FileManager.default.removeItem(at: folder.file(name)) }
    }
    print("\(kind): \(runs) changed files of \(good.count) bytes, \(damaged) damaged, none lost")
  }
}
