// The names of SimpleStoreData, for people who come from there: each says what it is called now.
// What to change beyond the names is on the page <doc:ComingFromSimpleStoreData>.

@available(*, unavailable, renamed: "StoreParam")
@propertyWrapper
public struct UDMapperParam<Value: Sendable> {
  public var wrappedValue: Value { fatalError("unavailable") }
  public init(key: String, default defaultValue: Value) { fatalError("unavailable") }
}

@available(
  *, unavailable,
  message:
    "declare StoreConvertible; a raw-value enum needs nothing else, other types have storeValue and init?(storeValue:) in place of toUDAny and fromUDAny"
)
public protocol UDCoding {}

@available(*, unavailable, renamed: "StoreItem")
public typealias UDMapperStoreItem = StoreItem
@available(*, unavailable, renamed: "StoreItem")
public typealias SimpleStoreUDItem = StoreItem
@available(*, unavailable, renamed: "StoreItem")
public typealias DictMapperStoreItem = StoreItem
@available(*, unavailable, renamed: "CodableStoreItem")
public typealias CodableDictStoreItem = CodableStoreItem
@available(
  *, unavailable, renamed: "CodableStoreItem",
  message: "use CodableStoreItem: it is stored field by field, not as one piece of data"
)
public typealias CodableDataStoreItem = CodableStoreItem

@available(
  *, unavailable, renamed: "SimpleStore",
  message:
    "use SimpleStore<Item>(.userDefaults(suite:key:)) of SimpleStoreSystem, or a file: .plist(named:)"
)
public typealias StoreDictUD = SimpleStore
@available(
  *, unavailable, renamed: "SimpleStore",
  message:
    "use SimpleStore<Item> with a file, .plist(named:) or .json(named:), or .userDefaults(suite:key:) of SimpleStoreSystem"
)
public typealias StoreDataUD = SimpleStore
@available(
  *, unavailable, renamed: "SimpleStore",
  message: "use SimpleStore<Item>(.keychain(service:account:)) of SimpleStoreSystem"
)
public typealias StoreKeychain = SimpleStore
@available(
  *, unavailable,
  message:
    "use @Stored(.userDefaults(suite:key:)) of SimpleStoreSystem, or a file: @Stored(.plist(named:))"
)
public typealias StoreDictUDW = SimpleStore
@available(
  *, unavailable, message: "use @Stored with a file: @Stored(.plist(named:))"
)
public typealias StoreDataUDW = SimpleStore
@available(
  *, unavailable, message: "use @Stored(.keychain(service:account:)) of SimpleStoreSystem"
)
public typealias StoreKeychainW = SimpleStore
