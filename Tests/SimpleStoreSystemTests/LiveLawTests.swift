import Foundation
import SimpleStore
import SimpleStoreSystem
import Synchronization
import TestSupport
import Testing

/// Live stores on the backends of the system keep what live stores keep on files.
struct SystemLiveLawTests {
  @Test(arguments: DefaultsKind.allCases, LiveLaws.all)
  func `a live store in a suite of defaults keeps the laws`(
    _ kind: DefaultsKind, _ law: LiveLaws.Law
  ) async throws {
    let place = DefaultsPlace()
    #expect(try await law.faults(LiveLaws { kind.backend(place) }) == [])
  }

  @Test(arguments: DefaultsKind.allCases)
  func `another default of the suite makes no call`(_ kind: DefaultsKind) throws {
    let place = DefaultsPlace()
    let store = SimpleStore<User>(kind.backend(place))
    store.name = "sky"
    let calls = CallCount()
    let observations = [
      store.observe { _ in calls.add() }, store.observe(\.name) { _, _ in calls.add() },
    ]
    let plain = place.plain
    for number in 0..<20 {
      plain.set(number, forKey: "foreign")
      plain.synchronize()
      try store.reload()
    }
    #expect(calls.count == 0)
    store.age = 1
    #expect(calls.count == 1)
    #expect(place.plain.integer(forKey: "foreign") == 19)
    observations.forEach { $0.cancel() }
  }

  @Test(arguments: LiveLaws.all)
  func `a live store in a file for secrets keeps the laws`(_ law: LiveLaws.Law) async throws {
    let folder = TemporaryFolder()
    #expect(
      try await law.faults(LiveLaws { .protectedFile(at: folder.file("private/a.json")) }) == [])
  }
}

/// How often something was called.
private final class CallCount: Sendable {
  private let value = Atomic(0)
  var count: Int { value.load(ordering: .acquiring) }
  func add() { value.add(1, ordering: .acquiringAndReleasing) }
}
