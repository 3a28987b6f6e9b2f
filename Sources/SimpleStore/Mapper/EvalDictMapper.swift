/// Reads an item into a document.
///
/// A nil field whose default is nil is left out; nil in place of another default is
/// ``StoreValue/null``. A value that cannot be stored is left out.
///
/// ```swift
/// var user = User()
/// var mapper = EvalDictMapper()
/// user.mapValue(&mapper)
/// mapper.document["name"]  // .string("")
/// ```
public struct EvalDictMapper: DictMapper {
  /// What was read: each field under its key, in order.
  public private(set) var document = StoreDocument()
  /// The fields that are left out because their value cannot be stored, and why.
  private(set) var faults: [(key: String, fault: ValueFault)] = []
  private let wanted: ((String) -> Bool)?
  /// Whether the fields that follow have keys that the document does not have.
  private var keysAreDistinct = false

  /// Reads every field.
  public init() { wanted = nil }

  /// Reads the fields whose key is wanted.
  init(where wanted: @escaping (String) -> Bool) { self.wanted = wanted }

  /// Announces so many fields with keys that differ from each other and, in an empty document,
  /// from all others; 0 ends them.
  mutating func expectDistinctKeys(_ count: Int) {
    if keysAreDistinct { document.endDistinct() }
    keysAreDistinct = count > 0 && document.isEmpty
    if keysAreDistinct { document.reserveEntries(count) }
  }

  public mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  public mutating func visit<Field: StoreField>(_ field: inout Field) {
    guard wanted?(field.key) ?? true else { return }
    do {
      let value = try field.checkedStoreValue()
      if case .null = value, case .null = field.defaultStoreValue { return }
      if keysAreDistinct {
        document.append(distinct: field.key, value)
      } else {
        document.put(field.key, value)
      }
    } catch {
      faults.append((field.key, ValueFault(error)))
    }
  }
}
