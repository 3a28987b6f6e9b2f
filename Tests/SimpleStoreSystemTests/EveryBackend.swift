import Foundation
import SimpleStore
import SimpleStoreSystem
import Synchronization
import TestSupport
import Testing

/// Every kind of backend of both libraries.
enum EveryBackend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, json, xmlPropertyList, binaryPropertyList, userWritten
  case oneDictionary, oneDefaultPerKey, protectedFile
  /// A secret, with a script in place of the service's client.
  case secret
  /// A secret in a real service.
  case secretService

  static let allCases: [EveryBackend] = {
    let everywhere = [
      memory, json, xmlPropertyList, binaryPropertyList, userWritten, oneDictionary,
      oneDefaultPerKey, protectedFile,
    ]
    #if canImport(Darwin)
      return everywhere
    #else
      // What the real one needs, `SecretServiceTests` says when it is skipped.
      return everywhere + [secret] + (SecretSession.isPossible ? [secretService] : [])
    #endif
  }()

  var testDescription: String { rawValue }

  /// Whether it refuses documents of more than some 6,000 bytes.
  var isSmall: Bool { self == .secret || self == .secretService }

  /// A new, empty place, as a function that makes backends on it and keeps it as long.
  func place() throws -> @Sendable () -> any StoreBackend {
    if let kind = BackendKind(rawValue: rawValue) {
      let place = kind.place()
      return { place.backend }
    }
    if let kind = DefaultsKind(rawValue: rawValue) {
      let place = DefaultsPlace()
      return { kind.backend(place) }
    }
    #if !canImport(Darwin)
      let account = UUID().uuidString
      if self == .secret {
        let client = try StandInClient()
        return { client.backend(account: account) }
      }
      if self == .secretService {
        let session = try SecretSession.shared()
        return { session.backend(account: account) }
      }
    #endif
    let folder = TemporaryFolder()
    return { .protectedFile(at: folder.file("private/settings.json"), durability: .processCrash) }
  }
}

extension StoreDocument {
  /// Whether the document is beyond what a small backend holds.
  var isLarge: Bool {
    get throws { try BinaryPropertyListFormat().encode(self).count > 5_900 }
  }
}
