/// What a field looked like before an edit: its stamp, or for a plain property its value.
enum FieldMark {
  case revision(UInt64)
  case value(StoreValue)
}

/// Notes what every field of an item looks like, without encoding the stamped ones.
struct MarkMapper: DictMapper {
  private(set) var marks: [(key: String, mark: FieldMark)] = []

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    marks.append((key, .value(field.storeValue)))
  }

  mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    marks.append((param.key, .revision(param.revision)))
  }
}

/// A field that an edit wrote to.
struct FieldChange {
  let key: String
  /// The new value.
  let value: StoreValue
  let defaultValue: StoreValue
  /// The field's type, which says how the new value takes the place of an older one.
  let type: any StoreConvertible.Type
}

/// Finds the fields that were written to since they were marked, and encodes only those.
struct ChangeMapper: DictMapper {
  private let marks: [(key: String, mark: FieldMark)]
  private var position = 0
  private(set) var changes: [FieldChange] = []

  init(since marks: [(key: String, mark: FieldMark)]) { self.marks = marks }

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    let value = field.storeValue
    if case .value(let old)? = mark(of: key), old == value { return }
    changes.append(
      FieldChange(
        key: key, value: value, defaultValue: defaultValue.storeValue, type: Value.self))
  }

  mutating func map<Value: StoreConvertible>(_ param: inout StoreParam<Value>) {
    if case .revision(let old)? = mark(of: param.key), old == param.revision { return }
    changes.append(
      FieldChange(
        key: param.key, value: param.value.storeValue,
        defaultValue: param.defaultValue.storeValue, type: Value.self))
  }

  /// The mark of a key: the next one, since fields are visited in the same order, unless a
  /// `mapValue` of the user's visits other fields than before.
  private mutating func mark(of key: String) -> FieldMark? {
    if position < marks.count, marks[position].key.hasSameBytes(as: key) {
      position += 1
      return marks[position - 1].mark
    }
    guard let found = marks.firstIndex(where: { $0.key.hasSameBytes(as: key) }) else { return nil }
    position = found + 1
    return marks[found].mark
  }
}
