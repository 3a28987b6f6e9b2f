#if !canImport(Darwin)
  import Foundation
  import SimpleStore
  import SimpleStoreSystem
  import TestSupport
  import Testing

  /// Secrets in a real Secret Service.
  @Suite(
    .enabled(
      if: SecretSession.isPossible,
      "a Secret Service of our own needs dbus, gnome-keyring and libsecret-tools"))
  struct SecretServiceTests {
    private func backend(
      _ session: SecretSession, account: String = UUID().uuidString
    ) -> KeychainBackend { session.backend(account: account) }

    @Test func `a secret service keeps the laws of a backend`() async throws {
      let session = try SecretSession()
      let laws = { () -> BackendLaws in
        let account = UUID().uuidString
        return BackendLaws { backend(session, account: account) }
      }
      #expect(laws().nothingLoadsAsNil() == [])
      #expect(laws().loadingChangesNothing() == [])
      #expect(laws().savedLoadsEqual() == [])
      #expect(laws().failedSaveKeepsTheLast() == [])
    }

    @Test func `every value reads back equal, to the byte`() throws {
      let session = try SecretSession()
      for (name, edit) in Everything.edits {
        let account = UUID().uuidString
        var expected = Everything()
        do {
          let store = SimpleStore<Everything>(backend(session, account: account))
          try store.update { edit(&$0) }
          expected = store.item
        }
        let fresh = SimpleStore<Everything>(backend(session, account: account))
        #expect(fresh.loadReport.description == "", "\(name)")
        #expect(fresh.item.storeValue == expected.storeValue, "\(name)")
      }
    }

    @Test func `absent, empty and damaged are three things`() throws {
      let session = try SecretSession()
      let absent = SimpleStore<User>(backend(session))
      guard case .absent = absent.loadState else {
        Issue.record("\(absent.loadState)")
        return
      }

      let empty = backend(session, account: "empty")
      try put("", account: "empty", session)
      let store = SimpleStore<User>(empty)
      guard case .loaded = store.loadState, store.loadReport.wasEmpty else {
        Issue.record("\(store.loadState)")
        return
      }
      store.age = 1
      #expect(SimpleStore<User>(backend(session, account: "empty")).age == 1)
    }

    @Test func `a secret that is no document is damaged, is set aside, and can be removed`() throws
    {
      let session = try SecretSession()
      try put("p w\\n", account: "a", session)
      let store = SimpleStore<User>(backend(session, account: "a"))
      guard case .damaged(let error) = store.loadState, error.code == .damaged else {
        Issue.record("\(store.loadState)")
        return
      }
      store.age = 1
      #expect(store.saveError == nil)
      let aside = try #require(store.loadReport.damagedFile)
      let account = try #require(aside.split(separator: "'").dropFirst().first)
      #expect(account.hasPrefix("a.damaged-"))
      #expect(try look(String(account), session).output == "p w\n")
      #expect(SimpleStore<User>(backend(session, account: "a")).age == 1)

      try put("other", account: "b", session)
      try backend(session, account: "b").remove()
      #expect(try look("b", session).status == 1)
      #expect(try backend(session, account: "b").load() == nil)
      try backend(session, account: "b").remove()
    }

    @Test func `a locked keyring is neither absent nor empty, and nothing is saved`() throws {
      let session = try SecretSession()
      do { SimpleStore<User>(backend(session, account: "a")).name = "secret" }
      try session.lock()
      let store = SimpleStore<User>(backend(session, account: "a"))
      guard case .failed(let error) = store.loadState else {
        Issue.record("\(store.loadState)")
        return
      }
      #expect(error.code == .locked)
      store.name = "changed"
      #expect(store.saveError?.code == .locked)
      let failure = #expect(throws: StoreError.self) {
        try backend(session, account: "new").save(["a": .integer(1)])
      }
      #expect(failure?.code == .locked)
      let removal = #expect(throws: StoreError.self) {
        try backend(session, account: "a").remove()
      }
      #expect(removal?.code == .locked)
    }

    @Test func `names that look like options, and services that end alike, are kept apart`() throws
    {
      let session = try SecretSession()
      for account in ["--all", "-x", "a b", "ü", "e\u{301}", "\u{e9}", "$(x)", "'"] {
        try backend(session, account: account).save([account: .string(account)])
      }
      for account in ["--all", "-x", "a b", "ü", "e\u{301}", "\u{e9}", "$(x)", "'"] {
        #expect(try backend(session, account: account).load() == [account: .string(account)])
      }
    }

    @Test func `a document beyond the client's limit is refused, and the old one stays`() throws {
      let session = try SecretSession()
      let backend = backend(session)
      for size in 5_900..<6_300 where size.isMultiple(of: 50) {
        let document: StoreDocument = ["a": .data(Data(repeating: 7, count: size))]
        let before = try backend.load()
        do throws(StoreError) {
          try backend.save(document)
          #expect(try backend.load() == document)
          #expect(size < 6_150)
        } catch {
          #expect(error.code == .invalidValue)
          #expect(try backend.load() == before)
          #expect(size > 6_050)
        }
      }
    }

    private func put(_ secret: String, account: String, _ session: SecretSession) throws {
      let result = try session.secretTool(
        ["store", "--label=x"] + attributes(account), input: secret)
      try #require(result.status == 0, "\(result.errors)")
    }

    private func look(_ account: String, _ session: SecretSession) throws -> ProgramResult {
      try session.secretTool(["lookup"] + attributes(account))
    }

    private func attributes(_ account: String) -> [String] {
      ["library", "SimpleStore", "service", "simplestore.tests", "account", account]
    }
  }
#endif
