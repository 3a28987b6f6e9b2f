import Foundation

import SimpleStore

/// What JSON makes of a document: the kinds that it has no type for become text.
enum JSONProjection {
  @Sendable
  static func of(_ document: StoreDocument) -> StoreDocument? {
    var result = StoreDocument()
    for (key, value) in document { result[key] = of(value) }
    return result
  }

  private static func of(_ value: StoreValue) -> StoreValue {
    switch value {
    case .double(let number): of(number)
    case .data(let data): .string(data.base64EncodedString())
    case .date(let date):
      if let text = DateText.spell(date) {
        .string(text)
      } else {
        of(date.timeIntervalSinceReferenceDate)
      }
    case .array(let elements): .array(elements.map { of($0) })
    case .dictionary(let inner): .dictionary(of(inner) ?? [:])
    default: value
    }
  }

  private static func of(_ number: Double) -> StoreValue {
    if number.isNaN { return .string("NaN") }
    if number.isInfinite { return .string(number > 0 ? "Infinity" : "-Infinity") }
    return .double(number)
  }
}
