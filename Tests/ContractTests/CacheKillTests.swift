import Foundation
import SimpleCache
import TestSupport
import Testing

/// Processes fill one cache folder as fast as they can and are killed at random moments.
@Suite struct CacheKillTests {
  /// Kills of each case; `SIMPLESTORE_CACHE_KILLS=1000` for that many.
  private static let kills = number("SIMPLESTORE_CACHE_KILLS", default: 30)

  @Test(arguments: [1, 2, 3])
  func `killed processes leave no wrong value, and the limits hold after every start`(
    processes: Int
  ) async throws {
    let folder = TemporaryFolder()
    let cache = folder.file("cache")
    var leftovers = 0
    for round in 1...max(1, Self.kills / processes) {
      let probes = try (0..<processes).map { _ in
        try Probe.start(
          ["cache", cache.systemPath, "40", "50000"], folder: TemporaryFolder(), hasInput: true)
      }
      let lines = Int.random(in: 0...6)
      for probe in probes {
        let isInTime = probe.wait { $0.output.utf8.count { $0 == UInt8(ascii: "\n") } >= lines }
        #expect(isInTime, "round \(round): \(lines) lines were waited for")
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
      #expect(try names().count { !$0.hasPrefix(".") } <= 40, "round \(round)")
      #expect(try size(ofValuesIn: cache) <= 50_000, "round \(round)")

      let level = DiskLevel<String, Data>(directory: cache, countLimit: 40, sizeLimit: 50_000)
      let keys = try await level.keys
      #expect(keys.count <= 40)
      #expect(try await level.sizeInBytes <= 50_000)
      #expect(try names().count { $0 != ".tally" } == keys.count, "round \(round)")
      for key in keys {
        let value = try await level.get(key)
        #expect(value?.starts(with: Data("\(key):".utf8)) == true, "round \(round): \(key)")
      }
    }
    #expect(try folder.allNames == ["cache"])
    print("\(processes) processes: \(leftovers) files on their way were left and removed")
  }

  /// By the files alone: each has a header of 48 bytes, which says at 12 how long the key behind it is.
  private func size(ofValuesIn folder: URL) throws -> Int {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { !$0.lastPathComponent.hasPrefix(".") }
      .reduce(0) { sum, file in
        let bytes = try Data(contentsOf: file)
        let keyLength = bytes[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
        return sum + bytes.count - 48 - keyLength
      }
  }

  @Test func `a process that fills a cache ends with whoever started it`() throws {
    let folder = TemporaryFolder()
    let probe = try Probe.start(
      ["cache", folder.file("cache").systemPath, "40", "50000"], folder: TemporaryFolder(),
      hasInput: true)
    #expect(probe.wait { $0.output.contains("\n") })
    // What the end of a process does to the input of those it started.
    try probe.finishInput()
    #expect(probe.wait { _ in false })
    kill(probe.id, SIGKILL)
    #expect(probe.wait().status == 0)
  }
}
