import FileSupport
import Foundation
import SimpleStore
import TestSupport

/// The item of these tests, with the keys of the probe's.
struct Settings: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "count", default: 0) var count
  @StoreParam(key: "note", default: "") var note

  static func document(name: String, count: Int = 0, note: String = "") -> StoreDocument {
    ["name": .string(name), "count": .integer(Int64(count)), "note": .string(note)]
  }
}

/// What the items of these tests have in common.
protocol NamedItem: StoreItem {
  var name: String { get set }
}
extension Settings: NamedItem {}

/// The item of a later version, with the keys and migrations of the probe's. The second must not
/// run twice.
struct MigratingSettings: NamedItem {
  @StoreParam(key: "count", default: 0) var count
  @StoreParam(key: "note", default: "") var note
  @StoreParam(key: "name", default: "") var name

  static let migrations = [
    StoreMigration("the title is the name") { document in
      document["name"] = document["title"]
      document["title"] = nil
    },
    StoreMigration("twice the count") { document in
      guard case .integer(let count)? = document["count"] else { return }
      document["count"] = .integer(count * 2)
    },
  ]

  static let old: StoreDocument = [
    "count": .integer(21), "title": .string("old"), "note": .string(""),
  ]

  static func migrated(name: String) -> StoreDocument {
    [
      "count": .integer(42), "note": .string(""), "name": .string(name),
      "$migrations": .array(migrations.map { .string($0.name) }),
    ]
  }
}

/// Whether everything is tried, not a sample: for hours by hand, not for every change.
let isExhaustive = ProcessInfo.processInfo.environment["SIMPLESTORE_EXHAUSTIVE"] == "1"

/// A number from the environment.
func number(_ variable: String, default defaultValue: Int) -> Int {
  ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? defaultValue
}

extension BackendKind {
  /// What the probe recognizes the format by.
  var suffix: String {
    switch self {
    case .binaryPropertyList: "bplist"
    case .xmlPropertyList: "plist"
    default: "json"
    }
  }

  var fileFormat: FileFormat {
    switch self {
    case .xmlPropertyList: .propertyList(.xml)
    case .binaryPropertyList: .propertyList(.binary)
    default: .json
    }
  }

  /// What is in a file, read past every store; nil when there is no file.
  func document(in url: URL) throws -> StoreDocument? {
    guard let bytes = bytes(of: url) else { return nil }
    return try format.decode(bytes)
  }

  /// Puts a document into a file as other programs do: beside it, then renamed.
  func put(_ document: StoreDocument, into url: URL) throws {
    try Data(format.encode(document)).write(to: url, options: .atomic)
  }
}

/// The bytes of a file; nil when there is none.
func bytes(of url: URL) -> [UInt8]? {
  FileManager.default.contents(atPath: url.systemPath).map { Array($0) }
}

extension TemporaryFolder {
  /// Open descriptors of this process that lead into the folder; others belong to other tests.
  /// Empty where there is no `/proc`.
  var openDescriptors: [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    // The listing's own descriptor is gone by now, hence try?.
    return descriptors.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(url.systemPath) }
  }

  /// All names, those in folders too, sorted.
  var tree: [String] {
    (FileManager.default.subpaths(atPath: url.systemPath) ?? []).sorted()
  }
}

extension URL {
  /// What `lstat` says.
  var status: stat {
    get throws {
      var result = stat()
      guard lstat(systemPath, &result) == 0 else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: systemPath])
      }
      return result
    }
  }

  var mode: UInt32 { get throws { UInt32(try status.st_mode) & 0o7777 } }

  func setMode(_ mode: UInt32) { _ = chmod(systemPath, mode_t(truncatingIfNeeded: mode)) }
}

/// What a call throws.
func failure(_ body: () throws(StoreError) -> Void) -> StoreError? {
  do throws(StoreError) {
    try body()
    return nil
  } catch {
    return error
  }
}
