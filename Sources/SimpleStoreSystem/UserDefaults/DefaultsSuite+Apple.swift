// Not compiled on Linux.

#if canImport(Darwin)
  import Foundation
  import SimpleStore

  /// One suite of `UserDefaults` as the system's service keeps it on Apple platforms.
  ///
  /// Values go through the bytes of a binary property list, so that what has no native type is
  /// spelled as in files, and numbers, Booleans and dates are exact.
  final class DefaultsSuite: Sendable {
    let name: String
    /// Held by the thread that changes the suite, from reading to writing.
    private let turns = NSLock()

    private init(name: String) { self.name = name }

    private static let suites = PlaceRegistry<DefaultsSuite>()
    /// For a backend that refuses everything.
    static let unusable = DefaultsSuite(name: "")

    /// The suite of a name that has been checked.
    static func named(
      _ suite: String, environment: [String: String]
    ) throws(StoreError) -> DefaultsSuite {
      suites.place(named: [suite]) { DefaultsSuite(name: suite) }
    }

    /// Plays no part here.
    static let startEnvironment: [String: String] = [:]

    /// The application's own domain is not a suite to `UserDefaults`.
    private var defaults: UserDefaults? {
      name == Bundle.main.bundleIdentifier ? .standard : UserDefaults(suiteName: name)
    }

    /// The suite's defaults, sorted by key; nil when there are none.
    func load() throws(StoreError) -> StoreDocument? {
      guard let domain = defaults?.persistentDomain(forName: name), !domain.isEmpty else {
        return nil
      }
      let read: StoreDocument
      do {
        let bytes = try PropertyListSerialization.data(
          fromPropertyList: domain, format: .binary, options: 0)
        read = try BinaryPropertyListFormat().decode(Array(bytes))
      } catch {
        throw StoreError(
          .damaged, "'\(name)' is damaged: \(error). Nothing will be saved over it.", path: name,
          underlying: error)
      }
      var document = StoreDocument()
      for (key, value) in read.sorted(by: { $0.key < $1.key }) { document[key] = value }
      return document
    }

    /// Changes the suite's defaults.
    func update(_ change: (inout StoreDocument) -> Void) throws(StoreError) {
      turns.lock()
      defer { turns.unlock() }
      let old = try load() ?? StoreDocument()
      var new = old
      change(&new)
      guard let defaults else {
        throw StoreError(.unwritable, "cannot save '\(name)': it is no suite.", path: name)
      }
      let objects = try objects(of: new)
      for key in old.keys where new[key] == nil { defaults.removeObject(forKey: key) }
      for (key, value) in new where old[key] != value { defaults.set(objects[key], forKey: key) }
      defaults.synchronize()
    }

    private func objects(of document: StoreDocument) throws(StoreError) -> [String: Any] {
      let bytes: [UInt8]
      do {
        bytes = try BinaryPropertyListFormat().encode(document)
      } catch {
        throw StoreError(.invalidValue, .format(error), key: error.key, path: name)
      }
      do {
        let objects = try PropertyListSerialization.propertyList(
          from: Data(bytes), options: [], format: nil)
        return objects as? [String: Any] ?? [:]
      } catch {
        throw StoreError(
          .unwritable, "cannot save '\(name)': \(error). Nothing was changed.", path: name,
          underlying: error)
      }
    }

    func replaceDamaged(
      with document: StoreDocument, movedTo place: inout String?
    ) throws(StoreError) {
      throw StoreError(.unwritable, .damagedFileStays, path: name)
    }
  }
#endif
