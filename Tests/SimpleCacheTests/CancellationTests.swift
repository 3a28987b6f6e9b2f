import CacheTestSupport
import Foundation
import SimpleCache
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A cancelled call ends with `CancellationError`, whatever the code it called made of that: a session
/// says `URLError.cancelled`.
@Suite struct CancellationTests {
  private struct Session: CacheSource {
    func get(_ key: String) async throws -> String? { throw cancelled() }
  }

  @Test func `whatever a cancelled call fails with, it was cancelled`() async {
    let shelf = ShelfLevel(["a": "1"])
    let failing = ClosureTransformer<String, String> { _ in throw cancelled() }
    let events = Collected<CacheEvent<String>>()
    let sources: [(String, AnySource<String, String>)] = [
      ("closure", ClosureSource<String, String> { _ in throw cancelled() }.normalize()),
      ("back", ShelfLevel().compose(Session()).normalize()),
      ("observed", Session().observed { events.add($0) }.normalize()),
      ("value", shelf.transformValues(failing).normalize()),
      ("key", shelf.transformKeys(failing).normalize()),
      ("after", shelf.postProcess { _ in throw cancelled() }.normalize()),
      ("condition", shelf.conditioned { _ in throw cancelled() }.normalize()),
    ]
    for (name, source) in sources {
      let result = await Task { try await source.get("a") }.result
      #expect(throws: CancellationError.self, "\(name)") { try result.get() }
    }
    #expect(events.all.isEmpty)
  }

  @Test func `a write that is cancelled was cancelled`() async {
    let level = MemoryLevel<String, String>().compose(
      ShelfLevel().transformValues(
        TwoWayClosureTransformer(
          transform: { $0 }, inverseTransform: { (_: String) in throw cancelled() })))
    let result = await Task { try await level.set("1", forKey: "a") }.result
    #expect(throws: CancellationError.self) { try result.get() }
  }
}

/// Cancels the task that runs this, and fails as a session does then.
private func cancelled() -> any Error {
  withUnsafeCurrentTask { $0?.cancel() }
  return URLError(.cancelled)
}
