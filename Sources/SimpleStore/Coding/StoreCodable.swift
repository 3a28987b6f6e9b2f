/// A `Codable` type whose values a store keeps, without any other code.
///
/// ```swift
/// struct Filter: StoreCodable {
///   var words: [String] = []
///   var since: Date?
/// }
///
/// struct Settings: StoreItem {
///   @StoreParam(key: "filter", default: Filter()) var filter
/// }
/// ```
///
/// What its `encode(to:)` writes is what is stored: keyed containers as dictionaries, with every
/// key as it is; unkeyed ones as arrays; dates, data, URLs, UUIDs and decimals as they are in
/// fields. Sets and dictionaries inside are sorted, so that equal values are stored as equal bytes.
///
/// A value whose encoding throws is not stored: the call that sets it throws
/// ``StoreError/Code/invalidValue`` with the coding path, and nothing is changed. A stored value
/// that `init(from:)` refuses is treated like one of another type. A changed value takes the place
/// of the old one as a whole: keys inside it that the type does not know are not kept, as those of
/// a nested ``StoreItem`` are.
public protocol StoreCodable: Codable, StoreConvertible {}

extension StoreCodable {
  /// What is stored; null when the encoding throws, which no save takes for a value: see
  /// ``checkedStoreValue()``.
  public var storeValue: StoreValue {
    // Not lost: every save asks `checkedStoreValue()`.
    (try? StoreValue(encoding: self)) ?? .null
  }

  public func checkedStoreValue() throws -> StoreValue { try StoreValue(encoding: self) }

  public init?(storeValue: StoreValue) {
    // The load report names the key.
    guard let value = try? storeValue.decoded(as: Self.self) else { return nil }
    self = value
  }
}

extension StoreCodable {
  /// Where in a stored value something is wrong, and what.
  static func decodingProblem(with stored: StoreValue) -> String? {
    do {
      _ = try stored.decoded(as: Self.self)
      return nil
    } catch {
      return ValueFault(decoding: error).sentence
    }
  }
}

extension ValueFault {
  /// What a decoder threw, with its coding path.
  init(decoding error: any Error) {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
      self = .encoding(
        path: context.codingPath.map(\.stringValue), message: context.debugDescription)
    default: self.init(error)
    }
  }
}

// A raw-value type that is `Codable` too is stored by its raw value: the same, and found at once.
extension StoreCodable where Self: RawRepresentable, RawValue: StoreConvertible {
  public var storeValue: StoreValue { rawValue.storeValue }

  public func checkedStoreValue() throws -> StoreValue { try rawValue.checkedStoreValue() }

  public init?(storeValue: StoreValue) {
    guard let rawValue = RawValue(storeValue: storeValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension StoreValue {
  /// The stored form of any `Encodable` value.
  ///
  /// - Throws: What its `encode(to:)` throws, or an `EncodingError` for one that is nested deeper
  ///   than a document may be; with the coding path.
  public init(encoding value: some Encodable) throws {
    self = try StoreEncoder.encode(value)
  }

  /// The value that this is the stored form of.
  ///
  /// - Parameter type: The type to decode.
  /// - Throws: A `DecodingError` with the coding path, or what its `init(from:)` throws.
  public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try StoreDecoder(self, path: []).decode(type)
  }
}

extension StoreConversion {
  /// Any `Codable` type, stored as ``StoreCodable`` stores it, for types of other modules.
  public static func codable<Value: Codable & Sendable>() -> Self
  where Self == CodableConversion<Value> {
    CodableConversion()
  }
}

/// The conversion ``StoreConversion/codable()``.
public struct CodableConversion<Value: Codable & Sendable>: StoreConversion {
  /// A value in its stored form.
  public struct Stored: StoreCodable {
    let value: Value
    init(_ value: Value) { self.value = value }
    public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  public func stored(_ value: Value) throws -> Stored { Stored(value) }
  public func value(of stored: Stored) -> Value? { stored.value }
}
