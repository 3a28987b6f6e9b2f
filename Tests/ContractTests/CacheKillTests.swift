import Foundation
import SimpleCache
import TestSupport
import Testing

/// Processes fill one cache folder as fast as they can and are killed at random moments.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["SIMPLESTORE_CACHE_KILLS"] == "1",
    "set SIMPLESTORE_CACHE_KILLS=1: in a release build a child was seen to run without end"))
struct CacheKillTests {
  private static let rounds = number("SIMPLESTORE_KILLS", default: 500) / 5

  @Test(arguments: [1, 2])
  func `killed processes leave no wrong value, and the limits hold after every start`(
    processes: Int
  ) async throws {
    let folder = TemporaryFolder()
    let cache = folder.file("cache")
    var leftovers = 0
    for round in 1...(Self.rounds / processes) {
      let output = (0..<processes).map { _ in TemporaryFolder() }
      let probes = try output.map { output in
        try Probe.start(["cache", cache.systemPath, "40", "50000"], folder: output.url)
      }
      let lines = Int.random(in: 0...6)
      for probe in probes {
        probe.wait { $0.output.utf8.count { $0 == UInt8(ascii: "\n") } >= lines }
      }
      usleep(UInt32.random(in: 0...3_000))
      for probe in probes { kill(probe.id, SIGKILL) }
      for probe in probes {
        let outcome = probe.wait()
        #expect(outcome.signal == SIGKILL, "round \(round): \(outcome)")
      }
      guard FileManager.default.fileExists(atPath: cache.systemPath) else { continue }
      let names = { try FileManager.default.contentsOfDirectory(atPath: cache.systemPath) }
      leftovers += try names().count { $0.hasPrefix(".tmp") }
      // A single process never passes its limits; two know of each other after five seconds.
      if processes == 1 { #expect(try names().count { !$0.hasPrefix(".") } <= 40) }

      let level = DiskLevel<String, Data>(directory: cache, countLimit: 40, sizeLimit: 50_000)
      let keys = try await level.keys
      #expect(keys.count <= 40)
      #expect(try await level.sizeInBytes <= 50_000)
      #expect(try names().count == keys.count, "round \(round)")
      for key in keys {
        let value = try await level.get(key)
        #expect(value?.starts(with: Data("\(key):".utf8)) == true, "round \(round): \(key)")
      }
    }
    #expect(try folder.allNames == ["cache"])
    print("\(processes) processes: \(leftovers) files on their way were left and removed")
  }
}
