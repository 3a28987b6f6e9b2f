#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the platform keeps an application's settings and caches.
///
/// Only paths: nothing is created or looked at here.
package enum ApplicationDirectories {
  enum Purpose { case settings, caches }

  /// The directory for settings: `$XDG_CONFIG_HOME/APPLICATION` or `$HOME/.config/APPLICATION` on
  /// Linux, `Application Support/APPLICATION` on Apple platforms.
  ///
  /// - Parameters:
  ///   - application: The application's name; nil for the name of the bundle or the executable.
  ///   - environment: The environment variables, so that tests need not change the real ones.
  /// - Throws: EINVAL or ENAMETOOLONG for a name that ``checkName(_:)`` refuses, ENOENT in
  ///   `.findHome` when the user has no home.
  package static func settings(
    application: String?, environment: [String: String]
  ) throws(FileError) -> String {
    try directory(.settings, application, environment)
  }

  /// The directory for data that can be fetched again: `$XDG_CACHE_HOME/APPLICATION` or
  /// `$HOME/.cache/APPLICATION` on Linux, `Caches/APPLICATION` on Apple platforms.
  ///
  /// Parameters and errors are those of ``settings(application:environment:)``.
  package static func caches(
    application: String?, environment: [String: String]
  ) throws(FileError) -> String {
    try directory(.caches, application, environment)
  }

  /// Refuses what cannot be the name of one file in a directory: an empty name, `.`, `..`, a name
  /// with `/` or NUL (EINVAL), and more than 255 bytes (ENAMETOOLONG).
  package static func checkName(_ name: String) throws(FileError) {
    // Bytes: to Swift, `/` with a combining accent after it is one character that is not `/`.
    let bytes = name.utf8
    if PathText.meansDirectory(name) || bytes.contains(PathText.slash) || bytes.contains(0) {
      throw FileError(.checkName, path: name, code: EINVAL)
    }
    if bytes.count > SiblingNames.longest {
      throw FileError(.resolvePath, path: name, code: ENAMETOOLONG)
    }
  }

  private static func directory(
    _ purpose: Purpose, _ application: String?, _ environment: [String: String]
  ) throws(FileError) -> String {
    let name = application ?? ownName()
    try checkName(name)
    guard let base = base(for: purpose, environment: environment) else {
      throw FileError(.findHome, path: name, code: ENOENT)
    }
    return PathText.join(base, name)
  }
}
