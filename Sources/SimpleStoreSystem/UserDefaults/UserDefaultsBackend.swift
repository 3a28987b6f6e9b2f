import FileSupport
import Foundation
public import SimpleStore

extension StoreBackend where Self == UserDefaultsBackend {
  /// The item as one dictionary in a suite of `UserDefaults`.
  ///
  /// A default that holds an item as one piece of JSON is read too, and a dictionary from the first
  /// save on.
  ///
  /// ```swift
  /// let store = SimpleStore<User>(.userDefaults(suite: "com.example.app", key: "user"))
  /// store.age += 1
  /// UserDefaults(suiteName: "com.example.app")?.dictionary(forKey: "user")  // ["age": 1, …]
  /// ```
  ///
  /// - Parameters:
  ///   - suite: The suite's name; a file name without `/`, not the global domain.
  ///   - key: The default that holds the dictionary; no control characters.
  public static func userDefaults(suite: String, key: String) -> UserDefaultsBackend {
    UserDefaultsBackend(
      suite: suite, key: key, environment: DefaultsSuite.startEnvironment)
  }

  /// The item as one default for each of its keys, beside other defaults of the suite, which stay
  /// as they are.
  ///
  /// ```swift
  /// let store = SimpleStore<User>(.userDefaults(suite: "com.example.app"))
  /// store.age += 1
  /// UserDefaults(suiteName: "com.example.app")?.integer(forKey: "age")  // 1
  /// ```
  ///
  /// - Parameter suite: The suite's name; a file name without `/`, not the global domain.
  public static func userDefaults(suite: String) -> UserDefaultsBackend {
    UserDefaultsBackend(
      suite: suite, key: nil, environment: DefaultsSuite.startEnvironment)
  }
}

/// Keeps a document in a suite of `UserDefaults`, in native types.
///
/// Make it with `.userDefaults(suite:key:)` or `.userDefaults(suite:)`. Values that plain
/// `UserDefaults` code has set are understood, and plain code reads what a store saved. Only the
/// suite's own defaults are read: the global, argument and registration domains play no part, and
/// nothing is written to them. What `UserDefaults` has no type for (null, text with control
/// characters, numbers beyond 64 bits) is a dictionary with one key that begins with `$`, as in
/// property list files.
///
/// ## On Linux
///
/// Foundation keeps a suite in `$XDG_CONFIG_HOME/SUITE.plist`, or `$HOME/.config/SUITE.plist`. It
/// takes a file that it cannot read for an empty one, writes it in place after emptying it, without
/// a lock, and only in `synchronize()`. So a store reads and replaces that file itself, as
/// `.plist(at:)` does, and uses `synchronize()` for what it is good for: before reading, so that
/// what plain code of this process has set is in the file, and after a save, so that plain code
/// reads the file again. Between stores, also of several processes, everything that is promised of
/// a file holds: old or new after a kill, the locks (`.SUITE.plist.lock`, and one for
/// each edit while it lasts), exact values, order, no
/// save over a file that is damaged or cannot be read.
///
/// What cannot be promised, because plain code and Foundation do not take part:
/// * What plain code sets is stored when somebody calls `synchronize()`; a kill in that call can
///   leave the file empty or cut off. The store says which (`LoadReport.wasEmpty`, `.damaged`)
///   and overwrites nothing that is left.
/// * `synchronize()` of plain code in another process at the instant of a save can lose either
///   change: it takes no lock. It rewrites the whole file, in Foundation's order, and writes -0.0
///   as 0.
/// * `synchronize()` is for all suites of a process at once: opening a store also stores what plain
///   code has set in others, there too over a file that is damaged.
/// * Text with control characters that plain code has set makes a file that is not XML. It is
///   neither damaged nor moved aside, but refused with `.unreadable`.
/// * `integer(forKey:)` of plain code gives 0 for some large numbers, although they are there.
///
/// ## On Apple platforms
///
/// The system's service keeps the suite and writes it when it likes: a save that returned is seen by
/// every process, but a power cut soon after may lose it. There is no lock between processes for
/// read-modify-write, and no order of keys.
public struct UserDefaultsBackend: StoreBackend {
  private let suite: DefaultsSuite
  private let key: String?
  private let place: Place
  /// Why this place cannot be used at all.
  private let refusal: StoreError?

  /// What all backends of a process on one suite and key share.
  private final class Place: Sendable {
    let identity = StoreIdentity()
    let edit = EditLock()
    /// What was last seen outside of an edit.
    private let seenOutside = Latest<StoreDocument>()

    /// The document that a whole suite's store last saw, in the edit that this thread is in or
    /// outside of all; see ``save(_:)``. What another thread sees meanwhile is not what the edit
    /// began with: taken for that, what is new in it would be removed.
    var seen: StoreDocument? {
      get { if let seen = edit.seen { seen } else { seenOutside.value } }
      set { if !edit.see(newValue) { seenOutside.value = newValue } }
    }
  }
  private static let places = PlaceRegistry<Place>()

