import Foundation
import SimpleStore
import TestSupport
import Testing

/// A value that is there is not written again. (That every value reads back equal is tried together
/// with the backends of SimpleStoreSystem, in `EveryBackendTests`.)
struct SettingAgainTests {
  @Test(arguments: BackendKind.allCases)
  func `setting a value again writes nothing`(_ kind: BackendKind) throws {
    for (name, edit) in EveryType.cases {
      let place = kind.place()
      do { try SimpleStore<EveryType>(place.backend).update { edit(&$0) } }
      let before = try place.stored()
      let fresh = SimpleStore<EveryType>(place.backend)
      let version = try place.version
      try fresh.update { edit(&$0) }
      #expect(try place.version == version, "\(name)")
      #expect(try place.stored() == before, "\(name)")
    }
  }

  @Test func `equivalent texts are different values`() {
    let store = SimpleStore<User>(.memory)
    store.name = "e\u{301}"
    store.name = "\u{e9}"
    #expect(Array(store.name.utf8) == Array("\u{e9}".utf8))
  }
}
