/// A struct whose fields are stored.
///
/// Declare the fields with ``StoreParam``; nothing else has to be written.
///
/// ```swift
/// struct User: StoreItem {
///   @StoreParam(key: "name", default: "") var name
///   @StoreParam(key: "age", default: 0) var age
/// }
/// ```
///
/// An item may be a field of another item, alone, in an array or in a dictionary. A property without
/// ``StoreParam`` is not stored: the store keeps it in memory, with the item.
///
/// The declaration is checked when the first store of the type is made: a class, no field, an
/// empty key or one key for two fields end the program with one sentence for each finding.
public protocol StoreItem: StoreConvertible {
  /// An item whose fields have their defaults.
  init()

  /// Shows every stored field to a mapper, in the order in which they are written.
  ///
  /// You do not have to write this: the library finds the ``StoreParam`` fields. When you do, what
  /// you list is what counts, plain properties included:
  ///
  /// ```swift
  /// struct Window: StoreItem {
  ///   @StoreParam(key: "title", default: "") var title
  ///   var width = 800
  ///
  ///   mutating func mapValue(_ mapper: inout some DictMapper) {
  ///     mapper <- _title
  ///     mapper.map(&width, key: "width", default: 800)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter mapper: Reads or changes the fields that it is shown.
  mutating func mapValue<Mapper: DictMapper>(_ mapper: inout Mapper)

  /// The steps that bring the documents of earlier versions to this one, oldest first. You do not
  /// have to write this. See ``StoreMigration``.
  static var migrations: [StoreMigration] { get }
}

extension StoreItem {
  public static var migrations: [StoreMigration] { [] }
}

extension StoreItem {
  public mutating func mapValue<Mapper: DictMapper>(_ mapper: inout Mapper) {
    ItemLayout.of(Self.self).walk(&self, with: &mapper)
  }
}

// An item as a field of another item.
extension StoreItem {
  /// A dictionary of the fields.
  public var storeValue: StoreValue {
    var item = self
    var mapper = EvalDictMapper()
    item.mapValue(&mapper)
    return .dictionary(mapper.document)
  }

  /// - Throws: Why the value of a field cannot be stored.
  public func checkedStoreValue() throws -> StoreValue {
    var item = self
    var mapper = EvalDictMapper()
    item.mapValue(&mapper)
    if let (key, fault) = mapper.faults.first { throw ValueFault.nested(key: key, fault) }
    return .dictionary(mapper.document)
  }

  /// The item that a dictionary holds. A missing key or a value of another type costs that field
  /// only; nil when it is no dictionary.
  public init?(storeValue: StoreValue) {
    guard case .dictionary(let document) = storeValue else { return nil }
    self.init()
    var mapper = AssignDictMapper(document)
    mapValue(&mapper)
  }

  /// Keys that the item does not know stay where they are; so does a value of another type, until
  /// its field is set.
  public static func storeValue(_ new: StoreValue, replacing old: StoreValue) -> StoreValue {
    guard case .dictionary(let news) = new, case .dictionary(var result) = old else { return new }
    var merger = MergeDictMapper(new: news, result: result)
    var item = Self()
    item.mapValue(&merger)
    result = merger.result
    return .dictionary(result)
  }
}
