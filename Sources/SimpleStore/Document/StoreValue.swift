#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One value of a stored document, whatever the format of the file.
///
/// A Boolean, an integer and a double are three different things all the way down: `true` is never
/// 1, and `1` is never `1.0`. Which of them a field accepts is decided by the field's type
/// (``StoreConvertible``), never by the format.
///
/// ```swift
/// let value: StoreValue = .array([.integer(1), .string("two"), .null])
/// ```
public enum StoreValue: Sendable {
  /// Present, and nothing. Not the same as a key that is absent.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number that `Int64` holds.
  case integer(Int64)
  /// A whole number above `Int64.max`. Make it with ``init(unsigned:)``, which keeps smaller ones
  /// in ``integer(_:)``.
  case unsigned(UInt64)
  /// A binary floating point number: any bit pattern, NaN and the infinities included.
  case double(Double)
  /// A number that no case above holds exactly, as the file spells it (thirty digits, `1e400`).
  /// It is carried through a save unchanged.
  case number(String)
  /// Text, compared by its UTF-8 bytes.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A point in time, exact to the last bit of its `timeIntervalSinceReferenceDate`.
  case date(Date)
  /// An ordered list.
  case array([StoreValue])
  /// Keys and values, in order.
  case dictionary(StoreDocument)

  /// A whole number from 0 to `UInt64.max`, in the one case that stands for it.
  public init(unsigned number: UInt64) {
    if let small = Int64(exactly: number) {
      self = .integer(small)
    } else {
      self = .unsigned(number)
    }
  }
}

extension StoreValue: Equatable {
  /// Whether both would read back as the same value: doubles and dates are compared by bit
  /// pattern (so NaN equals itself and `-0.0` differs from `0.0`), text by its bytes.
  public static func == (left: StoreValue, right: StoreValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.number(let left), .number(let right)): left.hasSameBytes(as: right)
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern
        == right.timeIntervalSinceReferenceDate.bitPattern
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }
}

extension StoreValue {
  /// What kind of value it is, in one word, for messages: "integer", "string", …
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .unsigned: "integer"
    case .double, .number: "number"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .array: "array"
    case .dictionary: "dictionary"
    }
  }
}
