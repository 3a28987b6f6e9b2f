import CacheTestSupport
import Foundation
import SimpleCache
import TestSupport

/// Tests of the disk level: each has a folder and a time of its own.
protocol DiskSuite {
  var folder: TemporaryFolder { get }
  var time: ManualTime { get }
}

extension DiskSuite {
  /// Another level on the same folder, as another process would have it.
  func level(
    countLimit: Int? = nil, sizeLimit: Int? = nil, expiry: CacheExpiry = .never,
    calls: DiskCalls = .system
  ) -> DiskLevel<String, String> {
    DiskLevel(
      directory: folder.file("cache"), countLimit: countLimit, sizeLimit: sizeLimit,
      expiry: expiry, coding: .text, clock: time.clock, calls: calls)
  }

  /// The names of the files in the folder, but for that in which levels with limits count them.
  var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").systemPath)
        .filter { $0 != ".tally" }.sorted()
    }
  }
}
