extension Bool: StoreConvertible {
  public var storeValue: StoreValue { .bool(self) }

  /// Only a Boolean: a number is never one.
  public init?(storeValue: StoreValue) {
    guard case .bool(let value) = storeValue else { return nil }
    self = value
  }
}

extension StoreConvertible where Self: FixedWidthInteger {
  public var storeValue: StoreValue {
    if let small = Int64(exactly: self) {
      .integer(small)
    } else if let large = UInt64(exactly: self) {
      .unsigned(large)
    } else {
      .number(String(self))
    }
  }

  /// Any number that this type holds exactly: 1.0 is 1; 1.5, 300 for an `Int8` and Booleans are nil.
  public init?(storeValue: StoreValue) {
    switch storeValue {
    case .integer(let value): self.init(exactly: value)
    case .unsigned(let value): self.init(exactly: value)
    case .double(let value): self.init(exactly: value)
    case .number(let text): self.init(text, radix: 10)
    default: return nil
    }
  }
}

extension Int: StoreConvertible {}
extension Int8: StoreConvertible {}
extension Int16: StoreConvertible {}
extension Int32: StoreConvertible {}
extension Int64: StoreConvertible {}
extension Int128: StoreConvertible {}
extension UInt: StoreConvertible {}
extension UInt8: StoreConvertible {}
extension UInt16: StoreConvertible {}
extension UInt32: StoreConvertible {}
extension UInt64: StoreConvertible {}
extension UInt128: StoreConvertible {}

extension Double: StoreConvertible {
  public var storeValue: StoreValue { .double(self) }

  /// A double; an integer that a double holds exactly; a decimal number of any length, rounded to
  /// the nearest; and the texts "NaN", "Infinity" and "-Infinity", which JSON has no number for.
  public init?(storeValue: StoreValue) {
    switch storeValue {
    case .double(let value): self = value
    case .integer(let value): self.init(exactly: value)
    case .unsigned(let value): self.init(exactly: value)
    case .number(let text):
      guard let value = Double(text), value.isFinite, text.contains(where: ".eE".contains) else {
        return nil
      }
      self = value
    case .string("NaN"): self = .nan
    case .string("Infinity"): self = .infinity
    case .string("-Infinity"): self = -.infinity
    default: return nil
    }
  }
}

extension Float: StoreConvertible {
  /// The shortest decimal that reads back as this value, so that a file shows 0.1 and not
  /// 0.10000000149011612.
  public var storeValue: StoreValue {
    if let short = Double(description), Float(short).bitPattern == bitPattern {
      .double(short)
    } else {
      .double(Double(self))
    }
  }

  /// What `Double` accepts, rounded to the nearest; a finite number beyond the range is nil.
  public init?(storeValue: StoreValue) {
    guard let double = Double(storeValue: storeValue) else { return nil }
    let value = Float(double)
    if double.isFinite && !value.isFinite { return nil }
    self = value
  }
}
