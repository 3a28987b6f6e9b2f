import FileSupport
import Foundation
import SimpleCache
import TestSupport
import Testing

/// Every system call of a disk level fails once, and from some point on: what is read is right or a
/// miss, also by a level that starts afterwards, and the limits hold.
@Suite struct DiskFaultTests {
  @Test(arguments: FaultPlan.Kind.all)
  func `whatever fails, no value is wrong and the limits hold`(kind: FaultPlan.Kind) throws {
    for fromThereOn in [false, true] {
      var position = 1
      while position < 500 {
        let plan = FaultPlan(kind, at: position, fromThereOn: fromThereOn, isArmed: false)
        try tryOnce(plan)
        if !plan.wasReached { break }
        position += 1
      }
      #expect(position > 20 && position < 500, "\(kind): \(position)")
    }
  }

  private func tryOnce(_ plan: FaultPlan) throws {
    let folder = TemporaryFolder()
    var calls = DiskCalls.system
    calls.file = plan.calls(on: .system)
    let level = DiskLevel<String, String>(
      directory: folder.file("cache"), countLimit: 3, coding: .text, calls: calls)
    var allowed: [String: Set<String?>] = [:]
    for key in ["a", "b", "c"] {
      level[key] = "old \(key)"
      allowed[key] = ["old \(key)", nil]
    }
    plan.isArmed = true
    // With await or without, it is the same code; without it is a plain function.
    for key in ["a", "d", "b", "e"] {
      let read = level[key]
      #expect(allowed[key, default: [nil]].contains(read), "\(plan.hit): \(key) \(read ?? "-")")
      let errors = level.statistics.errors
      level[key] = "new \(key)"
      let isSure = level.statistics.errors == errors && plan.kind != .lie
      // A lie about the rename leaves the old value, and nobody can know.
      allowed[key] =
        isSure ? ["new \(key)", nil] : allowed[key, default: [nil]].union(["new \(key)"])
    }
    let errors = level.statistics.errors
    level["b"] = nil
    if level.statistics.errors == errors, plan.kind != .lie { allowed["b"] = [nil] }
    plan.isArmed = false

    let restarted = DiskLevel<String, String>(
      directory: folder.file("cache"), countLimit: 3, coding: .text)
    for (key, values) in allowed {
      for read in [level[key], restarted[key]] {
        #expect(values.contains(read), "\(plan.hit): \(key) gave \(read ?? "nothing")")
      }
    }
    restarted["z"] = "last"
    #expect(restarted["z"] == "last")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("cache").systemPath)
    #expect(names.count { !$0.hasPrefix(".") } <= 3, "\(plan.hit)")
  }
}
