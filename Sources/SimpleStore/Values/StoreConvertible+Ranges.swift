// Stored as a dictionary whose keys say which bounds there are and whether the upper one belongs to
// the range, so that `0..<5` is never read as `0...5`: {"from": 0, "upTo": 5},
// {"from": 0, "through": 5}, {"from": 0}, {"upTo": 5}, {"through": 5}.

extension Range: StoreConvertible where Bound: StoreConvertible {
  /// A dictionary with "from" and "upTo".
  public var storeValue: StoreValue {
    .dictionary([from: lowerBound.storeValue, upTo: upperBound.storeValue])
  }

  public func checkedStoreValue() throws -> StoreValue {
    .dictionary([
      from: try lowerBound.checkedStoreValue(), upTo: try upperBound.checkedStoreValue(),
    ])
  }

  /// Nil when a bound is missing, or the lower one is above the upper one.
  public init?(storeValue: StoreValue) {
    guard let lower = Bound(storeValue, from), let upper = Bound(storeValue, upTo), lower <= upper
    else { return nil }
    self = lower..<upper
  }
}

extension ClosedRange: StoreConvertible where Bound: StoreConvertible {
  /// A dictionary with "from" and "through".
  public var storeValue: StoreValue {
    .dictionary([from: lowerBound.storeValue, through: upperBound.storeValue])
  }

  public func checkedStoreValue() throws -> StoreValue {
    .dictionary([
      from: try lowerBound.checkedStoreValue(), through: try upperBound.checkedStoreValue(),
    ])
  }

  /// Nil when a bound is missing, or the lower one is above the upper one.
  public init?(storeValue: StoreValue) {
    guard let lower = Bound(storeValue, from), let upper = Bound(storeValue, through),
      lower <= upper
    else { return nil }
    self = lower...upper
  }
}

extension PartialRangeFrom: StoreConvertible where Bound: StoreConvertible {
  /// A dictionary with "from".
  public var storeValue: StoreValue { .dictionary([from: lowerBound.storeValue]) }

  public func checkedStoreValue() throws -> StoreValue {
    .dictionary([from: try lowerBound.checkedStoreValue()])
  }

  /// Nil when the bound is missing, is not comparable to itself, or there is an upper one.
  public init?(storeValue: StoreValue) {
    guard let bound = Bound(only: storeValue, from) else { return nil }
    self = bound...
  }
}

extension PartialRangeUpTo: StoreConvertible where Bound: StoreConvertible {
  /// A dictionary with "upTo".
  public var storeValue: StoreValue { .dictionary([upTo: upperBound.storeValue]) }

  public func checkedStoreValue() throws -> StoreValue {
    .dictionary([upTo: try upperBound.checkedStoreValue()])
  }

  /// Nil when the bound is missing, is not comparable to itself, or there is a lower one.
  public init?(storeValue: StoreValue) {
    guard let bound = Bound(only: storeValue, upTo) else { return nil }
    self = ..<bound
  }
}

extension PartialRangeThrough: StoreConvertible where Bound: StoreConvertible {
  /// A dictionary with "through".
  public var storeValue: StoreValue { .dictionary([through: upperBound.storeValue]) }

  public func checkedStoreValue() throws -> StoreValue {
    .dictionary([through: try upperBound.checkedStoreValue()])
  }

  /// Nil when the bound is missing, is not comparable to itself, or there is a lower one.
  public init?(storeValue: StoreValue) {
    guard let bound = Bound(only: storeValue, through) else { return nil }
    self = ...bound
  }
}

private let from = "from"
private let upTo = "upTo"
private let through = "through"

extension StoreConvertible where Self: Comparable {
  fileprivate init?(_ range: StoreValue, _ bound: String) {
    guard case .dictionary(let document) = range, let value = document[bound] else { return nil }
    self.init(storeValue: value)
  }

  fileprivate init?(only range: StoreValue, _ bound: String) {
    self.init(range, bound)
    guard case .dictionary(let document) = range, document.count == 1 else { return nil }
    // The standard library traps on a range whose bound is NaN.
    guard self == self else { return nil }
  }
}
