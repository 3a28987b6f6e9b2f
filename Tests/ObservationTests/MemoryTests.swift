import Foundation
import SimpleStore
import TestSupport
import Testing

/// What goes on for long leaves nothing behind. One at a time: the memory is that of the process.
@Suite(.serialized) struct MemoryTests {
  #if os(Linux)
    /// How many bytes of memory the process has.
    private var residentBytes: Int {
      get throws {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
          .split(separator: " ")
        return (Int(words[1]) ?? 0) * 4096
      }
    }

    /// A million of them take a minute in a debug build; they are run when they are asked for.
    private static let changes =
      ProcessInfo.processInfo.environment["SIMPLESTORE_MILLION"] == "1" ? 1_000_000 : 100_000

    /// Other tests run in the same process, so what is allowed is more than nothing, and less than
    /// what the changes would leave if each were kept (50 MB of a hundred thousand).
    @Test(
      .timeLimit(.minutes(10)),
      .disabled(
        if: Sanitizer.current == .address, "AddressSanitizer keeps what is freed, 256 MB of it"))
    func `a hundred thousand changes, or a million, with a slow reader leave nothing`()
      async throws
    {
      let store = SimpleStore<User>(.memory)
      var reader = store.changes.makeAsyncIterator()
      let observation = store.observe(\.age) { _, _ in }
      for age in 1...1000 { store.age = age }
      let before = try residentBytes
      for age in 1...Self.changes { store.age = age }
      #expect(try residentBytes - before < 25_000_000)
      #expect(await reader.next()?.new.age == Self.changes)
      observation.cancel()
    }
  #endif

  @Test func `ten thousand observers and watches that end are gone`() throws {
    let place = BackendKind.json.place()
    let store = SimpleStore<User>(place.backend)
    final class Canary: Sendable {}
    weak var last: Canary?
    for _ in 0..<10_000 {
      let canary = Canary()
      last = canary
      let observation = store.observe(\.name) { [canary] _, _ in _ = canary }
      let values = store.values(\.name)
      observation.cancel()
      _ = values
    }
    #expect(last == nil)
    #expect(store.observerCount == 0)
    for _ in 0..<1_000 { store.watch().cancel() }
    #if os(Linux)
      // The watch's queue closes the descriptor a little later; other tests may have one open.
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      #expect(descriptors < 500)
    #endif
  }
}