  /// - Parameter environment: Where Foundation on Linux learns where suites are.
  package init(suite name: String, key: String?, environment: [String: String]) {
    self.key = key
    do throws(StoreError) {
      try Self.check(suite: name, key: key)
      suite = try DefaultsSuite.named(name, environment: environment)
      // A key is "=KEY", so that no key is the whole suite's name.
      place = Self.places.place(named: [suite.name, key.map { "=" + $0 } ?? ""]) { Place() }
      refusal = nil
    } catch {
      suite = DefaultsSuite.unusable
      place = Place()
      refusal = error
    }
  }

  private static func check(suite: String, key: String?) throws(StoreError) {
    do throws(FileError) {
      try ApplicationDirectories.checkName(suite)
      // With room for the names of the files beside it.
      try ApplicationDirectories.checkName(suite + ".plist.0123456789ABC")
    } catch {
      throw StoreError(
        .invalidLocation, .system(step: error.step.rawValue, code: error.code, found: nil),
        path: suite)
    }
    if suite == UserDefaults.globalDomain {
      throw StoreError(
        .invalidLocation,
        """
        '\(suite)' cannot be the place of a store: it holds the defaults of all programs. Choose \
        another suite.
        """, path: suite)
    }
    if let key, !PropertyListSpelling.canHold(key) {
      throw StoreError(
        .invalidLocation,
        """
        a default of '\(suite)' cannot be the place of a store: its key has characters that no \
        property list can hold. Choose another key.
        """, key: key, path: suite)
    }
  }

  public var identity: StoreIdentity { place.identity }

  public func load() throws(StoreError) -> StoreDocument? {
    if let refusal { throw refusal }
    let document = try suite.load()
    guard let key else {
      place.seen = document
      return document
    }
    switch document?[key] {
    case nil: return nil
    case .dictionary(let item): return item
    case .data(let bytes)?:
      if let item = Self.item(in: bytes) { return item }
      throw damaged(.data(bytes), key)
    case let other?:
      throw damaged(other, key)
    }
  }

  /// The item that one piece of JSON holds: how programs keep a `Codable` item in one default, and
  /// SimpleStoreData did. The first save makes it a dictionary.
  private static func item(in bytes: Data) -> StoreDocument? {
    // What is no JSON is damaged, and reported so.
    try? JSONFormat().decode(Array(bytes))
  }

  private func damaged(_ found: StoreValue, _ key: String) -> StoreError {
    StoreError(
      .damaged,
      """
      '\(key)' in '\(suite.name)' is damaged: it is \(found.kind), not a dictionary. It is kept: \
      remove or rename the default and call reload(), or let the next save move it aside.
      """, key: key, path: suite.name)
  }

  /// Stores a document.
  ///
  /// A whole suite's store saves what it changed since it last looked, so that a store on one key
  /// of the suite, used inside the same edit, loses nothing.
  public func save(_ document: StoreDocument) throws(StoreError) {
    if let refusal { throw refusal }
    guard let key else { return try saveAll(document) }
    try suite.update { $0[key] = .dictionary(document) }
  }

  private func saveAll(_ document: StoreDocument) throws(StoreError) {
    try checkKeys(of: document)
    let seen = place.seen
    try suite.update { current in
      guard let seen, seen != current else {
        current = document
        return
      }
      for key in seen.keys where document[key] == nil { current[key] = nil }
      for (key, value) in document where seen[key] != value { current[key] = value }
    }
    place.seen = document
  }

  private func checkKeys(of document: StoreDocument) throws(StoreError) {
    if let key = document.keys.first(where: { !PropertyListSpelling.canHold($0) }) {
      throw StoreError(
        .invalidValue,
        """
        cannot store a default in '\(suite.name)': its key has characters that no property list \
        can hold. Nothing was changed, and every other key can still be saved.
        """, key: key, path: suite.name)
    }
  }

  public func lock() throws(StoreError) {
    if let refusal { throw refusal }
    try place.edit.lock(suite, key: key)
  }

  public func unlock() { place.edit.unlock() }

  /// Stores a document in place of what is damaged, which is moved aside: the suite's file, or the
  /// one default that is no dictionary, which is then called `KEY.damaged-TIME`.
  public func replaceDamaged(
    with document: StoreDocument, movedTo place: inout String?
  ) throws(StoreError) {
    if let refusal { throw refusal }
    let all: StoreDocument
    do {
      all = try suite.load() ?? StoreDocument()
    } catch  where error.code == .damaged {
      guard let key else {
        try checkKeys(of: document)
        try suite.replaceDamaged(with: document, movedTo: &place)
        self.place.seen = document
        return
      }
      return try suite.replaceDamaged(with: [key: .dictionary(document)], movedTo: &place)
    }
    guard let key, let value = all[key] else {
      throw StoreError(
        .unwritable, "nothing is damaged in '\(suite.name)' any more. Call reload().",
        path: suite.name)
    }
    let label = "\(key).damaged-\(FileBackend.label(of: Date()))"
    var aside = label
    var attempt = 1
    while all[aside] != nil {
      attempt += 1
      aside = "\(label)-\(attempt)"
    }
    let name = aside
    try suite.update { current in
      current[name] = value
      current[key] = .dictionary(document)
    }
    place = "\(suite.name): \(name)"
  }
}
