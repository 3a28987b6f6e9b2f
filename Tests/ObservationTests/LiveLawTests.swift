import TestSupport
import Testing

/// What users of other libraries met does not happen here, on any backend.
struct LiveLawTests {
  @Test(arguments: BackendKind.allCases, LiveLaws.all)
  func `a live store keeps the laws`(_ kind: BackendKind, _ law: LiveLaws.Law) async throws {
    let place = kind.place()
    #expect(try await law.faults(LiveLaws { place.backend }) == [])
  }
}
