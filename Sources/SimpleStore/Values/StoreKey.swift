#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A type whose values can be the keys of a stored dictionary: every key has a text of its own.
///
/// String, Character, every integer, UUID and URL conform already. A raw-value enum whose raw
/// values are keys, and any `LosslessStringConvertible`, only has to say so:
///
/// ```swift
/// enum Slot: String, StoreKey { case left, right }
///
/// struct Hotkeys: StoreItem {
///   @StoreParam(key: "slots", default: [:]) var slots: [Slot: Int]
/// }
/// ```
///
/// The law: `Self(storeKey: key.storeKey) == key`. A save refuses a dictionary in which two keys
/// have the same text.
public protocol StoreKey: Hashable, Sendable {
  /// The text under which an entry is stored.
  var storeKey: String { get }

  /// The key with this text, or nil when there is none. Then the whole dictionary is not of its
  /// type: the field has its default, and what is stored stays.
  init?(storeKey: String)
}

extension StoreKey where Self: LosslessStringConvertible {
  /// The description is the text.
  public var storeKey: String { description }
  public init?(storeKey: String) { self.init(storeKey) }
}

extension StoreKey where Self: RawRepresentable, RawValue: StoreKey {
  /// The raw value's text.
  public var storeKey: String { rawValue.storeKey }
  public init?(storeKey: String) {
    guard let rawValue = RawValue(storeKey: storeKey) else { return nil }
    self.init(rawValue: rawValue)
  }
}

// A type that is both is stored by its raw value, as it is when it is a value.
extension StoreKey where Self: RawRepresentable & LosslessStringConvertible, RawValue: StoreKey {
  public var storeKey: String { rawValue.storeKey }
  public init?(storeKey: String) {
    guard let rawValue = RawValue(storeKey: storeKey) else { return nil }
    self.init(rawValue: rawValue)
  }
}

extension String: StoreKey {}
extension Int: StoreKey {}
extension Int8: StoreKey {}
extension Int16: StoreKey {}
extension Int32: StoreKey {}
extension Int64: StoreKey {}
extension Int128: StoreKey {}
extension UInt: StoreKey {}
extension UInt8: StoreKey {}
extension UInt16: StoreKey {}
extension UInt32: StoreKey {}
extension UInt64: StoreKey {}
extension UInt128: StoreKey {}

extension Character: StoreKey {
  public var storeKey: String { String(self) }
  // Its `LosslessStringConvertible` initialiser traps on anything but one character.
  public init?(storeKey: String) { self.init(storeValue: .string(storeKey)) }
}

extension UUID: StoreKey {
  public var storeKey: String { uuidString }
  public init?(storeKey: String) { self.init(uuidString: storeKey) }
}

extension URL: StoreKey {
  public var storeKey: String { absoluteString }
  public init?(storeKey: String) { self.init(string: storeKey) }
}
