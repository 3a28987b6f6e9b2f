import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// What a power cut at any moment of a save may leave, worked out from the calls that the save makes.
///
/// Known faults: I17 (renamed before the bytes were on the disk: an empty file).
@Suite struct PowerCutTests {
  enum Target: String, CaseIterable {
    case existing, new, newInNewDirectory, symbolicLink, damaged
  }

  /// A save, and what a power cut after each of its calls may leave.
  private struct Trial {
    let old: [UInt8]?
    let new: [UInt8]
    /// For a cut before the first call, after the first, … and after the last.
    let states: [Set<[UInt8]?>]
    /// Whether the old bytes are then somewhere, under one name or another.
    let isKept: [Bool]
  }

  private func trial(_ target: Target, _ kind: BackendKind, _ durability: Durability) throws
    -> Trial
  {
    let folder = TemporaryFolder()
    let directory = target == .newInNewDirectory ? "one/two/" : ""
    let file = folder.file(directory + "settings." + kind.suffix)
    var opened = file
    switch target {
    case .new, .newInNewDirectory: break
    case .damaged: try Data("<rubbish".utf8).write(to: file)
    case .existing, .symbolicLink: try kind.put(Settings.document(name: "old"), into: file)
    }
    if target == .symbolicLink {
      opened = folder.file("link." + kind.suffix)
      try FileManager.default.createSymbolicLink(
        atPath: opened.systemPath, withDestinationPath: file.lastPathComponent)
    }
    let old = bytes(of: file)
    let recorder = CrashRecorder()
    let store = SimpleStore<Settings>(
      FileBackend(
        path: opened.systemPath, format: kind.fileFormat, durability: durability,
        calls: recorder.calls))
    try store.set(\.name, to: "new")
    let new = try #require(bytes(of: file))

    let operations = recorder.operations
    let root =
      folder.url.systemPath.hasSuffix("/")
      ? String(folder.url.systemPath.dropLast()) : folder.url.systemPath
    let model = CrashStates(
      before: old.map { [file.systemPath: $0] } ?? [:], directories: [root])
    let prefixes = (0...operations.count).map { operations[..<$0] }
    return Trial(
      old: old, new: new,
      states: prefixes.map { model.contents(of: file.systemPath, after: $0) },
      isKept: prefixes.map { prefix in
        model.states(after: prefix).allSatisfy { names in
          names.values.contains { $0 == old.map { [$0] } }
        }
      })
  }

  @Test(arguments: Target.allCases, BackendKind.files)
  func `a power cut leaves old or new`(_ target: Target, _ kind: BackendKind) throws {
    for durability in [Durability.consistent, .durable] {
      let trial = try trial(target, kind, durability)
      #expect(trial.states.count > 4)
      for (position, states) in trial.states.enumerated() {
        #expect(
          states.isSubset(of: [trial.old, trial.new]), "\(durability), after call \(position)")
        if target == .damaged {
          #expect(trial.isKept[position], "\(durability), after call \(position)")
        }
      }
      #expect(trial.states.first == [trial.old])
    }
  }

  @Test(arguments: Target.allCases, BackendKind.files)
  func `a durable save that returned survives a power cut`(
    _ target: Target, _ kind: BackendKind
  ) throws {
    let trial = try trial(target, kind, .durable)
    #expect(trial.states.last == [trial.new])
  }

  @Test(arguments: BackendKind.files)
  func `the model sees what a save without synchronizing risks`(_ kind: BackendKind) throws {
    // So the tests above can fail.
    let trial = try trial(.existing, kind, .processCrash)
    let last = try #require(trial.states.last)
    #expect(last.contains([]))
    #expect(last.contains(Array(repeating: 0, count: trial.new.count)))
    let consistent = try self.trial(.existing, kind, .consistent)
    #expect(consistent.states.last == [consistent.old, consistent.new])
  }
}
