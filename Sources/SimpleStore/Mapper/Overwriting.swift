/// A field whose value can be looked into.
protocol ContentField {
  var content: any StoreConvertible { get }
}

extension StoreParam: ContentField where Value: StoreConvertible {
  var content: any StoreConvertible { wrappedValue }
}

extension PlainField: ContentField {
  var content: any StoreConvertible { value }
}

/// What an edit has set in items inside its fields, where what is stored is of another type.
///
/// An item inside a field is stored over its old dictionary, and a value there that it could not read
/// stays, since the default that it was given in place of it says nothing. When the field inside was
/// set, though, also to its default, what is stored has to go. Whether it was, its stamp says: it is
/// none of those that the item had before.
struct Overwriting<Item: StoreItem> {
  private let oldStamps: Set<UInt64>
  private let edited: Item

  init(from base: Item, to edited: Item) {
    var base = base
    var collector = StampMapper()
    base.mapValue(&collector)
    oldStamps = collector.stamps
    self.edited = edited
  }

  /// The keys of a document whose values are overwritten in part.
  func keysOverwritten(in document: StoreDocument) -> [String] {
    document.keysThatDiffer(from: applied(to: document) { _ in true })
  }

  /// A document without the values of the wrong type, inside the fields that are wanted, that are
  /// overwritten.
  func applied(to document: StoreDocument, where wanted: (String) -> Bool) -> StoreDocument {
    var item = edited
    var mapper = OverwriteMapper(oldStamps: oldStamps, document: document)
    item.mapValue(&mapper)
    var result = document
    for (key, value) in mapper.document where wanted(key) && document[key] != value {
      result[key] = value
    }
    return result
  }
}

/// Collects the stamps of an item's fields, and of those of the items inside.
private struct StampMapper: DictMapper {
  private(set) var stamps: Set<UInt64> = []

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    if let revision = field.revision { stamps.insert(revision) }
    if let content = (field as? any ContentField)?.content { collect(content) }
  }

  private mutating func collect(_ value: any StoreConvertible) {
    if var item = value as? any StoreItem {
      item.mapValue(&self)
    } else if let holder = value as? any HoldsValues {
      for value in holder.heldValues { collect(value) }
    }
  }
}

/// Takes out of a document what an item cannot read where its field was set.
private struct OverwriteMapper: DictMapper {
  let oldStamps: Set<UInt64>
  private(set) var document: StoreDocument

  init(oldStamps: Set<UInt64>, document: StoreDocument) {
    self.oldStamps = oldStamps
    self.document = document
  }

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    guard let key = field.storedKey(in: document), let stored = document[key] else { return }
    if field.canRead(stored) {
      guard let content = (field as? any ContentField)?.content else { return }
      document[key] = pruned(stored, over: content)
    } else if let revision = field.revision, !oldStamps.contains(revision) {
      document[key] = nil
    }
  }

  private func pruned(_ stored: StoreValue, over value: any StoreConvertible) -> StoreValue {
    if var item = value as? any StoreItem {
      guard case .dictionary(let document) = stored else { return stored }
      var mapper = OverwriteMapper(oldStamps: oldStamps, document: document)
      item.mapValue(&mapper)
      return .dictionary(mapper.document)
    }
    return (value as? any HoldsValues)?.replacingParts(of: stored) { pruned($0, over: $1) }
      ?? stored
  }
}
