#if !canImport(Darwin)
  import Foundation
  import SimpleStore
  import SimpleStoreSystem
  import TestSupport
  import Testing

  /// What released versions left in a suite, a file for secrets and a secret loads for ever.
  ///
  /// `Fixtures/VERSION/` holds one file for each. They are never changed. For a new version,
  /// `SIMPLESTORE_WRITE_FIXTURES=VERSION swift test --filter FixtureTests` writes a new folder; add it
  /// to `versions`.
  struct FixtureTests {
    static let versions = ["0.1.0"]

    enum Place: String, CaseIterable, Sendable {
      case oneDictionary, oneDefaultPerKey, protectedFile, secret
    }

    private static func file(_ version: String, _ place: Place) -> URL {
      URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures").appending(path: version).appending(path: place.rawValue)
    }

    /// A new place of this kind: the file that it is, and a maker of backends on it.
    private static func make(
      _ place: Place
    ) throws -> (file: URL, backend: @Sendable () -> any StoreBackend) {
      switch place {
      case .oneDictionary, .oneDefaultPerKey:
        let suite = DefaultsPlace()
        let kind = try #require(DefaultsKind(rawValue: place.rawValue))
        return (suite.file, { kind.backend(suite) })
      case .protectedFile:
        let folder = TemporaryFolder()
        let file = folder.file("private/settings.json")
        return (file, { .protectedFile(at: folder.file("private/settings.json")) })
      case .secret:
        let client = try StandInClient()
        return (client.file(of: "sky"), { client.backend(account: "sky") })
      }
    }

    @Test(arguments: versions, Place.allCases)
    func `what a released version left reads as it was`(_ version: String, _ kind: Place) throws {
      let bytes = try Self.file(version, kind).bytes
      let (file, backend) = try Self.make(kind)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: kind == .protectedFile ? [.posixPermissions: 0o700] : [:])
      try Data(bytes).write(to: file)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: file.systemPath)

      let store = SimpleStore<ReleasedItem>(backend())
      #expect(store.item.storeValue == ReleasedItem.saved.storeValue)
      #expect(store.loadReport.wrongTypes == [])
      #expect(store.loadReport.missingKeys == [])
      #expect(store.loadReport.unknownKeys == ["from a later version"])
      #expect(try file.bytes == bytes)

      try store.set(\.int, to: 1)
      #expect(try backend().load()?["from a later version"] == .array([.null, .integer(1)]))
      #expect(SimpleStore<ReleasedItem>(backend()).int == 1)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["SIMPLESTORE_WRITE_FIXTURES"] != nil))
    func `the files of a new version are written`() throws {
      let version = try #require(
        ProcessInfo.processInfo.environment["SIMPLESTORE_WRITE_FIXTURES"])
      for kind in Place.allCases {
        let fixture = Self.file(version, kind)
        try #require(
          !FileManager.default.fileExists(atPath: fixture.systemPath),
          "the files of a released version are never changed")
        let (file, backend) = try Self.make(kind)
        try ReleasedItem.save(to: backend())
        try FileManager.default.createDirectory(
          at: fixture.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: fixture)
      }
    }
  }
#endif
