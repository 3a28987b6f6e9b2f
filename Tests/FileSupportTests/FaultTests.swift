import FileSupport
import Foundation
import TestSupport
import Testing

/// Every system call of a save goes wrong once, in every way, and from there on.
@Suite struct FaultTests {
  enum Scenario: String, CaseIterable {
    case firstSave, firstSaveInNewDirectories, replacing, replacingUnsynchronized
    case throughLink, throughDanglingLink, movingAside
  }

  /// What a run had to do with: where the target is, and what must be there.
  private struct Run {
    let sandbox: Sandbox
    let path: String
    let target: String
    let old: [UInt8]?
    let links: Set<String>
  }

  private func prepare(_ scenario: Scenario) throws -> Run {
    let sandbox = try Sandbox()
    let name = "settings.json"
    func oldFile(_ name: String) throws {
      try sandbox.write(name, text, mode: 0o640)
      // Another owner, so that the owner has to be kept too.
      if isRoot, chown(sandbox(name), 1234, 4321) != 0 { throw SystemError(name) }
    }
    switch scenario {
    case .firstSave:
      return Run(sandbox: sandbox, path: sandbox(name), target: name, old: nil, links: [])
    case .firstSaveInNewDirectories:
      let target = "one/two/" + name
      return Run(
        sandbox: sandbox, path: sandbox(target), target: target, old: nil,
        links: ["one", "one/two"])
    case .replacing, .replacingUnsynchronized, .movingAside:
      try oldFile(name)
      return Run(sandbox: sandbox, path: sandbox(name), target: name, old: text, links: [])
    case .throughLink:
      try sandbox.makeDirectory("there")
      try oldFile("there/" + name)
      try sandbox.link("link", to: "there/" + name)
      return Run(
        sandbox: sandbox, path: sandbox("link"), target: "there/" + name, old: text,
        links: ["link", "there"])
    case .throughDanglingLink:
      try sandbox.makeDirectory("there")
      try sandbox.link("link", to: "there/" + name)
      return Run(
        sandbox: sandbox, path: sandbox("link"), target: "there/" + name, old: nil,
        links: ["link", "there"])
    }
  }

  private func perform(_ scenario: Scenario, _ run: Run, _ calls: FileCalls) -> FileError? {
    failure { () throws(FileError) in
      let session = try ManagedFile(path: run.path, calls: calls).beginSave()
      defer { session.end() }
      _ = try session.version()
      if run.old != nil { _ = try session.read(limit: 1000) }
      _ = try session.replace(
        with: newText, sync: scenario == .replacingUnsynchronized ? .none : .fileAndDirectory,
        movingAside: scenario == .movingAside ? "then" : nil)
    }
  }

  @Test(arguments: Scenario.allCases)
  func `whatever call fails, the file is old or new and nothing is left behind`(
    _ scenario: Scenario
  ) throws {
    var count = 0
    for kind in FaultPlan.Kind.all {
      for fromThereOn in kind == .interrupted ? [false] : [false, true] {
        for position in 1...200 {
          let plan = FaultPlan(kind, at: position, fromThereOn: fromThereOn)
          let run = try prepare(scenario)
          let error = perform(scenario, run, plan.calls(on: .system))
          if !plan.wasReached { break }
          try #require(position < 200)
          count += 1
          let what: Comment =
            "\(scenario.rawValue), call \(position) (\(plan.hit.first ?? "")) \(kind), from there on: \(fromThereOn), \(String(describing: error))"
          try check(scenario, run, plan, error, what)
        }
      }
    }
    print("\(scenario.rawValue): \(count) combinations of call and fault")
    #expect(count > 100)
  }

  private func check(
    _ scenario: Scenario, _ run: Run, _ plan: FaultPlan, _ error: FileError?, _ what: Comment
  ) throws {
    let sandbox = run.sandbox
    let found = sandbox.bytes(run.target)
    let aside = run.target + ".damaged-then"
    let removalFailed = plan.hit.contains("unlinkat")

    #expect(found == newText || found == run.old, what)
    if error == nil { #expect(found == newText, what) }
    if scenario == .movingAside { #expect(found == text || sandbox.bytes(aside) == text, what) }

    // Descriptors: none, whatever happened.
    #expect(sandbox.openDescriptors() == [], what)

    // Names: the target and its lock; a temporary file only if it was not let go.
    let directory = (run.target as NSString).deletingLastPathComponent
    let beside = directory.isEmpty ? "" : directory + "/"
    var allowed = run.links.union([run.target, beside + ".settings.json.lock"])
    if scenario == .movingAside { allowed.insert(aside) }
    if removalFailed { allowed.insert(beside + ".settings.json.tmp") }
    #expect(Set(sandbox.listing()).subtracting(allowed) == [], what)
    #expect(sandbox.listing().contains("link") == run.links.contains("link"), what)
    if run.links.contains("link") { #expect(try sandbox.isLink("link"), what) }

    // Mode and owner: those of the old file. Fewer rights only where the system refused to give the
    // file its owner.
    if let found, run.old != nil {
      let mode = try sandbox.mode(run.target)
      let owner = try sandbox.status(run.target)
      if found == newText, plan.hit.contains("fchown") {
        #expect(mode == 0o600 || mode == 0o640, what)
      } else {
        #expect(mode == 0o640, what)
        if isRoot { #expect(owner.st_uid == 1234 && owner.st_gid == 4321, what) }
      }
    } else if found != nil {
      #expect(try sandbox.mode(run.target) == 0o600, what)
    }

    // And the next save, with a system that works again, does.
    let last = Array("the last content".utf8)
    #expect(failure { () throws(FileError) in try save(last, to: run.path) } == nil, what)
    #expect(sandbox.bytes(run.target) == last, what)
    #expect(!sandbox.listing().contains { $0.hasSuffix(".tmp") }, what)
  }
}
