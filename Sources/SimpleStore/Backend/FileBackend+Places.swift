import FileSupport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreBackend where Self == FileBackend {
  /// A JSON file (RFC 8259).
  ///
  /// ```swift
  /// let store = SimpleStore<User>(.json(at: URL(filePath: "user.json")))
  /// ```
  ///
  /// - Parameters:
  ///   - url: The file. It need not exist, nor its directory. A symbolic link is followed.
  ///   - durability: What a save that returned survives.
  public static func json(at url: URL, durability: Durability = .consistent) -> FileBackend {
    FileBackend(at: url, format: .json, durability: durability)
  }

  /// A property list file.
  ///
  /// - Parameters:
  ///   - url: The file. It need not exist, nor its directory. A symbolic link is followed.
  ///   - format: The format of a new file. A file that exists keeps the one that it has.
  ///   - durability: What a save that returned survives.
  public static func plist(
    at url: URL, format: PropertyListFormat = .xml, durability: Durability = .consistent
  ) -> FileBackend {
    FileBackend(at: url, format: .propertyList(format), durability: durability)
  }

  /// A JSON file where the platform puts settings.
  ///
  /// That is `$XDG_CONFIG_HOME/APPLICATION/NAME.json`, or `~/.config/APPLICATION/NAME.json`, on
  /// Linux (XDG Base Directory Specification), and `APPLICATION/NAME.json` in Application Support
  /// on Apple platforms.
  ///
  /// - Parameters:
  ///   - name: The file's name without `.json`; no slash.
  ///   - application: The directory; nil is the application's own name: the bundle's identifier,
  ///     or the name of the executable.
  ///   - durability: What a save that returned survives.
  public static func json(
    named name: String, application: String? = nil, durability: Durability = .consistent
  ) -> FileBackend {
    FileBackend(
      named: name, "json", application: application, format: .json, durability: durability)
  }

  /// A property list file where the platform puts settings: as
  /// ``json(named:application:durability:)``, with the name `NAME.plist`.
  ///
  /// - Parameters:
  ///   - name: The file's name without `.plist`; no slash.
  ///   - application: The directory; nil is the application's own name.
  ///   - format: The format of a new file. A file that exists keeps the one that it has.
  ///   - durability: What a save that returned survives.
  public static func plist(
    named name: String, application: String? = nil, format: PropertyListFormat = .xml,
    durability: Durability = .consistent
  ) -> FileBackend {
    FileBackend(
      named: name, "plist", application: application, format: .propertyList(format),
      durability: durability)
  }
}

extension FileBackend {
  /// The file, whether it exists or not; nil when the place is refused. Where the path is a symbolic
  /// link this is the link.
  public var fileURL: URL? {
    refusal == nil
      ? URL(filePath: file.location, directoryHint: .notDirectory).absoluteURL : nil
  }
}

extension FileBackend {
  fileprivate init(at url: URL, format: FileFormat, durability: Durability) {
    if url.isFileURL {
      self.init(
        path: url.path(percentEncoded: false), format: format, durability: durability)
    } else {
      self.init(
        refusing: StoreError(.invalidLocation, .notAFile, path: url.absoluteString),
        format: format)
    }
  }

  fileprivate init(
    named name: String, _ suffix: String, application: String?, format: FileFormat,
    durability: Durability,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    do {
      try ApplicationDirectories.checkName(name)
      let directory = try ApplicationDirectories.settings(
        application: application, environment: environment)
      self.init(
        path: "\(directory)/\(name).\(suffix)", format: format, durability: durability)
    } catch {
      self.init(
        refusing: StoreError(error, .invalidLocation, of: error.path), format: format)
    }
  }
}
