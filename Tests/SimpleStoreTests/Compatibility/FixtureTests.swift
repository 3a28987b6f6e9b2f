import Foundation
import SimpleStore
import TestSupport
import Testing

/// Files that released versions wrote load for ever.
///
/// `Fixtures/VERSION/` holds one file of each format, and one of each backend of SimpleStoreSystem is
/// in the folder of its tests. They are never changed. For a new version,
/// `SIMPLESTORE_WRITE_FIXTURES=VERSION swift test --filter FixtureTests` writes a new folder; add it
/// to `versions`.
struct FixtureTests {
  static let versions = ["0.1.0"]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures").standardizedFileURL

  static func file(_ version: String, _ kind: BackendKind) -> URL {
    folder.appending(path: version)
      .appending(path: kind.rawValue + (kind == .json ? ".json" : ".plist"))
  }

  @Test(arguments: versions, BackendKind.files)
  func `a file that a released version wrote reads as it was`(
    _ version: String, _ kind: BackendKind
  ) throws {
    let file = Self.file(version, kind)
    let before = try file.bytes
    let store = SimpleStore<ReleasedItem>(kind.backend(at: file))
    #expect(store.item.storeValue == ReleasedItem.saved.storeValue)
    #expect(store.loadReport.wrongTypes == [])
    #expect(store.loadReport.missingKeys == [])
    #expect(store.loadReport.unknownKeys == ["from a later version"])
    #expect(try file.bytes == before)

    // A copy of it is changed, and keeps what this version does not know.
    let place = kind.place()
    try Data(before).write(to: place.file)
    let copy = SimpleStore<ReleasedItem>(place.backend)
    try copy.set(\.int, to: 1)
    #expect(try place.stored()?["from a later version"] == .array([.null, .integer(1)]))
    #expect(SimpleStore<ReleasedItem>(place.backend).int == 1)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SIMPLESTORE_WRITE_FIXTURES"] != nil))
  func `the files of a new version are written`() throws {
    let version = try #require(
      ProcessInfo.processInfo.environment["SIMPLESTORE_WRITE_FIXTURES"])
    for kind in BackendKind.files {
      let file = Self.file(version, kind)
      try #require(
        !FileManager.default.fileExists(atPath: file.systemPath),
        "the files of a released version are never changed")
      let place = kind.place()
      try ReleasedItem.save(to: place.backend)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(place.file.bytes).write(to: file)
    }
  }
}
