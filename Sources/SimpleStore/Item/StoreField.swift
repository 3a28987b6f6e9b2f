/// A field of an item, as a mapper sees it: what it is stored under, and its value in stored form.
///
/// The `$name` of a ``StoreParam`` is one. You need this only for a ``DictMapper`` that has to see
/// how a field is stored; ``DictMapper/map(_:key:default:)`` shows values.
public protocol StoreField {
  /// The key under which the field is stored.
  var key: String { get }
  /// The keys under which it was stored before, oldest first.
  var formerKeys: [String] { get }
  /// A number that changes with every write to the field; nil when the field has none, and its
  /// value has to be compared.
  var revision: UInt64? { get }
  /// The type that is stored.
  var storedType: any StoreConvertible.Type { get }
  /// What is stored for the default.
  var defaultStoreValue: StoreValue { get }

  /// What is stored for the value.
  ///
  /// - Throws: Why this value cannot be stored: it is outside the field's limits, or its encoding
  ///   failed.
  func checkedStoreValue() throws -> StoreValue

  /// Takes a stored value.
  ///
  /// - Throws: How it is not one of the field's; the field is then as it was.
  mutating func read(_ stored: StoreValue) throws(LoadReport.WrongType)

  /// Whether ``read(_:)`` would take a value. You do not have to write this.
  func canRead(_ stored: StoreValue) -> Bool

  /// Gives the field its default.
  mutating func reset()

  /// Shows the value to a mapper's ``DictMapper/map(_:key:default:)``.
  mutating func show<Mapper: DictMapper>(to mapper: inout Mapper)
}

extension StoreField {
  public var formerKeys: [String] { [] }
  public var revision: UInt64? { nil }

  public func canRead(_ stored: StoreValue) -> Bool {
    var field = self
    do {
      try field.read(stored)
      return true
    } catch {
      return false
    }
  }

  /// Where the value of the field is in a document: under its key or, while that is absent, under
  /// the latest of its former ones.
  func storedKey(in document: StoreDocument) -> String? {
    if document.position(of: key) != nil { return key }
    return formerKeys.last { document.position(of: $0) != nil }
  }
}

/// A property that an item shows to its mapper without a ``StoreParam``.
struct PlainField<Value: StoreConvertible>: StoreField {
  var value: Value
  let key: String
  let defaultValue: Value

  var storedType: any StoreConvertible.Type { Value.self }
  var defaultStoreValue: StoreValue { defaultValue.storeValue }

  func checkedStoreValue() throws -> StoreValue { try value.checkedStoreValue() }

  mutating func read(_ stored: StoreValue) throws(LoadReport.WrongType) {
    value = try Value.read(stored, for: key)
  }

  mutating func reset() { value = defaultValue }

  mutating func show<Mapper: DictMapper>(to mapper: inout Mapper) {
    mapper.map(&value, key: key, default: defaultValue)
  }

  /// Lets a mapper visit a property.
  static func visit<Mapper: DictMapper>(
    _ property: inout Value, key: String, default defaultValue: Value, with mapper: inout Mapper
  ) {
    var field = PlainField(value: property, key: key, defaultValue: defaultValue)
    mapper.visit(&field)
    property = field.value
  }
}

extension StoreConvertible {
  /// The value that was stored, or how what is there is not one of this type.
  static func read(
    _ stored: StoreValue, for key: String
  ) throws(LoadReport.WrongType) -> Self {
    if let value = Self(storeValue: stored) { return value }
    throw LoadReport.WrongType(
      key: key, found: stored.kind, expected: "\(Self.self)",
      reason: LoadReport.WrongType.reason(stored, isNot: Self.self))
  }
}
