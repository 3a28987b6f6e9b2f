#if canImport(Darwin)
  import Foundation
#endif

/// What a new cache folder is marked with where the platform has such marks: it is left out of
/// backups, and its files can be read after the first unlock of the device only.
///
/// Elsewhere nothing: the XDG cache directory is what backup programs leave out.
enum DiskFolderTraits {
  static func apply(to path: String) {
    #if canImport(Darwin)
      var url = URL(filePath: path, directoryHint: .isDirectory)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      // Without the marks the cache works as well; the system has its own rules for Caches.
      try? url.setResourceValues(values)
      #if !os(macOS)
        // As above.
        try? FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: path)
      #endif
    #endif
  }
}
