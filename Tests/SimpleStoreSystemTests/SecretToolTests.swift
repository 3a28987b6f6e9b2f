#if !canImport(Darwin)
  import Foundation
  import SimpleStore
  import SimpleStoreSystem
  import TestSupport
  import Testing

  /// What a client of the Secret Service can answer, tried with a script in its place.
  struct SecretToolTests {
    let folder = TemporaryFolder()

    private func backend(
      _ script: String, timeout: Duration = .seconds(20), account: String = UUID().uuidString
    ) throws -> KeychainBackend {
      // Written by another process: a program that any test starts would inherit a descriptor of
      // this one for an instant, and the system runs no script that is open for writing.
      let written = try ToolRun.run(
        "/bin/sh",
        [
          "-c", "cat >\"$0\" && chmod 755 \"$0\"",
          folder.file("secret-tool").systemPath,
        ],
        input: Array("#!/bin/sh\n\(script)\n".utf8), environment: [:], timeout: .seconds(20))
      try #require(written.status == 0, "\(written.errors)")
      return backend(path: "\(folder.url.systemPath):/usr/bin:/bin", timeout, account)
    }

    private func backend(
      path: String, _ timeout: Duration = .seconds(20), _ account: String = "sky"
    ) -> KeychainBackend {
      var vault = SecretVault(service: "example", account: account, timeout: timeout)
      vault.environment = ["PATH": path, "FOLDER": folder.url.systemPath]
      return KeychainBackend(vault)
    }

    static let answers: [(script: String, code: StoreError.Code?)] = [
      ("exit 1", .unavailable),
      ("case $1 in lookup) exit 1;; esac", nil),
      ("echo 'a library says something' >&2; case $1 in lookup) exit 1;; esac", nil),
      ("case $1 in lookup) exit 1;; esac; echo '[/1]'", .denied),
      (
        "case $1 in lookup) exit 1;; esac; "
          + "echo '[/1]'; echo 'secret-tool: Cannot get secret of a locked object' >&2", .locked
      ),
      (
        "echo 'secret-tool: Cannot autolaunch D-Bus without X11 $DISPLAY' >&2; exit 1",
        .unavailable
      ),
      ("echo 'secret-tool: Prompt was dismissed' >&2; exit 1", .denied),
      (
        "echo 'secret-tool: GDBus.Error:org.freedesktop.DBus.Error.AccessDenied: no' >&2; exit 1",
        .denied
      ),
      ("kill -9 $$", .unavailable),
      ("exec sleep 60", .unavailable),
      ("sleep 60 & exit 3", .unavailable),
      ("exec yes", .unavailable),
    ]

    @Test(arguments: answers.indices)
    func `every answer is told apart, in bounded time`(_ number: Int) throws {
      let (script, code) = Self.answers[number]
      let backend = try backend(script, timeout: .milliseconds(1_500))
      let start = ContinuousClock.now
      let store = SimpleStore<User>(backend)
      switch (store.loadState, code) {
      case (.absent, nil): break
      case (.failed(let error), let code?):
        #expect(error.code == code)
        #expect(error.description.contains("'example'"))
        store.name = "secret"
        #expect(store.saveError?.code == code)
      default: Issue.record("\(script): \(store.loadState)")
      }
      #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test func `without the client, the bus or the service it is unavailable, and never absent`() {
      for path in ["/nonexistent", "", "relative:."] {
        #expect(throws: StoreError.self) { try backend(path: path).load() }
        let store = SimpleStore<User>(backend(path: path))
        guard case .failed(let error) = store.loadState, error.code == .unavailable else {
          Issue.record("\(store.loadState)")
          return
        }
        #expect(error.description.contains("libsecret-tools"))
      }
      guard findProgram("secret-tool") != nil else {
        print("skipped in part: libsecret-tools is not installed")
        return
      }
      for address in ["unix:path=/nonexistent", ""] {
        var vault = SecretVault(service: "example", account: "bus", timeout: .seconds(20))
        vault.environment = ["PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": address]
        let store = SimpleStore<User>(KeychainBackend(vault))
        guard case .failed(let error) = store.loadState, error.code == .unavailable else {
          Issue.record("\(store.loadState)")
          return
        }
      }
    }

    @Test func `the secret goes through standard input only, and to no file`() throws {
      let backend = try backend(
        """
        echo "$@" >>"$FOLDER/arguments"; env >>"$FOLDER/environment"
        case $1 in
          store) cat >"$FOLDER/secret";;
          lookup) [ -e "$FOLDER/secret" ] || exit 1; cat "$FOLDER/secret";;
          clear) rm -f "$FOLDER/secret";;
        esac
        """)
      let store = SimpleStore<User>(backend)
      store.name = "sesame"
      #expect(store.saveError == nil)
      let secret = try folder.file("secret").text
      #expect(secret.hasPrefix("simplestore:1:"))
      for name in ["arguments", "environment"] {
        let text = try folder.file(name).text
        #expect(!text.contains("sesame") && !text.contains(secret.dropFirst(14).prefix(20)))
      }
      #expect(try folder.names == ["arguments", "environment", "secret", "secret-tool"])
      #expect(try folder.file("arguments").text.contains("lookup -- library SimpleStore service"))
      try backend.remove()
      try store.reload()
      #expect(store.name == "")
    }

    @Test func `a client that takes a secret and shows another is an error`() throws {
      let backend = try backend(
        "case $1 in store) cat >/dev/null;; lookup) echo simplestore:1:;; esac")
      let error = #expect(throws: StoreError.self) { try backend.save(["a": .integer(1)]) }
      #expect(error?.code == .unwritable)
    }

    @Test func `a client that does not read the secret ends nobody`() throws {
      let backend = try backend("exec <&-; exit 4")
      let large: StoreDocument = ["a": .data(Data(repeating: 1, count: 5_000))]
      let error = #expect(throws: StoreError.self) { try backend.save(large) }
      #expect(error?.code == .unavailable)
    }

    @Test(arguments: [("", "sky"), ("example", ""), ("exa\0mple", "sky"), ("example", "s\0ky")])
    func `a name that no secret can have is refused`(_ service: String, _ account: String) {
      let store = SimpleStore<User>(.keychain(service: service, account: account))
      guard case .failed(let error) = store.loadState, error.code == .invalidLocation else {
        Issue.record("\(store.loadState)")
        return
      }
    }

    @Test func `no descriptor and no child stays, whatever the client does`() throws {
      let count = {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      // Other tests open files meanwhile; a leak of three or six for each run would stand out.
      let before = try count()
      let backend = try backend("case $1 in lookup) exit 1;; esac")
      for _ in 0..<100 { _ = try backend.load() }
      #expect(try count() < before + 100)
    }

    /// A client that works.
    private static let working = """
      case $1 in
        store) cat >"$FOLDER/secret";;
        lookup) [ -e "$FOLDER/secret" ] || exit 1; cat "$FOLDER/secret";;
      esac
      """

    @Test(arguments: LiveLaws.all)
    func `a live store in a secret keeps the laws`(_ law: LiveLaws.Law) async throws {
      let account = UUID().uuidString
      let backend = try backend(Self.working, account: account)
      #expect(try await law.faults(LiveLaws { backend }) == [])
    }

    @Test(arguments: [
      "sesame", "simplestore:1:?", "simplestore:1:c2VzYW1l", "{\"token\": 1}", "\u{0}",
    ])
    func `a secret that is no document can be removed, and so can the one set aside`(
      _ content: String
    ) throws {
      let client = try StandInClient()
      try client.file(of: "a").write(content)
      #expect(throws: StoreError.self) { try client.backend(account: "a").load() }
      try client.backend(account: "a").remove()
      #expect(try client.accounts == [])

      try client.file(of: "a").write(content)
      let store = SimpleStore<User>(client.backend(account: "a"))
      guard case .damaged = store.loadState else {
        Issue.record("\(store.loadState)")
        return
      }
      store.nickname = nil
      #expect(store.saveError == nil)
      let aside = try #require(try client.accounts.first { $0.hasPrefix("a.damaged-") })
      #expect(store.loadReport.damagedFile?.contains("'\(aside)'") == true)
      #expect(try client.file(of: aside).text == content)
      try client.backend(account: aside).remove()
      #expect(try client.accounts == ["a"])
      try store.set(\.name, to: "b")
      #expect(try client.accounts == ["a"])
    }

    @Test func `stores on one secret share what they know`() throws {
      let script = Self.working
      let first = SimpleStore<User>(try backend(script, account: "shared"))
      let second = SimpleStore<User>(try backend(script, account: "shared"))
      first.age = 3
      #expect(second.age == 3)
    }
  }
#endif
