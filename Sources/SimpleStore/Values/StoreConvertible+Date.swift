#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: StoreConvertible {
  public var storeValue: StoreValue { .date(self) }

  /// A date; ISO 8601 text (how JSON spells it); or a number of seconds since the reference date,
  /// 2001-01-01 00:00:00 UTC (how a format spells a date that its own type would round).
  public init?(storeValue: StoreValue) {
    if case .date(let value) = storeValue {
      self = value
    } else if case .string(let text) = storeValue, let value = DateText.read(text) {
      self = value
    } else if let seconds = Double(storeValue: storeValue) {
      self.init(timeIntervalSinceReferenceDate: seconds)
    } else {
      return nil
    }
  }
}
