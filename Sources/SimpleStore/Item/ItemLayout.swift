/// Where the ``StoreParam`` fields of an item type are: their types, keys and byte offsets.
///
/// Learnt once per type from a fresh item; afterwards an item is walked in place. `Mirror` costs
/// about a microsecond for each field, far too much for each save.
final class ItemLayout: Sendable {
  struct Field: Sendable {
    /// The name of the property, without the wrapper's underscore.
    let property: String
    let key: String
  }
  /// What a walk needs of a field: no texts, so that nothing is counted when it is read.
  struct Place: Sendable {
    let offset: Int
    let type: FieldType
  }

  let fields: [Field]
  let places: [Place]
  /// Properties whose place could not be found; ``ItemValidation`` reports them.
  let unplaced: [String]
  /// Whether no two fields have one key, as in every item that ``ItemValidation`` lets pass.
  private let keysAreDistinct: Bool

  private static let known = Guarded<[ObjectIdentifier: ItemLayout]>([:])

  /// The layout of a type, learnt at the first use.
  static func of<Item: StoreItem>(_ type: Item.Type) -> ItemLayout {
    let id = ObjectIdentifier(type)
    if let layout = known.withLock({ $0[id] }) { return layout }
    // Outside the lock: making an item runs the user's code, which may use another item type.
    let layout = ItemLayout(learning: type)
    known.withLock { $0[id] = layout }
    return layout
  }

  private init<Item: StoreItem>(learning type: Item.Type) {
    var fields: [Field] = []
    var places: [Place] = []
    var unplaced: [String] = []
    var item = Item()
    for child in type is AnyClass ? [] : Array(Mirror(reflecting: item).children) {
      // Not a cast alone: that would also look into an optional, which may be nil later.
      guard Swift.type(of: child.value) is any MappedParam.Type,
        let param = child.value as? any MappedParam
      else { continue }
      let label = child.label ?? "?"
      let property = label.hasPrefix("_") ? String(label.dropFirst()) : label
      if let offset = Self.offset(of: param.stamp, in: &item) {
        fields.append(Field(property: property, key: param.key))
        places.append(Place(offset: offset, type: FieldType(of: param)))
      } else {
        unplaced.append(property)
      }
    }
    self.fields = fields
    self.places = places
    self.unplaced = unplaced
    keysAreDistinct = Set(fields.map { Array($0.key.utf8) }).count == fields.count
  }

  /// The only place in the item's memory that holds this stamp; nil when there is none or more
  /// than one.
  private static func offset<Item>(of revision: UInt64, in item: inout Item) -> Int? {
    // Unsafe, and right: only aligned 8-byte words inside the value are read. Padding may hold
    // anything, but it cannot make a stamp that is there go unseen; a second hit is refused.
    withUnsafeBytes(of: &item) { bytes in
      var found: Int?
      for offset in stride(from: 0, through: bytes.count - 8, by: 8)
      where bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == revision {
        guard found == nil else { return nil }
        found = offset
      }
      return found
    }
  }

  // MARK: Walking

  /// Shows each field to a mapper, in order of declaration.
  func walk<Item: StoreItem, Mapper: DictMapper>(_ item: inout Item, with mapper: inout Mapper) {
    if Self.change(&mapper, { (probe: inout LayoutProbe) in probe.note(self) }) { return }
    withFields(of: &item) { walk($0, with: &mapper) }
  }

  /// Where the fields of an item are in memory, for as long as the closure runs.
  func withFields<Item: StoreItem, Result>(
    of item: inout Item, _ body: (UnsafeMutableRawPointer) -> Result
  ) -> Result {
    // Unsafe, and right: the pointer does not leave the closure, and `item` is held exclusively
    // meanwhile.
    withUnsafeMutablePointer(to: &item) { body(UnsafeMutableRawPointer($0)) }
  }

  // The mappers of a save and of a load: without these every call goes through their tables.
  @_specialize(where Mapper == EvalDictMapper)
  @_specialize(where Mapper == MarkMapper)
  @_specialize(where Mapper == ChangeMapper)
  @_specialize(where Mapper == AssignDictMapper)
  private func walk<Mapper: DictMapper>(
    _ fields: UnsafeMutableRawPointer, with mapper: inout Mapper
  ) {
    expectDistinctKeys(places.count, of: &mapper)
    // Unsafe, and right: each offset is where a value of exactly this type had its first stored
    // property in another value of the item's type, and all values of a struct type are laid out
    // alike.
    for place in places { place.type.show(fields + place.offset, to: &mapper) }
    expectDistinctKeys(0, of: &mapper)
  }

  /// Shows one field to a mapper.
  @_specialize(where Mapper == ChangeMapper)
  @_specialize(where Mapper == ValueMapper)
  func show<Mapper: DictMapper>(
    _ place: Int, of fields: UnsafeMutableRawPointer, to mapper: inout Mapper
  ) {
    // Unsafe, and right: see `walk`.
    places[place].type.show(fields + places[place].offset, to: &mapper)
  }

  /// Whether a field has the same stamp, and so the same value, in two items.
  func haveSameStamp(
    at place: Int, _ one: UnsafeMutableRawPointer, _ other: UnsafeMutableRawPointer
  ) -> Bool {
    // Unsafe, and right: a field begins with its stamp.
    let offset = places[place].offset
    return one.load(fromByteOffset: offset, as: UInt64.self)
      == other.load(fromByteOffset: offset, as: UInt64.self)
  }

  /// Tells the mapper that makes a document that it need not look for keys before it adds them.
  private func expectDistinctKeys<Mapper: DictMapper>(_ count: Int, of mapper: inout Mapper) {
    guard keysAreDistinct else { return }
    Self.change(&mapper) { (reader: inout EvalDictMapper) in reader.expectDistinctKeys(count) }
  }

  /// Changes a mapper if it is of some type.
  ///
  /// - Returns: Whether it is.
  @inline(__always) @discardableResult
  private static func change<Mapper: DictMapper, Wanted: DictMapper>(
    _ mapper: inout Mapper, _ body: (inout Wanted) -> Void
  ) -> Bool {
    guard Mapper.self == Wanted.self else { return false }
    // Unsafe, and right: both types are the same one.
    withUnsafeMutablePointer(to: &mapper) { pointer in
      pointer.withMemoryRebound(to: Wanted.self, capacity: 1) { body(&$0.pointee) }
    }
    return true
  }
}
