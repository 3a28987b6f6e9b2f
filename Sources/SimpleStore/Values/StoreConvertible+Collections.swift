extension Optional: StoreConvertible where Wrapped: StoreConvertible {
  /// Null for nil. An optional of an optional keeps "there, and nil" apart as `[null]`.
  public var storeValue: StoreValue {
    guard let self else { return .null }
    let value = self.storeValue
    if case .null = value { return .array([.null]) }
    return value
  }

  public func checkedStoreValue() throws -> StoreValue {
    guard let self else { return .null }
    let value = try self.checkedStoreValue()
    if case .null = value { return .array([.null]) }
    return value
  }

  public init?(storeValue: StoreValue) {
    if case .null = storeValue {
      self = nil
    } else if let value = Wrapped(storeValue: storeValue) {
      self = value
    } else if case .array([.null]) = storeValue, let value = Wrapped(storeValue: .null) {
      self = value
    } else {
      return nil
    }
  }

  public static func storeValue(_ new: StoreValue, replacing old: StoreValue) -> StoreValue {
    Wrapped.storeValue(new, replacing: old)
  }
}

extension Array: StoreConvertible where Element: StoreConvertible {
  public var storeValue: StoreValue {
    // Not a key path, which is made anew each time: 150 ns, more than a small array takes.
    .array(map { $0.storeValue })
  }

  public func checkedStoreValue() throws -> StoreValue {
    .array(try map { try $0.checkedStoreValue() })
  }

  /// Nil when one element is not of this type: half a list is not the list.
  public init?(storeValue: StoreValue) {
    guard case .array(let values) = storeValue else { return nil }
    self.init()
    reserveCapacity(values.count)
    for value in values {
      guard let element = Element(storeValue: value) else { return nil }
      append(element)
    }
  }

  /// Lists of items keep what their items do not know: each element takes it from an older one that
  /// is equal to it, or, when the list is as long as before, from the one in its place.
  public static func storeValue(_ new: StoreValue, replacing old: StoreValue) -> StoreValue {
    guard case .array(let values) = new, case .array(let olds) = old,
      olds.contains(where: { if case .dictionary = $0 { true } else { false } })
    else { return new }
    return .array(keepingUnknown(in: values, from: olds))
  }

  /// The values, each with what its item does not know.
  static func keepingUnknown(in values: [StoreValue], from olds: [StoreValue]) -> [StoreValue] {
    let known = olds.map { Element(storeValue: $0)?.storeValue }
    var values = values
    var isTaken = Array<Bool>(repeating: false, count: olds.count)
    var unmatched: [Int] = []
    var next = 0
    for position in values.indices {
      let isMatch = { (old: Int) in !isTaken[old] && known[old] == values[position] }
      if let match = (next..<olds.count).first(where: isMatch)
        ?? olds.indices.first(where: isMatch)
      {
        values[position] = Element.storeValue(values[position], replacing: olds[match])
        isTaken[match] = true
        next = match + 1
      } else {
        unmatched.append(position)
      }
    }
    guard values.count == olds.count else { return values }
    // One that was changed where it stands.
    for position in unmatched where !isTaken[position] {
      values[position] = Element.storeValue(values[position], replacing: olds[position])
    }
    return values
  }
}
