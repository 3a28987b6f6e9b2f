#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  private struct Place: Sendable {
    let offset: Int
    let type: FieldType
  }

  private enum FieldType: Sendable {
    /// The value itself can be stored, unless the field says otherwise.
    case native(any NativeParam.Type)
    /// The value is stored as another type.
    case converted(any MappedParam.Type)
  }

  let fields: [Field]
  private let places: [Place]
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
      guard let param = child.value as? any MappedParam else { continue }
      let label = child.label ?? "?"
      let property = label.hasPrefix("_") ? String(label.dropFirst()) : label
      if let offset = Self.offset(of: param.stamp, in: &item) {
        fields.append(Field(property: property, key: param.key))
        let type =
          (param as? any NativeParam).map { FieldType.native(Swift.type(of: $0)) }
          ?? .converted(Swift.type(of: param))
        places.append(Place(offset: offset, type: type))
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

  /// Shows each field to a mapper, in order of declaration.
  func walk<Item: StoreItem, Mapper: DictMapper>(_ item: inout Item, with mapper: inout Mapper) {
    // Unsafe, and right: each offset is where a value of exactly this type had its first stored
    // property in another value of type `Item`, and all values of a struct type are laid out
    // alike. The pointer does not leave the closure, and `item` is held exclusively meanwhile.
    withUnsafeMutableBytes(of: &item) { bytes in
      guard let base = bytes.baseAddress else { return }
      if keysAreDistinct { expectDistinctKeys(fields.count, of: &mapper) }
      defer { if keysAreDistinct { expectDistinctKeys(0, of: &mapper) } }
      for place in places {
        switch place.type {
        case .native(let type): type.mapNative(at: base + place.offset, with: &mapper)
        case .converted(let type): type.mapConverted(at: base + place.offset, with: &mapper)
        }
      }
    }
  }
}

extension ItemLayout {
  /// Tells the mapper that makes a document that it need not look for keys before it adds them.
  private func expectDistinctKeys<Mapper: DictMapper>(_ count: Int, of mapper: inout Mapper) {
    guard Mapper.self == EvalDictMapper.self else { return }
    // Unsafe, and right: both types are the same one.
    withUnsafeMutablePointer(to: &mapper) { pointer in
      pointer.withMemoryRebound(to: EvalDictMapper.self, capacity: 1) {
        $0.pointee.expectDistinctKeys(count)
      }
    }
  }
}

/// A field of some type, as the layout sees it.
private protocol MappedParam: SendableMetatype {
  var key: String { get }
  var stamp: UInt64 { get }
  static func mapConverted<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper)
}

/// A field whose value can be stored. A protocol of its own, since a type cannot conform to one
/// protocol in two ways.
private protocol NativeParam: SendableMetatype {
  static func mapNative<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper)
}

// In both the memory is bound to this type: it is the stored property of the item.
extension StoreParam: MappedParam {
  fileprivate static func mapConverted<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper
  ) {
    mapper.map(converted: &place.assumingMemoryBound(to: Self.self).pointee)
  }
}

extension StoreParam: NativeParam where Value: StoreConvertible {
  // The commonest fields under the mappers of a save: without these the run time looks up the
  // layout of each field's type at each visit, half the cost of a walk.
  @_specialize(where Value == String, Mapper == EvalDictMapper)
  @_specialize(where Value == Int, Mapper == EvalDictMapper)
  @_specialize(where Value == Bool, Mapper == EvalDictMapper)
  @_specialize(where Value == Double, Mapper == EvalDictMapper)
  @_specialize(where Value == String?, Mapper == EvalDictMapper)
  @_specialize(where Value == Date, Mapper == EvalDictMapper)
  @_specialize(where Value == Data, Mapper == EvalDictMapper)
  @_specialize(where Value == [String], Mapper == EvalDictMapper)
  @_specialize(where Value == [String: Int], Mapper == EvalDictMapper)
  @_specialize(where Value == [String: String], Mapper == EvalDictMapper)
  @_specialize(where Value == String, Mapper == MarkMapper)
  @_specialize(where Value == Int, Mapper == MarkMapper)
  @_specialize(where Value == Bool, Mapper == MarkMapper)
  @_specialize(where Value == Double, Mapper == MarkMapper)
  @_specialize(where Value == String?, Mapper == MarkMapper)
  @_specialize(where Value == Date, Mapper == MarkMapper)
  @_specialize(where Value == Data, Mapper == MarkMapper)
  @_specialize(where Value == [String], Mapper == MarkMapper)
  @_specialize(where Value == [String: Int], Mapper == MarkMapper)
  @_specialize(where Value == [String: String], Mapper == MarkMapper)
  @_specialize(where Value == String, Mapper == ChangeMapper)
  @_specialize(where Value == Int, Mapper == ChangeMapper)
  @_specialize(where Value == Bool, Mapper == ChangeMapper)
  @_specialize(where Value == Double, Mapper == ChangeMapper)
  @_specialize(where Value == String?, Mapper == ChangeMapper)
  @_specialize(where Value == Date, Mapper == ChangeMapper)
  @_specialize(where Value == Data, Mapper == ChangeMapper)
  @_specialize(where Value == [String], Mapper == ChangeMapper)
  @_specialize(where Value == [String: Int], Mapper == ChangeMapper)
  @_specialize(where Value == [String: String], Mapper == ChangeMapper)
  @_specialize(where Value == String, Mapper == AssignDictMapper)
  @_specialize(where Value == Int, Mapper == AssignDictMapper)
  @_specialize(where Value == Bool, Mapper == AssignDictMapper)
  @_specialize(where Value == Double, Mapper == AssignDictMapper)
  @_specialize(where Value == String?, Mapper == AssignDictMapper)
  @_specialize(where Value == Date, Mapper == AssignDictMapper)
  @_specialize(where Value == Data, Mapper == AssignDictMapper)
  @_specialize(where Value == [String], Mapper == AssignDictMapper)
  @_specialize(where Value == [String: Int], Mapper == AssignDictMapper)
  @_specialize(where Value == [String: String], Mapper == AssignDictMapper)
  fileprivate static func mapNative<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper
  ) {
    mapper.map(&place.assumingMemoryBound(to: Self.self).pointee)
  }
}
