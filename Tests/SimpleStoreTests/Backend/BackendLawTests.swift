import SimpleStore
import TestSupport
import Testing

/// Every backend keeps the laws that are written in the documentation of `StoreBackend`.
struct BackendLawTests {
  private func laws(_ kind: BackendKind) -> BackendLaws {
    let place = kind.place()
    return BackendLaws { place.backend }
  }

  @Test(arguments: BackendKind.allCases)
  func `nothing saved loads as nil, and loading changes nothing`(_ kind: BackendKind) {
    let laws = laws(kind)
    #expect(laws.nothingLoadsAsNil() == [])
    #expect(laws.loadingChangesNothing() == [])
    #expect(laws.nothingLoadsAsNil() == [])
  }

  @Test(arguments: BackendKind.allCases)
  func `what was saved loads equal`(_ kind: BackendKind) {
    #expect(laws(kind).savedLoadsEqual() == [])
  }

  @Test(arguments: BackendKind.allCases)
  func `a save that throws leaves the last document`(_ kind: BackendKind) {
    #expect(laws(kind).failedSaveKeepsTheLast() == [])
  }

  @Test(arguments: BackendKind.allCases)
  func `readers see whole documents while another thread saves`(_ kind: BackendKind) async {
    #expect(await laws(kind).readersSeeWholeDocuments() == [])
  }
}
