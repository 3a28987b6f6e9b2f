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
  /// Whether items inside fields are looked into for ``nestedWrongTypes``.
  private let reportsNested: Bool
  /// Every key that was visited, in order.
  private(set) var keys: [String] = []
  /// The keys that the document does not have, except those of fields whose default is nil.
  public private(set) var missingKeys: [String] = []
  /// The keys whose value is not one of the field's type.
  public private(set) var wrongTypes: [LoadReport.WrongType] = []
  /// The same of items inside the fields.
  private(set) var nestedWrongTypes: [LoadReport.WrongType] = []

  /// Fills every field.
  ///
  /// - Parameter document: What is stored.
  public init(_ document: StoreDocument) {
    self.init(document, reportsNested: false)
  }

  /// Fills the fields whose key is wanted, by default all, and leaves the others alone.
  init(
    _ document: StoreDocument, reportsNested: Bool = false, where wanted: ((String) -> Bool)? = nil
  ) {
    self.document = document
    self.reportsNested = reportsNested
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
    guard let key = field.storedKey(in: document), let stored = document[key] else {
      // Nil that is the default is stored as nothing.
      if field.defaultStoreValue != .null { missingKeys.append(field.key) }
      return field.reset()
    }
    do {
      try field.read(stored)
      if reportsNested {
        nestedWrongTypes += LoadReport.WrongType.nested(
          in: stored, as: field.storedType, of: field.key)
      }
    } catch {
      wrongTypes.append(error)
      field.reset()
    }
  }
}
