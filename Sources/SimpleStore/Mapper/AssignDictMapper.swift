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
  /// Every former key of the fields that were visited.
  private(set) var formerKeys: [String] = []
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
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  public mutating func visit<Field: StoreField>(_ field: inout Field) {
    if let wanted, !wanted(field.key), !field.formerKeys.contains(where: wanted) { return }
    keys.append(field.key)
    formerKeys += field.formerKeys
    guard let key = field.storedKey(in: document), let stored = document[key] else {
      // Nil that is the default is stored as nothing.
      if field.defaultStoreValue != .null { missingKeys.append(field.key) }
      return field.reset()
    }
    do {
      try field.read(stored)
    } catch {
      wrongTypes.append(error)
      field.reset()
    }
  }
}
