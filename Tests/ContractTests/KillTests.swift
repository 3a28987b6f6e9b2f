import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// A process saves as fast as it can and is killed at random moments.
///
/// Known faults: I16, I17 (torn writes), I38, I97 (a save that returned was not on disk).
@Suite struct KillTests {
  struct Variant: Sendable, CustomTestStringConvertible {
    let kind: BackendKind
    let durability: String
    var testDescription: String { "\(kind), \(durability)" }

    static let all = BackendKind.files.flatMap { kind in
      ["processCrash", "consistent", "durable"].map { Variant(kind: kind, durability: $0) }
    }
  }

  /// Kills in all variants together.
  static let kills = number("SIMPLESTORE_KILLS", default: 500)

  @Test(arguments: Variant.all)
  func `a killed process leaves every save that it told of, whole, and nothing else`(
    _ variant: Variant
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + variant.kind.suffix)
    var random = SplitMix64(
      seed: UInt64(number("SIMPLESTORE_SEED", default: Int(Date().timeIntervalSince1970))))
    let rounds = (Self.kills + Variant.all.count - 1) / Variant.all.count
    var (acknowledged, inASave, temporaries) = (0, 0, 0)

    for round in 1...rounds {
      let output = TemporaryFolder()
      let probe = try Probe.start(
        ["loop", file.systemPath, "1000000", "--durability", variant.durability],
        folder: output)
      // The moment of the kill is what is random here, whatever the machine's speed: some come
      // before the first save, most after a few.
      let saves = Int.random(in: -2...8, using: &random)
      probe.wait { probe in probe.output.utf8.count { $0 == UInt8(ascii: "\n") } >= saves }
      usleep(UInt32.random(in: 0...8000, using: &random))
      kill(probe.id, SIGKILL)
      let outcome = probe.wait()
      #expect(outcome.signal == SIGKILL, "\(outcome)")

      // The last whole line is the last save that was told of.
      let told = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .last.flatMap { Int($0) }
      let document = try variant.kind.document(in: file)
      let count = document?["count"].flatMap { Int(storeValue: $0) } ?? 0
      let least = told ?? acknowledged
      #expect(count == least || count == least + 1, "round \(round): \(count), told \(least)")
      if let document {
        #expect(document == Settings.document(name: "value \(count)", count: count))
      }
      if count > least { inASave += 1 }
      acknowledged = count

      let names = try folder.allNames
      let name = file.lastPathComponent
      #expect(
        Set(names).subtracting([name, ".\(name).lock", ".\(name).tmp"]) == [], "round \(round)")
      if names.contains(".\(name).tmp") { temporaries += 1 }
    }

    let last = try Probe.run("set", file.systemPath, "note", "last")
    #expect(last.status == 0)
    #expect(try folder.allNames.contains { $0.hasSuffix(".tmp") } == false)
    print(
      "\(variant.testDescription): \(rounds) kills, \(acknowledged) saves, \(inASave) killed between saving and telling, \(temporaries) temporary files left and removed"
    )
  }
}
