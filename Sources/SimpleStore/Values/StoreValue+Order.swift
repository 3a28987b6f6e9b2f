#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreValue {
  /// Whether this value comes before another in the order in which sets are stored: by kind, then
  /// by size, or by bytes as far as both are equal. Of two values that differ one comes first.
  func precedes(_ other: StoreValue) -> Bool { order(other) < 0 }

  /// Below zero, zero or above zero: this one comes first, they are equal, the other comes first.
  private func order(_ other: StoreValue) -> Int {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): Self.order(left ? 1 : 0, right ? 1 : 0)
    case (.integer(let left), .integer(let right)): Self.order(left, right)
    case (.unsigned(let left), .unsigned(let right)): Self.order(left, right)
    case (.double(let left), .double(let right)): Self.order(left, right)
    case (.number(let left), .number(let right)): Self.order(left.utf8, right.utf8)
    case (.string(let left), .string(let right)): Self.order(left.utf8, right.utf8)
    case (.data(let left), .data(let right)): Self.order(left, right)
    case (.date(let left), .date(let right)):
      Self.order(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.array(let left), .array(let right)): Self.order(left, right)
    case (.dictionary(let left), .dictionary(let right)): Self.order(left, right)
    default: Self.order(rank, other.rank)
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .integer: 2
    case .unsigned: 3
    case .double: 4
    case .number: 5
    case .string: 6
    case .data: 7
    case .date: 8
    case .array: 9
    case .dictionary: 10
    }
  }

  private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }

  /// The order of IEEE 754, `totalOrder`: -0.0 before 0.0, and NaNs among themselves.
  private static func order(_ left: Double, _ right: Double) -> Int {
    if left.bitPattern == right.bitPattern { return 0 }
    return left.isTotallyOrdered(belowOrEqualTo: right) ? -1 : 1
  }

  private static func order<Bytes: Sequence<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
  }

  private static func order(_ left: [StoreValue], _ right: [StoreValue]) -> Int {
    for (left, right) in zip(left, right) {
      let order = left.order(right)
      if order != 0 { return order }
    }
    return order(left.count, right.count)
  }

  private static func order(_ left: StoreDocument, _ right: StoreDocument) -> Int {
    for (left, right) in zip(left.entries, right.entries) {
      let keys = order(left.key.utf8, right.key.utf8)
      if keys != 0 { return keys }
      let values = left.value.order(right.value)
      if values != 0 { return values }
    }
    return order(left.count, right.count)
  }
}
