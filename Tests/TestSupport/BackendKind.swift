import Testing
package import Foundation
package import SimpleStore

/// Every kind of backend, so that one test body runs on all of them.
package enum BackendKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, json, xmlPropertyList, binaryPropertyList, userWritten

  package var testDescription: String { rawValue }

  /// Those that keep a file.
  package static let files: [BackendKind] = [.json, .xmlPropertyList, .binaryPropertyList]

  /// A new, empty place of this kind.
  package func place() -> BackendPlace { BackendPlace(self) }
}

/// A place for a document, of some kind, that is removed when it is released.
package final class BackendPlace: Sendable {
  package let kind: BackendKind
  package let folder = TemporaryFolder()
  private let memory = MemoryBackend()
  private let userWritten = PairsBackend()

  package init(_ kind: BackendKind) { self.kind = kind }

  /// The file, of those that have one.
  package var file: URL {
    folder.file(kind == .json ? "settings.json" : "settings.plist")
  }

  /// A backend on the place; each call makes a new one where the kind has more than one.
  package var backend: any StoreBackend { makeBackend() }

  package func makeBackend(durability: Durability = .processCrash) -> any StoreBackend {
    switch kind {
    case .memory: memory
    case .json, .xmlPropertyList, .binaryPropertyList:
      kind.backend(at: file, durability: durability)
    case .userWritten: userWritten
    }
  }

  /// What is stored, read past every store.
  package func stored() throws -> StoreDocument? {
    let kind = kind
    switch kind {
    case .memory: return try memory.load()
    case .userWritten: return try userWritten.load()
    case .json, .xmlPropertyList, .binaryPropertyList:
      guard FileManager.default.fileExists(atPath: file.systemPath) else { return nil }
      return try kind.format.decode(file.bytes)
    }
  }

  /// Puts a document there, past every store.
  package func put(_ document: StoreDocument) throws {
    switch kind {
    case .memory: try memory.save(document)
    case .userWritten: try userWritten.save(document)
    case .json, .xmlPropertyList, .binaryPropertyList:
      try Data(kind.format.encode(document)).write(to: file)
    }
  }
}

extension BackendKind {
  /// A backend on a file, of those that keep one.
  package func backend(at url: URL, durability: Durability = .processCrash) -> FileBackend {
    switch self {
    case .xmlPropertyList: .plist(at: url, durability: durability)
    case .binaryPropertyList: .plist(at: url, format: .binary, durability: durability)
    default: .json(at: url, durability: durability)
    }
  }

  /// The format of those that keep a file.
  package var format: any DocumentFormat {
    switch self {
    case .xmlPropertyList: XMLPropertyListFormat()
    case .binaryPropertyList: BinaryPropertyListFormat()
    default: JSONFormat()
    }
  }
}

extension BackendPlace {
  /// What tells one state of the file from another: its number and its time of change.
  package var version: [Int] {
    get throws {
      guard BackendKind.files.contains(kind) else { return [] }
      var status = stat()
      guard stat(file.systemPath, &status) == 0 else { return [] }
      return [
        Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
        status.st_ctim.tv_nsec,
      ]
    }
  }
}
