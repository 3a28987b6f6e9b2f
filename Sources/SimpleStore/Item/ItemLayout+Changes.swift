extension ItemLayout {
  /// The layout of a type whose fields the library finds; nil when the type has a `mapValue` of its
  /// own, which may show anything.
  static func ofFieldsFound<Item: StoreItem>(in type: Item.Type) -> ItemLayout? {
    let layout = ItemLayout.of(type)
    var item = Item()
    var probe = LayoutProbe()
    item.mapValue(&probe)
    return probe.layouts.count == 1 && probe.layouts[0] === layout && !probe.hasVisited
      ? layout : nil
  }

  /// The fields that were written to between two versions of an item: those whose stamps differ.
  func writes<Item: StoreItem>(from base: inout Item, to item: inout Item) -> [FieldChange] {
    // Without marks every field that it is shown counts as written to.
    var finder = ChangeMapper(since: [])
    withFields(of: &base) { old in
      withFields(of: &item) { new in
        for place in places.indices where !haveSameStamp(at: place, old, new) {
          finder.place = place
          show(place, of: new, to: &finder)
        }
      }
    }
    return finder.changes
  }

  /// What an item has in the fields of some changes, all of which have a place; null for what cannot
  /// be stored.
  func values<Item: StoreItem>(of changes: [FieldChange], in item: inout Item) -> [StoreValue] {
    withFields(of: &item) { fields in
      changes.map { change in
        var reader = ValueMapper()
        if let place = change.place { show(place, of: fields, to: &reader) }
        return reader.value
      }
    }
  }
}

/// Sees whether an item's `mapValue` leaves it to the library to find the fields.
struct LayoutProbe: DictMapper {
  /// The layouts that were walked. Their fields are not shown to it.
  private(set) var layouts: [ItemLayout] = []
  /// Whether it was shown a field by `mapValue` itself.
  private(set) var hasVisited = false

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    hasVisited = true
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) { hasVisited = true }

  mutating func note(_ layout: ItemLayout) { layouts.append(layout) }
}
