/// Fills an item from a document.
///
/// A key that is absent gives the field its default; so does a value of another type, which is
/// noted in ``wrongTypes``.
///
/// ```swift
/// var user = User()
/// var mapper = AssignDictMapper(["name": .string("sky"), "age": .string("twelve")])
/// user.mapValue(&mapper)
/// user.name          // "sky"
/// user.age           // 0
/// mapper.wrongTypes  // age: should be Int and is string
/// ```
public struct AssignDictMapper: DictMapper {
  private let document: StoreDocument
  private let wanted: ((String) -> Bool)?
  /// Every key that was visited, in order.
  private(set) var keys: [String] = []
  /// The keys that the document does not have, except those of fields whose default is nil.
  public private(set) var missingKeys: [String] = []
  /// The keys whose value is not one of the field's type.
  public private(set) var wrongTypes: [LoadReport.WrongType] = []

  /// Fills every field.
  ///
  /// - Parameter document: What is stored.
  public init(_ document: StoreDocument) {
    self.document = document
    wanted = nil
  }

  /// Fills the fields whose key is wanted and leaves the others alone.
  init(_ document: StoreDocument, where wanted: @escaping (String) -> Bool) {
    self.document = document
    self.wanted = wanted
  }

  public mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    if let value = value(for: key, default: defaultValue) { field = value }
  }

  public mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    if let value = value(for: param.key, default: param.defaultValue) { param.assign(value) }
  }

  /// What the field is to be; nil to leave it.
  private mutating func value<Value: StoreConvertible>(
    for key: String, default defaultValue: Value
  ) -> Value? {
    guard wanted?(key) ?? true else { return nil }
    keys.append(key)
    guard let stored = document[key] else {
      // Nil that is the default is stored as nothing.
      if defaultValue.storeValue != .null { missingKeys.append(key) }
      return defaultValue
    }
    if let value = Value(storeValue: stored) { return value }
    wrongTypes.append(
      LoadReport.WrongType(key: key, found: stored.kind, expected: "\(Value.self)"))
    return defaultValue
  }
}
