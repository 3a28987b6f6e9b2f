public import SimpleCache
public import SimpleStore

/// A cache level that keeps small values in a suite of `UserDefaults`.
///
/// ```swift
/// let names = UserDefaultsLevel<String>(suite: "com.example.app", key: "names")
/// try await names.set("sky", forKey: "user")
/// UserDefaults(suiteName: "com.example.app")?.dictionary(forKey: "names")  // ["user": "sky"]
/// ```
///
/// It is a `DocumentLevel` over ``UserDefaultsBackend``, with what both promise and do not.
public typealias UserDefaultsLevel<Value: StoreConvertible> = DocumentLevel<Value>

extension DocumentLevel {
  /// A level in one default of a suite, beside other defaults, which stay as they are.
  ///
  /// A suite that cannot be is an error of every call, never of this one.
  ///
  /// - Parameters:
  ///   - suite: The suite's name; a file name without `/`, not the global domain.
  ///   - key: The default that holds all entries as one dictionary; no control characters.
  public convenience init(suite: String, key: String) {
    self.init(.userDefaults(suite: suite, key: key))
  }
}
