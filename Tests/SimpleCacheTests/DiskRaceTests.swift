import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// What happens in a folder between two system calls of a level.
@Suite struct DiskRaceTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `an entry that is set while a read misses it counts for the limit`() async throws {
    let between = Between()
    var calls = DiskCalls.system
    calls.file.openAt = { directory, name, flags, mode in
      let result = DiskCalls.system.file.openAt(directory, name, flags, mode)
      if result == -ENOENT { between.run() }
      return result
    }
    let level = level(countLimit: 2, calls: calls)
    level["first"] = "1"
    between.next { level["a"] = "set during the miss" }
    #expect(level["a"] == nil)
    for number in 0..<3 {
      level["\(number)"] = "1"
      #expect(try files.count <= 2)
    }
    #expect(level.statistics.errors == 0)
  }
}

/// Something to be done once, in the midst of something else.
private final class Between: Sendable {
  private let body = Guarded<(@Sendable () -> Void)?>(nil)

  func next(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

  func run() {
    let body = self.body.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
  }
}
