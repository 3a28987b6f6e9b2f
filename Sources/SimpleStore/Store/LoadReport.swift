/// What a store noticed in the document that it read, about the keys of the item itself (not about
/// those of items inside it). What has been set since is taken off.
///
/// ```swift
/// let store = SimpleStore<User>(.json(at: url))
/// print(store.loadReport)  // unknown key "nmae"; did you mean "name"?
/// ```
public struct LoadReport: Sendable, Equatable {
  /// A key whose value is not one of its field's type. The field has its default; the value stays
  /// in the store until the field is set.
  public struct WrongType: Error, Sendable, Equatable {
    public let key: String
    /// What is there, in one word: "string", "null", …
    public let found: String
    /// The field's type.
    public let expected: String
    /// Why it was not taken, when it is not its kind: outside the field's limits, or where in it
    /// something is wrong.
    public var reason: String?
  }

  /// Whether the store was there and held nothing: no bytes, only white space, or no keys.
  public internal(set) var wasEmpty = false
  /// Keys that no field of the item has. They are kept.
  public internal(set) var unknownKeys: [String] = []
  /// Keys of fields that the document does not have; the fields have their defaults.
  public internal(set) var missingKeys: [String] = []
  /// Keys whose value is not one of the field's type.
  public internal(set) var wrongTypes: [WrongType] = []
  /// Where the damaged file is now, once a save has moved it aside.
  public internal(set) var damagedFile: String?
  /// Every key of the item, for suggestions.
  var knownKeys: [String] = []
}
