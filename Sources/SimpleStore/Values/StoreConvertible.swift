/// A type whose values a store can keep.
///
/// These conform already: Bool, every integer, Float, Double, Decimal, String, Character, Data,
/// Date, Duration, URL, UUID, ranges, optionals, arrays, sets, dictionaries (see ``StoreKey``) and
/// nested items; how each is stored is listed in <doc:StoredTypes>. A raw-value enum only has to
/// say so, a `Codable` type declares ``StoreCodable``; any other type says how it becomes a
/// ``StoreValue`` and back:
///
/// ```swift
/// enum Gender: Int, StoreConvertible { case unknown, male, female }
///
/// struct Angle: StoreConvertible {
///   var degrees: Double
///   init(degrees: Double) { self.degrees = degrees }
///
///   var storeValue: StoreValue { degrees.storeValue }
///   init?(storeValue: StoreValue) {
///     guard let degrees = Double(storeValue: storeValue) else { return nil }
///     self.init(degrees: degrees)
///   }
/// }
/// ```
///
/// The law: `Self(storeValue: value.storeValue)` gives back a value with the same `storeValue`.
public protocol StoreConvertible: Sendable {
  /// What is stored for this value.
  var storeValue: StoreValue { get }

  /// What is stored for this value, for the saves that can say why it cannot be.
  ///
  /// You do not have to write this: it is ``storeValue``. Write it when not every value of the type
  /// can be stored. A save that meets an error fails for that key and changes nothing; other keys
  /// can still be saved.
  ///
  /// - Throws: Why this value cannot be stored.
  func checkedStoreValue() throws -> StoreValue

  /// The value that was stored, or nil when what is there is not one of this type. The field then
  /// has its default, the load report names the key, and what is stored stays until it is set.
  ///
  /// - Parameter storeValue: What a file holds. A format that has no type of its own for a value
  ///   spells it as text or a number (JSON: dates, data), so accept such spellings too.
  init?(storeValue: StoreValue)

  /// What to write when a changed value takes the place of an older one.
  ///
  /// You do not have to write this. Nested items use it to keep the keys that they do not know,
  /// dictionaries to keep the order of the keys that were there.
  ///
  /// - Parameters:
  ///   - new: The ``storeValue`` of the changed value.
  ///   - old: What is stored now.
  /// - Returns: `new`, with whatever of `old` must not be lost.
  static func storeValue(_ new: StoreValue, replacing old: StoreValue) -> StoreValue
}

extension StoreConvertible {
  public func checkedStoreValue() throws -> StoreValue { storeValue }

  public static func storeValue(_ new: StoreValue, replacing old: StoreValue) -> StoreValue {
    new
  }
}

// What lacks the requirements says what to do, where the compiler would only say that it does not
// conform.
extension StoreConvertible {
  @available(
    *, unavailable,
    message:
      "an enum without payloads needs a raw value (enum Mood: String, StoreConvertible), a Codable type declares StoreCodable, a struct of @StoreParam fields StoreItem; any other type has storeValue and init?(storeValue:)"
  )
  public var storeValue: StoreValue { fatalError("unavailable") }

  @available(
    *, unavailable,
    message:
      "an enum without payloads needs a raw value (enum Mood: String, StoreConvertible), a Codable type declares StoreCodable, a struct of @StoreParam fields StoreItem; any other type has storeValue and init?(storeValue:)"
  )
  public init?(storeValue: StoreValue) { fatalError("unavailable") }
}

extension StoreConvertible where Self: RawRepresentable, RawValue: StoreConvertible {
  /// The raw value is what is stored.
  public var storeValue: StoreValue { rawValue.storeValue }

  /// A raw value that this build does not know is nil: the field has its default, and what is
  /// stored stays.
  public init?(storeValue: StoreValue) {
    guard let rawValue = RawValue(storeValue: storeValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
