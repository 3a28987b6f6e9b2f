#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values and limits as errors, and `print`, show them.
enum ValueText {
  static func describe(_ value: some Any) -> String {
    if let date = value as? Date { return describe(date) }
    return "\(value)"
  }

  /// As ``describe(_:)``, for developers.
  static func reflect(_ value: some Any) -> String {
    if let date = value as? Date { return describe(date) }
    return String(reflecting: value)
  }

  /// Foundation on Linux has no words for a date beyond its calendar, and ends the program that asks
  /// it to describe one that is not a number.
  private static func describe(_ date: Date) -> String {
    DateText.spell(date) ?? "the date \(date.timeIntervalSinceReferenceDate) seconds after 2001"
  }

  static func describe<Limits: RangeExpression>(limits: Limits) -> String {
    typealias Bound = Limits.Bound
    return switch limits {
    case let limits as Range<Bound>: span(limits.lowerBound, "..<", limits.upperBound)
    case let limits as ClosedRange<Bound>: span(limits.lowerBound, "...", limits.upperBound)
    case let limits as PartialRangeFrom<Bound>: "\(describe(limits.lowerBound))..."
    case let limits as PartialRangeUpTo<Bound>: "..<\(describe(limits.upperBound))"
    case let limits as PartialRangeThrough<Bound>: "...\(describe(limits.upperBound))"
    default: "\(limits)"
    }
  }

  private static func span(_ lower: some Any, _ sign: String, _ upper: some Any) -> String {
    describe(lower) + sign + describe(upper)
  }
}
