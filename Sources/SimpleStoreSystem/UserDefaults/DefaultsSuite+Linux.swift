#if !canImport(Darwin)
  import FileSupport
  import Foundation
  import SimpleStore

  /// One suite of `UserDefaults` as Foundation keeps it on Linux: a property list file.
  ///
  /// Why the file is not written by Foundation (`CFXMLPreferencesDomain.c` of
  /// swift-corelibs-foundation): `synchronize()` empties the file and then writes it, takes no lock,
  /// takes an unreadable or damaged file for an empty one, writes -0.0 as 0 and control characters
  /// as they are, and says true. Why that is right beside plain code: a suite without unsaved
  /// changes forgets what it has read when it is told to synchronize, and one with such changes
  /// reads the file again and puts only those keys into it.
  final class DefaultsSuite: Sendable {
    /// Where the suite's file is.
    let name: String
    private let suite: String
    private let file: FileBackend
    /// Held while the file is read or changed, and never while a store is locked or user code runs:
    /// stores on two keys may be used one inside an edit of the other, and meanwhile by another
    /// thread. Recursive, since a change reads first.
    private let turns = NSRecursiveLock()

    private init(suite: String, path: String) {
      self.suite = suite
      name = path
      file = FileBackend(path: path, format: .defaults, durability: .consistent)
    }

    private static let suites = PlaceRegistry<DefaultsSuite>()
    /// For a backend that refuses everything.
    static let unusable = DefaultsSuite(suite: "", path: "/dev/null")

    /// The suite of a name that has been checked.
    static func named(
      _ suite: String, environment: [String: String]
    ) throws(StoreError) -> DefaultsSuite {
      let path = try path(of: suite, environment: environment)
      return suites.place(named: [path]) { DefaultsSuite(suite: suite, path: path) }
    }

    /// Where Foundation keeps a suite: as the XDG Base Directory Specification says, except that
    /// without `HOME` it does not ask the user database.
    static func path(
      of suite: String, environment: [String: String]
    ) throws(StoreError) -> String {
      if let folder = environment["XDG_CONFIG_HOME"], folder.utf8.first == UInt8(ascii: "/") {
        return "\(folder)/\(suite).plist"
      }
      guard let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") else {
        throw StoreError(
          .invalidLocation,
          """
          '\(suite)' cannot be the place of a store: HOME does not name a folder, so UserDefaults \
          has no place of its own. Set HOME or XDG_CONFIG_HOME.
          """, path: suite)
      }
      return "\(home)/.config/\(suite).plist"
    }

    /// The environment that the process was started with: Foundation keeps that (`__CFgetenv`), and
    /// does not see what `setenv` changes later.
    static let startEnvironment: [String: String] = {
      // `try?`, and right: where /proc is not mounted, the environment of now is the best guess.
      guard let content = try? Data(contentsOf: URL(filePath: "/proc/self/environ")) else {
        return ProcessInfo.processInfo.environment
      }
      var environment: [String: String] = [:]
      for entry in content.split(separator: 0) {
        let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard parts.count == 2 else { continue }
        environment[String(decoding: parts[0], as: UTF8.self)] = String(
          decoding: parts[1], as: UTF8.self)
      }
      return environment
    }()

    // MARK: Reading

    /// The suite's defaults; nil when it has no file.
    func load() throws(StoreError) -> StoreDocument? {
      turns.lock()
      defer { turns.unlock() }
      // First this: if plain code has unsaved changes, Foundation would write over a file that it
      // cannot read.
      _ = try read()
      exchangeWithPlainCode()
      return try read()
    }

    private func read() throws(StoreError) -> StoreDocument? {
      do {
        return try file.load()
      } catch  where error.code == .damaged && isFoundationsOwn() {
        throw StoreError(
          .unreadable,
          """
          cannot read '\(name)': a text in it has control characters, which Foundation writes so \
          that no XML reader accepts them. Nothing will be saved over it. Remove that default with \
          UserDefaults, then call reload().
          """, path: name, underlying: error)
      }
    }

    /// Whether the file is whole, but has control characters in it, as Foundation writes them.
    private func isFoundationsOwn() -> Bool {
      // `try?`, and right: what cannot be read is reported by `read` with its own error.
      guard let content = try? ManagedFile(path: name).read(limit: FormatLimits.bytes) else {
        return false
      }
      var bytes = content.bytes[...]
      while bytes.last == 0x0A { bytes.removeLast() }
      return bytes.starts(with: "<?xml".utf8) && bytes.suffix(8).elementsEqual("</plist>".utf8)
        && bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    /// Puts what plain code of this process has set into the file, and lets it read again what is
    /// in there. Its answer is about all suites of the process at once, so the file is looked at
    /// instead.
    private func exchangeWithPlainCode() { _ = UserDefaults(suiteName: suite)?.synchronize() }

    // MARK: Writing

    /// Changes the suite's defaults, with the file's lock held from reading to writing.
    func update(_ change: (inout StoreDocument) -> Void) throws(StoreError) {
      try withFileLock { () throws(StoreError) in
        var document = try load() ?? StoreDocument()
        change(&document)
        try file.save(document)
        // Plain code may have read the suite since `load` made it forget.
        exchangeWithPlainCode()
      }
    }

    /// Stores a document in place of the damaged file, which is moved aside.
    func replaceDamaged(
      with document: StoreDocument, movedTo place: inout String?
    ) throws(StoreError) {
      try withFileLock { () throws(StoreError) in
        try file.replaceDamaged(with: document, movedTo: &place)
        exchangeWithPlainCode()
      }
    }

    private func withFileLock<Result>(
      _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      turns.lock()
      defer { turns.unlock() }
      try file.lock()
      defer { file.unlock() }
      return try body()
    }

    /// What processes lock from the first reading of an edit to its end: a lock for each place, so
    /// that stores on two keys do not wait for each other. Its file is there only meanwhile.
    ///
    /// - Parameter number: Which place of the suite; two with one number only wait for each other.
    func editLock(_ number: UInt64) -> ManagedFile {
      ManagedFile(path: "\(name).\(String(number, radix: 36))")
    }
  }
#endif
