import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// The same from outside: another process opens a file and saves, and one of its system calls, or
/// all from there on, go wrong, or are its last.
///
/// Known faults: I16 (killed in a save), I28, I31 (disk full), I36.
@Suite struct OutsideFaultTests {
  private struct Attempt {
    let target: FaultLoopTests.Target
    let kind: BackendKind
    let fault: FaultShim.Fault
    let position: Int
    let fromThereOn: Bool
  }

  @Test(.enabled(if: FaultShim.path != nil, Comment(rawValue: FaultShim.sentence)))
  func `whatever happens to the system calls of a process, the next one finds old or new`() throws {
    var attempts: [Attempt] = []
    for target in FaultLoopTests.Target.allCases {
      for kind in BackendKind.files {
        let count = try callCount(target, kind)
        for fault in FaultShim.Fault.allCases {
          for fromThereOn in fault.canLast ? [false, true] : [false] {
            attempts += (1...count).map {
              Attempt(
                target: target, kind: kind, fault: fault, position: $0, fromThereOn: fromThereOn)
            }
          }
        }
      }
    }
    let all = attempts.count
    if !isExhaustive {
      var random = SplitMix64(seed: UInt64(number("SIMPLESTORE_SEED", default: 1)))
      attempts = Array(
        attempts.shuffled(using: &random).prefix(number("SIMPLESTORE_FAULTS", default: 1500)))
    }

    var report = FaultReport()
    for attempt in attempts {
      report.add(
        target: attempt.target.rawValue,
        fault: "\(attempt.fault)\(attempt.fromThereOn ? ", from there on" : "")",
        position: attempt.position, problems: try run(attempt))
    }
    print(report.text("System calls of another process that go wrong (of \(all) possibilities)"))
    #expect(report.broken.isEmpty, "\(report.broken.prefix(5))")
    #expect(report.runs == attempts.count && report.runs > 500)
  }

  @Test(
    .enabled(if: FaultShim.path != nil, Comment(rawValue: FaultShim.sentence)),
    arguments: isExhaustive ? BackendKind.files : [.json])
  func `killed at any system call, a migration has run not at all or once`(
    _ kind: BackendKind
  ) throws {
    var report = FaultReport()
    for position in 1...(try callCount(.migrating, kind)) {
      for fault in [FaultShim.Fault.kill, .killAfter] {
        let attempt = Attempt(
          target: .migrating, kind: kind, fault: fault, position: position, fromThereOn: false)
        report.add(
          target: attempt.target.rawValue, fault: "\(fault)", position: position,
          problems: try run(attempt))
      }
    }
    #expect(report.broken.isEmpty, "\(report.broken.prefix(5))")
    #expect(report.runs > 20)
  }

  /// Runs the probe on a scene; returns its outcome and the calls that were hit.
  private func probe(
    _ scene: inout FaultLoopTests.Scene, _ what: String, at: String
  ) throws -> (outcome: ChildProcess.Outcome, hit: [String]) {
    let logs = TemporaryFolder()
    var arguments = ["set", scene.opened.systemPath, "name", "new"]
    if scene.target == .migrating { arguments = ["migrate", scene.opened.systemPath, "new"] }
    arguments += ["--durability", "durable"]
    if scene.target == .afterAnother {
      // Another program's save, between opening and saving.
      let other = logs.file("other")
      try scene.saveByOthers()
      try FileManager.default.moveItem(at: scene.file, to: other)
      try scene.kind.put(Settings.document(name: "old", count: 1), into: scene.file)
      scene.file.setMode(0o640)
      arguments += ["--between", other.systemPath]
    }
    let log = logs.file("log")
    let outcome = try Probe.start(
      arguments,
      environment: FaultShim.environment(what, at: at, below: scene.folder.url, log: log),
      folder: logs
    ).wait()
    let hit = (try? log.text) ?? ""  // no file, no hit
    return (outcome, hit.split(separator: "\n").map(String.init))
  }

  private func callCount(_ target: FaultLoopTests.Target, _ kind: BackendKind) throws -> Int {
    var scene = try FaultLoopTests.Scene(target, kind)
    let (outcome, calls) = try probe(&scene, "nothing", at: "1+")
    try #require(outcome.status == 0, "\(outcome)")
    try #require(calls.count > 10)
    return calls.count
  }

  private func run(_ attempt: Attempt) throws -> [String] {
    var scene = try FaultLoopTests.Scene(attempt.target, attempt.kind)
    let (outcome, hit) = try probe(
      &scene, attempt.fault.argument,
      at: "\(attempt.position)\(attempt.fromThereOn ? "+" : "")")

    var problems: [String] = []
    let isKilled = outcome.signal == SIGKILL
    if attempt.fault == .kill || attempt.fault == .killAfter {
      if !isKilled { problems.append("not killed") }
    } else if outcome.status != 0, outcome.status != 1 {
      problems.append("\(outcome)")
    }
    if hit.isEmpty { problems.append("not reached") }
    problems += scene.problems(
      isSaved: isKilled ? nil : outcome.status == 0,
      saysInPlace: outcome.errors.contains("step=syncDirectory"), mayBeNew: false,
      mayLeaveTemporary: isKilled || hit.contains("unlinkat"))

    // And the next save, without faults, saves and clears up.
    let backend = attempt.kind.backend(at: scene.opened)
    let error =
      scene.target == .migrating
      ? failure { () throws(StoreError) in
        try SimpleStore<MigratingSettings>(backend).set(\.name, to: "last")
      }
      : failure { () throws(StoreError) in
        try SimpleStore<Settings>(backend).set(\.name, to: "last")
      }
    if let error { problems.append("the next save: \(error)") }
    let document = try scene.kind.document(in: scene.file)
    if document?["name"] != .string("last") { problems.append("the next save did not save") }
    if scene.target == .migrating, document != scene.expected("last") {
      problems.append("migrated not once: \(String(describing: document))")
    }
    if !scene.strays(mayLeaveTemporary: false).isEmpty { problems.append("left for good") }
    return problems
  }
}
