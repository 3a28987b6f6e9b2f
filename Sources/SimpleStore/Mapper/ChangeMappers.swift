/// What a field looked like before an edit: its stamp, or for a plain property its value.
enum FieldMark {
  case revision(UInt64)
  case value(StoreValue)
}

/// Notes what every field of an item looks like, without encoding the stamped ones.
struct MarkMapper: DictMapper {
  private(set) var marks: [(key: String, mark: FieldMark)] = []

  init() { marks.reserveCapacity(16) }

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    if let revision = field.revision {
      marks.append((field.key, .revision(revision)))
    } else {
      // What cannot be stored has no mark, and counts as written to.
      guard let value = try? field.checkedStoreValue() else { return }
      marks.append((field.key, .value(value)))
    }
  }
}

/// A field that an edit wrote to.
///
/// A class: it is handed on many times in a save, and has a dozen words.
final class FieldChange {
  /// What was written.
  enum Content {
    case value(StoreValue)
    /// Why it cannot be stored. Indirect: an error is large, and hardly any field has one.
    indirect case refused(StoreError)
  }

  let key: String
  let content: Content
  let defaultValue: StoreValue
  /// The field's type, which says how the new value takes the place of an older one.
  let type: any StoreConvertible.Type
  /// The field's number in the item's layout, where it has one.
  let place: Int?

  init<Field: StoreField>(of field: Field, at place: Int?, _ content: Content) {
    key = field.key
    self.content = content
    defaultValue = field.defaultStoreValue
    type = field.storedType
    self.place = place
  }

  /// The new value; null when it cannot be stored.
  var value: StoreValue { if case .value(let value) = content { value } else { .null } }
  /// Why the new value cannot be stored.
  var refusal: StoreError? { if case .refused(let error) = content { error } else { nil } }
}

/// Finds the fields that were written to since they were marked, and encodes only those.
struct ChangeMapper: DictMapper {
  private let marks: [(key: String, mark: FieldMark)]
  private var position = 0
  /// The number of the field that comes next, for an item with a layout.
  var place: Int?
  private(set) var changes: [FieldChange] = []

  /// - Parameter marks: What the fields looked like; one without a mark counts as written to.
  init(since marks: [(key: String, mark: FieldMark)]) { self.marks = marks }

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    let mark = mark(of: field.key)
    if case .revision(let old)? = mark, old == field.revision { return }
    let content: FieldChange.Content
    do {
      let new = try field.checkedStoreValue()
      if case .value(let old)? = mark, old == new { return }
      if let fault = new.fault {
        content = .refused(
          StoreError(.invalidValue, .format(FormatError(fault)), key: field.key))
      } else {
        content = .value(new)
      }
    } catch {
      content = .refused(StoreError(refusing: error, key: field.key))
    }
    changes.append(FieldChange(of: field, at: place, content))
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
