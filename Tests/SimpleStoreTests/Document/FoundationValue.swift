import Foundation
import SimpleStore

/// Documents as Foundation's property list objects.
enum FoundationValue {
  static func object(of document: StoreDocument) -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in document { result[key] = object(of: value) }
    return result
  }

  private static func object(of value: StoreValue) -> Any {
    switch value {
    case .null: ["$null": true]
    case .bool(let isTrue): isTrue
    case .integer(let number): number
    case .unsigned(let number): number
    case .double(let number): number
    case .number(let text): ["$number": text]
    case .string(let text): text
    case .data(let data): data
    case .date(let date): date
    case .array(let elements): elements.map { object(of: $0) }
    case .dictionary(let inner): object(of: inner)
    }
  }

  /// Where an object differs from a document; nil when it has the same keys with equal values of
  /// the same kinds. Order is not looked at, since Foundation has none.
  static func difference(_ object: Any, _ document: StoreDocument, path: String = "") -> String? {
    guard let found = object as? [String: Any] else { return "\(path): not a dictionary" }
    guard found.count == document.count else { return "\(path): \(found.count) keys" }
    for (key, value) in document {
      guard let inner = found[key] else { return "\(path): no \(key.debugDescription)" }
      if let fault = difference(inner, value, path: "\(path)/\(key.debugDescription)") {
        return fault
      }
    }
    return nil
  }

  private static func difference(_ object: Any, _ value: StoreValue, path: String) -> String? {
    switch (object, value) {
    case (_, .dictionary(let document)): return difference(object, document, path: path)
    case (let found as [Any], .array(let elements)) where found.count == elements.count:
      for (position, (inner, element)) in zip(found, elements).enumerated() {
        if let fault = difference(inner, element, path: "\(path)/\(position)") { return fault }
      }
      return nil
    case (let found as String, .string(let text)) where found.utf8.elementsEqual(text.utf8):
      return nil
    case (let found as Bool, .bool(let isTrue)) where found == isTrue: return nil
    case (let found as Data, .data(let data)) where found == data: return nil
    case (let found as Date, .date(let date))
    where found.timeIntervalSinceReferenceDate == date.timeIntervalSinceReferenceDate: return nil
    case (let found as Int64, .integer(let number)) where found == number: return nil
    case (let found as UInt64, .unsigned(let number)) where found == number: return nil
    case (let found as Double, .double(let number))
    where found == number || found.isNaN && number.isNaN: return nil
    default: return "\(path): \(type(of: object)) \(object), expected \(value)"
    }
  }

  /// Whether two keys of one dictionary in the document are one to Foundation.
  static func hasKeysEqualInUnicode(_ document: StoreDocument) -> Bool {
    Set(document.keys).count < document.count
      || document.contains { hasKeysEqualInUnicode($0.value) }
  }

  private static func hasKeysEqualInUnicode(_ value: StoreValue) -> Bool {
    switch value {
    case .array(let elements): elements.contains { hasKeysEqualInUnicode($0) }
    case .dictionary(let inner): hasKeysEqualInUnicode(inner)
    default: false
    }
  }
}
