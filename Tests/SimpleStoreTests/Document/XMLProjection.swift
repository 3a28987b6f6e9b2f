import Foundation
import SimpleStore

/// What an XML property list makes of a document: dates that are not whole seconds of the years 1
/// to 9999 become reals, and every NaN the usual one.
enum XMLProjection {
  @Sendable
  static func of(_ document: StoreDocument) -> StoreDocument? {
    var result = StoreDocument()
    for (key, value) in document { result[key] = of(value) }
    return result
  }

  private static func of(_ value: StoreValue) -> StoreValue {
    switch value {
    case .double(let number): .double(number.isNaN ? .nan : number)
    case .date(let date):
      isNative(date.timeIntervalSinceReferenceDate)
        ? value : of(.double(date.timeIntervalSinceReferenceDate))
    case .array(let elements): .array(elements.map { of($0) })
    case .dictionary(let inner): .dictionary(of(inner) ?? [:])
    default: value
    }
  }

  private static func isNative(_ seconds: Double) -> Bool {
    seconds == seconds.rounded() && seconds >= -63_113_904_000 && seconds < 252_423_993_600
      && seconds.bitPattern != (-0.0).bitPattern
  }
}
