/// What is known of a plain `Codable` item type: its keys, and its defaults as a document.
struct CodableSchema: Sendable {
  let keys: [String]
  let defaults: StoreDocument

  private static let known = Guarded<[ObjectIdentifier: CodableSchema]>([:])

  /// Learnt at the first use. The keys are those that `init(from:)` asks for, so that an optional,
  /// which is not encoded while it is nil, is among them.
  static func of<Item: CodableStoreItem>(_ type: Item.Type) -> CodableSchema {
    let id = ObjectIdentifier(type)
    if let schema = known.withLock({ $0[id] }) { return schema }
    // Outside the lock: this runs the user's code.
    let (defaults, faults, _) = StoreEncoder.encodeFields(of: Item())
    let recorder = KeyRecorder()
    // What it throws does not matter: the keys are what is wanted.
    _ = try? Item(from: StoreDecoder(.dictionary(defaults), path: [], recorder: recorder))
    for key in defaults.keys + faults.map(\.key) { recorder.note(key) }
    let schema = CodableSchema(keys: recorder.keys, defaults: defaults)
    return known.withLock { known in
      // Two threads may have learnt it; the defaults of one of them count for both.
      if let first = known[id] { return first }
      known[id] = schema
      return schema
    }
  }
}

/// A mapper's way through a plain `Codable` item, as a document.
final class CodableVisit<Item: CodableStoreItem> {
  let schema = CodableSchema.of(Item.self)
  private let faults: [(key: String, fault: ValueFault)]
  /// Why nothing of the item could be encoded.
  private let fault: ValueFault?
  /// Whether each value that is read is tried at once.
  let isCareful: Bool
  var document: StoreDocument
  var isChanged = false

  init(of item: Item, isCareful: Bool) {
    (document, faults, fault) = StoreEncoder.encodeFields(of: item)
    self.isCareful = isCareful
  }

  /// Why the value of a key could not be encoded.
  func fault(of key: String) -> ValueFault? {
    if let fault = fault ?? faults.first(where: { $0.key.hasSameBytes(as: key) })?.fault {
      return fault
    }
    return schema.keys.contains(where: key.hasSameBytes(as:)) ? nil : .unknownToDefault
  }

  /// The keys that are encoded now and are not the type's.
  var strangeKeys: [String] {
    document.keys.filter { key in !schema.keys.contains(where: key.hasSameBytes(as:)) }
  }

  /// How a value is not one of the key's; nil when it is.
  func problem(with stored: StoreValue, for key: String) -> LoadReport.WrongType? {
    var trial = document
    trial[key] = stored
    do {
      _ = try StoreValue.dictionary(trial).decoded(as: Item.self)
      return nil
    } catch {
      return LoadReport.WrongType(
        key: key, found: stored.kind, expected: "\(Item.self).\(key)",
        reason: ValueFault(decoding: error).sentence)
    }
  }
}

/// One key of a plain `Codable` item.
struct CodableField<Item: CodableStoreItem>: StoreField {
  let key: String
  let visit: CodableVisit<Item>

  var storedType: any StoreConvertible.Type { CodableContent.self }
  var defaultStoreValue: StoreValue { visit.schema.defaults[key] ?? .null }

  func checkedStoreValue() throws -> StoreValue {
    if let fault = visit.fault(of: key) { throw fault }
    return visit.document[key] ?? .null
  }

  mutating func read(_ stored: StoreValue) throws(LoadReport.WrongType) {
    if visit.isCareful, let problem = visit.problem(with: stored, for: key) { throw problem }
    visit.document[key] = stored
    visit.isChanged = true
  }

  func canRead(_ stored: StoreValue) -> Bool { visit.problem(with: stored, for: key) == nil }

  mutating func reset() {
    visit.document[key] = visit.schema.defaults[key]
    visit.isChanged = true
  }

  mutating func show<Mapper: DictMapper>(to mapper: inout Mapper) {
    let before = visit.document[key] ?? .null
    var content = CodableContent(storeValue: before)
    mapper.map(&content, key: key, default: CodableContent(storeValue: defaultStoreValue))
    guard content.storeValue != before, canRead(content.storeValue) else { return }
    visit.document[key] = content.storeValue
    visit.isChanged = true
  }
}

/// The stored form of a part of a `Codable` item.
struct CodableContent: StoreConvertible {
  let storeValue: StoreValue

  init(storeValue: StoreValue) { self.storeValue = storeValue }
}
