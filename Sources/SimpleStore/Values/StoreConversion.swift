#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How the value of a field is stored as another type, and comes back:
/// `@StoreParam(key:default:as:)`.
///
/// ```swift
/// struct Color { var rgb: UInt32 }
///
/// struct HexText: StoreConversion {
///   func stored(_ color: Color) -> String { String(color.rgb, radix: 16) }
///   func value(of text: String) -> Color? { UInt32(text, radix: 16).map(Color.init) }
/// }
///
/// struct Theme: StoreItem {
///   @StoreParam(key: "background", default: Color(rgb: 0), as: HexText()) var background: Color
/// }
/// ```
///
/// There are: ``text()`` for any `LosslessStringConvertible`, ``rawValue()`` for a raw-value type
/// of another module, ``secondsSince1970``, ``codable()`` for a `Codable` type of another module, and
/// ``ClosureConversion`` for two closures.
///
/// The law: `stored` of the value that `value(of:)` gives for it is the same again.
public protocol StoreConversion<Value>: Sendable {
  /// The type of the field.
  associatedtype Value: Sendable
  /// The type that is stored.
  associatedtype Stored: StoreConvertible

  /// What is stored for a value.
  ///
  /// - Throws: Why it cannot be stored; the save fails for this key.
  func stored(_ value: Value) throws -> Stored

  /// The value that was stored; nil when there is none. The field then has its default, and what
  /// is stored stays until it is set.
  func value(of stored: Stored) -> Value?
}

/// A conversion by two closures.
///
/// ```swift
/// struct Volume: StoreItem {
///   // A number from 0 to 1, stored as per cent.
///   @StoreParam(
///     key: "level", default: 0.5, as: ClosureConversion({ Int($0 * 100) }, { Double($0) / 100 }))
///   var level: Double
/// }
/// ```
public struct ClosureConversion<Value: Sendable, Stored: StoreConvertible>: StoreConversion {
  private let store: @Sendable (Value) throws -> Stored
  private let read: @Sendable (Stored) -> Value?

  /// A conversion.
  ///
  /// - Parameters:
  ///   - store: What is stored for a value.
  ///   - read: The value that was stored; nil when there is none.
  public init(
    _ store: @escaping @Sendable (Value) throws -> Stored,
    _ read: @escaping @Sendable (Stored) -> Value?
  ) {
    self.store = store
    self.read = read
  }

  public func stored(_ value: Value) throws -> Stored { try store(value) }
  public func value(of stored: Stored) -> Value? { read(stored) }
}

extension StoreConversion {
  /// The description of a value, for types that are made from it.
  public static func text<Value: LosslessStringConvertible>() -> Self
  where Self == ClosureConversion<Value, String> {
    ClosureConversion({ $0.description }, { Value($0) })
  }

  /// The raw value, for raw-value types that do not declare ``StoreConvertible`` themselves.
  public static func rawValue<Value: RawRepresentable>() -> Self
  where Value.RawValue: StoreConvertible, Self == ClosureConversion<Value, Value.RawValue> {
    ClosureConversion({ $0.rawValue }, { Value(rawValue: $0) })
  }
}

extension StoreConversion where Self == ClosureConversion<Date, Double> {
  /// A date as the number of seconds since 1970-01-01 00:00:00 UTC, as other systems have it.
  /// Dates more than a few years from 2001 lose what a double of that size cannot hold: less than
  /// a microsecond.
  public static var secondsSince1970: Self {
    ClosureConversion({ $0.timeIntervalSince1970 }, { Date(timeIntervalSince1970: $0) })
  }
}

/// A conversion of what an optional holds.
struct OptionalConversion<Base: StoreConversion>: StoreConversion {
  private let base: Base
  init(_ base: Base) { self.base = base }

  func stored(_ value: Base.Value?) throws -> Base.Stored? { try value.map(base.stored) }

  func value(of stored: Base.Stored?) -> Base.Value?? {
    guard let stored else { return .some(nil) }
    guard let value = base.value(of: stored) else { return .none }
    return .some(value)
  }
}
