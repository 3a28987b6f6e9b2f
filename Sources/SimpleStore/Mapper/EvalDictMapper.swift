/// Reads an item into a document.
///
/// A nil field whose default is nil is left out; nil in place of another default is
/// ``StoreValue/null``.
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
  private let wanted: ((String) -> Bool)?

  /// Reads every field.
  public init() { wanted = nil }

  /// Reads the fields whose key is wanted.
  init(where wanted: @escaping (String) -> Bool) { self.wanted = wanted }

  public mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    read(field, key: key, default: defaultValue)
  }

  public mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    read(param.value, key: param.key, default: param.defaultValue)
  }

  private mutating func read<Value: StoreConvertible>(
    _ field: Value, key: String, default defaultValue: @autoclosure () -> Value
  ) {
    guard wanted?(key) ?? true else { return }
    let value = field.storeValue
    if case .null = value, case .null = defaultValue().storeValue { return }
    document.put(key, value)
  }
}
