import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// Two processes, one file.
///
/// Known faults: I85 (last one wins, bytes interleave), I86 (hand edit overwritten), I39, I79.
@Suite struct ProcessesTests {
  /// Two processes that run the same command with different words, at once.
  private func both(
    _ first: [String], _ second: [String]
  ) throws -> (ChildProcess.Outcome, ChildProcess.Outcome) {
    let folders = (TemporaryFolder(), TemporaryFolder())
    let one = try Probe.start(first, folder: folders.0)
    let two = try Probe.start(second, folder: folders.1)
    return (one.wait(), two.wait())
  }

  @Test(arguments: BackendKind.files)
  func `two processes that set 500 keys each, ten times, lose none`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    // Under a sanitizer that many take a quarter of an hour, and are no more dangerous than a few.
    let all = isExhaustive || kind == .json && Sanitizer.current == nil
    let (keys, rounds) = all ? (500, 10) : (100, 5)
    let command = { prefix in
      ["keys", file.systemPath, prefix, "\(keys)", "\(rounds)", "--durability", "processCrash"]
    }
    let outcomes = try both(command("a"), command("b"))
    #expect(outcomes.0.status == 0 && outcomes.1.status == 0, "\(outcomes)")
    let document = try #require(try kind.document(in: file))
    let lost = ["a", "b"].flatMap { prefix in
      (0..<keys).map { "\(prefix).\($0)" }.filter { document[$0] != .string("round \(rounds)") }
    }
    #expect(lost == [])
    #expect(document.count == 2 * keys)
  }

  @Test(arguments: BackendKind.files)
  func `two processes of eight threads count to exactly the sum`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let command = [
      "increment", file.systemPath, "8", "250", "--durability", "processCrash",
    ]
    let outcomes = try both(command, command)
    #expect(outcomes.0.status == 0 && outcomes.1.status == 0, "\(outcomes)")
    #expect(try kind.document(in: file)?["count"] == .integer(4000))
  }

  @Test func `a save waits for the batch of another process, and both stay`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    let outputs = (TemporaryFolder(), TemporaryFolder())
    let holder = try Probe.start(["hold", file.systemPath], folder: outputs.0, hasInput: true)
    holder.wait { !$0.output.isEmpty }
    #expect(holder.output == "holding\n")
    let writer = try Probe.start(["set", file.systemPath, "name", "x"], folder: outputs.1)
    // Readers are not kept waiting.
    #expect(SimpleStore<Settings>(.json(at: file)).name == "")
    try holder.finishInput()
    #expect(holder.wait().status == 0)
    #expect(writer.wait().status == 0)
    #expect(
      try BackendKind.json.document(in: file) == Settings.document(name: "x", note: "held"))
  }

  @Test func `a killed holder of the lock keeps nobody waiting`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    let output = TemporaryFolder()
    let holder = try Probe.start(["hold", file.systemPath], folder: output, hasInput: true)
    holder.wait { !$0.output.isEmpty }
    kill(holder.id, SIGKILL)
    #expect(holder.wait().signal == SIGKILL)
    let store = SimpleStore<Settings>(.json(at: file))
    try store.set(\.name, to: "after")
    #expect(try BackendKind.json.document(in: file)?["name"] == .string("after"))
  }

  @Test(arguments: BackendKind.files)
  func `what another process saved meanwhile stays, and is read`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let store = SimpleStore<Settings>(kind.backend(at: file))
    store.name = "mine"
    #expect(try Probe.run("set", file.systemPath, "note", "theirs").status == 0)
    store.count += 1
    #expect(store.note == "theirs")
    #expect(
      try kind.document(in: file) == Settings.document(name: "mine", count: 1, note: "theirs"))
    #expect(try Probe.run("set", file.systemPath, "count", "41").status == 0)
    store.count += 1
    #expect(try kind.document(in: file)?["count"] == .integer(42))
    #expect(try Probe.run("get", file.systemPath, "count").output == "42\n")
  }

  @Test(arguments: BackendKind.files)
  func `an edit by hand stays, and only the key that is set changes`(_ kind: BackendKind) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let store = SimpleStore<Settings>(kind.backend(at: file))
    store.name = "mine"
    var edited = Settings.document(name: "edited", count: 7)
    edited["future"] = .array([.null, .string("é")])
    // In place, as an editor may do: no rename.
    try Data(kind.format.encode(edited)).write(to: file)
    store.note = "x"
    edited["note"] = .string("x")
    #expect(try kind.document(in: file) == edited)
    #expect(store.name == "edited")
    #expect(store.count == 7)
  }
}
