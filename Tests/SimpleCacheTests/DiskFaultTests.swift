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
    let calls = faulty(plan)
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
      if plan.kind != .lie { #expect(try entries(in: folder) <= 3, "\(plan.hit): \(key)") }
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
    #expect(try entries(in: folder) <= 3, "\(plan.hit)")
  }

  private func entries(in folder: TemporaryFolder) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").systemPath)
      .count { !$0.hasPrefix(".") }
  }

  private func faulty(_ plan: FaultPlan) -> DiskCalls {
    let real = DiskCalls.system
    var calls = real
    calls.file = plan.calls(on: real.file)
    calls.tryLock = { descriptor in plan.run("flock") { real.tryLock(descriptor) } }
    calls.unlock = { descriptor in
      // It is given back whatever is said: a lock that stays would stop the level that starts afterwards.
      let result = real.unlock(descriptor)
      return plan.run("unlock") { result }
    }
    calls.readAt = { descriptor, buffer, count, offset in
      plan.run("pread", lie: nil, half: { real.readAt(descriptor, buffer, count / 2, offset) }) {
        real.readAt(descriptor, buffer, count, offset)
      }
    }
    calls.writeAt = { descriptor, buffer, count, offset in
      plan.run(
        "pwrite", lie: count, half: { real.writeAt(descriptor, buffer, count / 2, offset) }
      ) { real.writeAt(descriptor, buffer, count, offset) }
    }
    calls.list = { directory, names in
      plan.run("readdir", lie: nil) { real.list(directory, &names) }
    }
    return calls
  }
}
