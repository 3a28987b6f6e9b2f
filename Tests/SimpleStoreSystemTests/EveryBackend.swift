import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// Every kind of backend of both libraries that needs no service to run.
enum EveryBackend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, json, xmlPropertyList, binaryPropertyList, userWritten
  case oneDictionary, oneDefaultPerKey, protectedFile

  var testDescription: String { rawValue }

  /// A new, empty place, as a function that makes backends on it and keeps it as long.
  func place() -> @Sendable () -> any StoreBackend {
    if let kind = BackendKind(rawValue: rawValue) {
      let place = kind.place()
      return { place.backend }
    }
    if let kind = DefaultsKind(rawValue: rawValue) {
      let place = DefaultsPlace()
      return { kind.backend(place) }
    }
    let folder = TemporaryFolder()
    return { .protectedFile(at: folder.file("private/settings.json"), durability: .processCrash) }
  }
}
