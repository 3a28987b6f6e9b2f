import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport

/// A suite of `UserDefaults` that nobody else has, removed with everything beside it when it is
/// released.
final class DefaultsPlace: Sendable {
  let suite: String

  init(_ name: String = "suite") { suite = "SimpleStoreTests-\(UUID().uuidString)-\(name)" }

  deinit {
    for name in names {
      // The next test has another suite, so one that stays harms nobody.
      try? FileManager.default.removeItem(at: Self.folder.appending(path: name))
    }
  }

  static var folder: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return URL(filePath: path) }
    return URL(filePath: environment["HOME"] ?? "/").appending(path: ".config")
  }

  /// The suite's file.
  var file: URL { Self.folder.appending(path: "\(suite).plist") }

  /// The names of the file and of what is beside it.
  var names: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.systemPath)) ?? []
    return all.filter { $0.hasPrefix(suite) || $0.hasPrefix(".\(suite)") }.sorted()
  }

  /// Puts a file there, past everyone.
  func write(_ text: String) throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    try file.write(text)
  }

  /// A fresh view of the suite for plain code.
  var plain: UserDefaults { UserDefaults(suiteName: suite)! }

  /// The file as another reader sees it.
  var stored: [String: Any] {
    get throws {
      let list = try PropertyListSerialization.propertyList(
        from: Data(contentsOf: file), options: [], format: nil)
      return list as? [String: Any] ?? [:]
    }
  }
}

/// The two ways to keep an item in a suite.
enum DefaultsKind: String, CaseIterable, Sendable {
  case oneDictionary, oneDefaultPerKey

  func backend(_ place: DefaultsPlace) -> UserDefaultsBackend {
    switch self {
    case .oneDictionary: .userDefaults(suite: place.suite, key: "user")
    case .oneDefaultPerKey: .userDefaults(suite: place.suite)
    }
  }

  /// What plain code sees of an item.
  func defaults(_ place: DefaultsPlace) -> [String: Any] {
    switch self {
    case .oneDictionary: place.plain.dictionary(forKey: "user") ?? [:]
    case .oneDefaultPerKey: place.plain.dictionaryRepresentation()
    }
  }
}
