/// Declares a stored field of an item: the key under which it is stored and the value it has when
/// nothing is.
///
/// ```swift
/// struct User: StoreItem {
///   @StoreParam(key: "name", default: "") var name
///   @StoreParam(key: "age", default: 0) var age
///   @StoreParam(key: "nickname") var nickname: String?
/// }
/// ```
///
/// `$name` is the declaration itself: its ``key``, its ``defaultValue`` and whether the field
/// ``isDefault``.
@propertyWrapper
public struct StoreParam<Value: Sendable>: Sendable {
  /// Equal stamps mean equal values: a fresh number on creation and on every write. First, so that
  /// the place of the stamp is the place of the field (see ``ItemLayout``).
  @usableFromInline var stamp: UInt64

  /// The key under which the field is stored.
  ///
  /// Before the value: what has the same place for every type is found without looking up the
  /// type's layout, which takes 45 ns.
  public let key: String

  @usableFromInline var value: Value
  /// The value of the field when nothing is stored.
  public let defaultValue: Value
  /// Nil for most fields.
  private let options: FieldOptions<Value>?

  /// The value of the field.
  public var wrappedValue: Value {
    @inlinable get { value }
    @inlinable set {
      value = newValue
      stamp = Revision.next()
    }
    @inlinable _modify {
      defer { stamp = Revision.next() }
      yield &value
    }
  }

  /// The declaration of the field, for `SimpleStore.reset(_:)` and to look at. Assigning another
  /// declaration takes over its value only.
  public var projectedValue: StoreParam {
    get { self }
    set {
      value = newValue.value
      stamp = newValue.stamp
    }
  }

  init(declaring key: String, _ defaultValue: Value, _ options: FieldOptions<Value>? = nil) {
    self.key = key
    self.defaultValue = defaultValue
    self.options = options
    value = defaultValue
    stamp = Revision.next()
  }
}

extension StoreParam where Value: StoreConvertible {
  /// A field with a key and a default.
  ///
  /// - Parameters:
  ///   - key: Any text but the empty one, used by one field of the item only. It is stored as it
  ///     is: dots and slashes are no paths.
  ///   - defaultValue: The value when nothing is stored.
  public init(key: String, default defaultValue: Value) {
    self.init(declaring: key, defaultValue)
  }

  /// An optional field that is nil when nothing is stored.
  ///
  /// - Parameter key: Any text but the empty one, used by one field of the item only.
  public init<Wrapped: StoreConvertible>(key: String) where Value == Wrapped? {
    self.init(declaring: key, nil)
  }
}

extension StoreParam {
  /// The keys under which the field was stored before, oldest first.
  public var formerKeys: [String] { options?.formerKeys ?? [] }
  /// How the value is stored, when not by itself.
  var conversion: (any StoreConversion<Value>)? { options?.conversion }

  /// Says what is wrong with the value, if it is not one that may be stored.
  func checkLimits() throws(ValueFault) {
    if let fault = options?.fault?(value) { throw fault }
  }

  /// Takes a value that was found stored, if it may be.
  mutating func take(
    _ newValue: Value, storedAs stored: StoreValue
  ) throws(LoadReport.WrongType) {
    if let fault = options?.fault?(newValue) {
      throw LoadReport.WrongType(
        key: key, found: stored.kind, expected: "\(Value.self)", reason: fault.sentence)
    }
    wrappedValue = newValue
  }
}

extension StoreParam: StoreField where Value: StoreConvertible {
  public var revision: UInt64? { stamp }
  public var storedType: any StoreConvertible.Type { Value.self }
  public var defaultStoreValue: StoreValue { defaultValue.storeValue }

  /// Whether the field has its default.
  public var isDefault: Bool { value.storeValue == defaultValue.storeValue }

  public func checkedStoreValue() throws -> StoreValue {
    try checkLimits()
    return try value.checkedStoreValue()
  }

  public mutating func read(_ stored: StoreValue) throws(LoadReport.WrongType) {
    try take(try Value.read(stored, for: key), storedAs: stored)
  }

  public mutating func reset() { wrappedValue = defaultValue }

  public mutating func show<Mapper: DictMapper>(to mapper: inout Mapper) {
    // In place, and with a new stamp, since the mapper may have changed the value.
    mapper.map(&wrappedValue, key: key, default: defaultValue)
  }
}

// What does not work says so when it is compiled, with what to do instead.
extension StoreParam {
  @available(
    *, unavailable,
    message:
      "this type cannot be stored. A raw-value enum only has to declare StoreConvertible, a nested struct StoreItem; any other type conforms to StoreConvertible. An empty literal needs its type: var tags: [String]"
  )
  @_disfavoredOverload
  public init(key: String, default defaultValue: Value) { fatalError("unavailable") }

  @available(
    *, unavailable,
    message: "a field that is not optional needs a default: @StoreParam(key:default:)"
  )
  @_disfavoredOverload
  public init(key: String) { fatalError("unavailable") }

  @available(
    *, unavailable,
    message:
      "what is inside this optional cannot be stored. A raw-value enum only has to declare StoreConvertible, a nested struct StoreItem; any other type conforms to StoreConvertible"
  )
  public init<Wrapped: Sendable>(key: String) where Value == Wrapped? { fatalError("unavailable") }

  @available(
    *, unavailable,
    message: "the default stands with the key: @StoreParam(key: \"n\", default: 3) var n"
  )
  public init(wrappedValue: Value, key: String) { fatalError("unavailable") }
}

// What `print` and `dump` show of an item: values, not how a field is made.
extension StoreParam: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The value.
  public var description: String { ValueText.describe(value) }
  /// The value, as ``description`` for developers.
  public var debugDescription: String { ValueText.reflect(value) }
  /// The declaration: key and default. The value is the ``debugDescription``, which stands before it.
  public var customMirror: Mirror {
    Mirror(self, children: ["key": key, "default": defaultValue], displayStyle: .struct)
  }
}
