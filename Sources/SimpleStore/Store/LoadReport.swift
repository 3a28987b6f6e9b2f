/// What a store noticed in the document that it read: about the keys of the item itself, and which
/// values of items inside it are of the wrong type. What has been set since is taken off.
///
/// ```swift
/// let store = SimpleStore<User>(.json(at: url))
/// print(store.loadReport)  // unknown key "nmae"; did you mean "name"?
/// ```
public struct LoadReport: Sendable, Equatable {
  /// A value that is not one of its field's type. The field has its default; the value stays in the
  /// store until the field is set.
  public struct WrongType: Error, Sendable, Equatable {
    /// The key of the field.
    ///
    /// In ``LoadReport/nestedWrongTypes`` the key of the item's own field that it is inside of.
    public let key: String
    /// What is there, in one word: "string", "null", …
    public let found: String
    /// The field's type.
    public let expected: String
    /// Why it was not taken, when it is not its kind: outside the field's limits, or where in it
    /// something is wrong.
    public var reason: String?
    /// The way from the field to the value: `.width`, `[2].width`.
    var inside = ""

    /// Where the value is: the key or, inside a nested item, the way there: `window.width`,
    /// `windows[2].width`.
    public var path: String { key + inside }
  }

  /// Whether the store was there and held nothing: no bytes, only white space, or no keys.
  public internal(set) var wasEmpty = false
  /// Keys that no field of the item has. They are kept.
  public internal(set) var unknownKeys: [String] = []
  /// Keys of fields that the document does not have; the fields have their defaults.
  public internal(set) var missingKeys: [String] = []
  /// Keys whose value is not one of the field's type.
  public internal(set) var wrongTypes: [WrongType] = []
  /// Values inside nested items that are not of their field's type. Only that field of the nested
  /// item has its default.
  public internal(set) var nestedWrongTypes: [WrongType] = []
  /// Where the damaged file is now, once a save has moved it aside.
  public internal(set) var damagedFile: String?
  /// Every key of the item, for suggestions.
  var knownKeys: [String] = []
}
