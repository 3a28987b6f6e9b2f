extension StoreItem {
  /// This item with the fields that another one has got since some earlier version of it.
  ///
  /// Fields are taken as they are, with their stamps: whoever asks later which ones were set finds
  /// those. Of an item inside a field, the fields are taken one by one.
  func withChanges(of changed: Self, since base: Self) -> Self {
    var (changed, base, result) = (changed, base, self)
    var news = FieldCollector()
    changed.mapValue(&news)
    var olds = FieldCollector()
    base.mapValue(&olds)
    var mapper = ChangeTaker(news: news.fields, olds: olds.fields)
    result.mapValue(&mapper)
    return result
  }
}

/// Keeps a copy of every field.
private struct FieldCollector: DictMapper {
  private(set) var fields: [(key: String, field: any StoreField)] = []

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    fields.append((field.key, field))
  }
}

/// Takes over the fields that differ between two versions of an item.
private struct ChangeTaker: DictMapper {
  let news: [(key: String, field: any StoreField)]
  let olds: [(key: String, field: any StoreField)]

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    guard let new = Self.field(field.key, in: news) as? Field else { return }
    let old = Self.field(field.key, in: olds) as? Field
    if let old, let revision = new.revision, revision == old.revision { return }
    // What cannot be stored was not kept.
    guard let value = try? new.checkedStoreValue(), value != (try? old?.checkedStoreValue()) else {
      return
    }
    if let old, let merging = field as? any MergingField,
      let merged = merging.withChanges(of: new, since: old) as? Field
    {
      field = merged
    } else {
      field = new
    }
  }

  private static func field(
    _ key: String, in fields: [(key: String, field: any StoreField)]
  ) -> (any StoreField)? {
    fields.first { $0.key.hasSameBytes(as: key) }?.field
  }
}

/// A field that holds an item, whose fields are taken one by one.
private protocol MergingField {
  func withChanges(of changed: any StoreField, since base: any StoreField) -> Any?
}

extension StoreParam: MergingField where Value: StoreItem {
  fileprivate func withChanges(
    of changed: any StoreField, since base: any StoreField
  ) -> Any? {
    guard let changed = changed as? Self, let base = base as? Self else { return nil }
    var result = self
    result.wrappedValue = wrappedValue.withChanges(
      of: changed.wrappedValue, since: base.wrappedValue)
    return result
  }
}

extension PlainField: MergingField where Value: StoreItem {
  fileprivate func withChanges(
    of changed: any StoreField, since base: any StoreField
  ) -> Any? {
    guard let changed = changed as? Self, let base = base as? Self else { return nil }
    var result = self
    result.value = value.withChanges(of: changed.value, since: base.value)
    return result
  }
}
