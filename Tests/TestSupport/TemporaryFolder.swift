package import Foundation

/// A new folder that is removed, with all that is in it, when it is released.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init(function: String = #function) {
    url = FileManager.default.temporaryDirectory.appending(
      path: "SimpleStoreTests-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      fatalError("cannot make the folder of a test: \(error)")
    }
  }

  deinit {
    // A test may have taken the permission to remove it; the system clears its temporary files.
    try? FileManager.default.removeItem(at: url)
  }

  package func file(_ name: String) -> URL { url.appending(path: name) }

  /// The names of what is in it, sorted, lock files left out.
  package var names: [String] {
    get throws { try allNames.filter { !($0.hasPrefix(".") && $0.hasSuffix(".lock")) } }
  }

  /// The names of everything in it, sorted.
  package var allNames: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).sorted()
    }
  }
}

extension URL {
  /// The path as the system spells it.
  package var systemPath: String { path(percentEncoded: false) }

  /// The bytes of the file.
  package var bytes: [UInt8] { get throws { Array(try Data(contentsOf: self)) } }

  /// The file as text.
  package var text: String { get throws { String(decoding: try bytes, as: UTF8.self) } }

  package func write(_ text: String) throws { try Data(text.utf8).write(to: self) }
}
