// Not compiled on Linux.

#if canImport(Darwin)
  import Foundation

  extension ApplicationDirectories {
    /// Application Support and Caches of the user, inside the container of a sandboxed application.
    static func base(for purpose: Purpose, environment: [String: String]) -> String? {
      let directory: FileManager.SearchPathDirectory =
        switch purpose {
        case .settings: .applicationSupportDirectory
        case .caches: .cachesDirectory
        }
      return FileManager.default.urls(for: directory, in: .userDomainMask).first?
        .path(percentEncoded: false)
    }

    /// The bundle's identifier, which is how the platform names such directories, else the name of
    /// the executable.
    static func ownName() -> String {
      Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }
  }
#endif
