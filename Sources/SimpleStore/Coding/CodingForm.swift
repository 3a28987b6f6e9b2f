#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Types that the coders do not take apart as their `Codable` conformance would.
protocol SpeciallyCoded {
  static var codingForm: CodingForm { get }
}

enum CodingForm {
  /// Stored as a field of the type is.
  case native
  /// An array in no order, which is sorted.
  case set
  /// Keys in no order, which are sorted; where they are no texts, an array of keys and values.
  case dictionary
}

extension Date: SpeciallyCoded { static var codingForm: CodingForm { .native } }
extension Data: SpeciallyCoded { static var codingForm: CodingForm { .native } }
extension URL: SpeciallyCoded { static var codingForm: CodingForm { .native } }
extension UUID: SpeciallyCoded { static var codingForm: CodingForm { .native } }
extension Decimal: SpeciallyCoded { static var codingForm: CodingForm { .native } }
extension Duration: SpeciallyCoded { static var codingForm: CodingForm { .native } }
extension Set: SpeciallyCoded { static var codingForm: CodingForm { .set } }
extension Dictionary: SpeciallyCoded { static var codingForm: CodingForm { .dictionary } }

/// Dictionaries, which write no two keys as one, and read none twice.
protocol CodedDictionary {
  var count: Int { get }
}

extension Dictionary: CodedDictionary {}

extension CodingForm {
  /// Whether the stored form of a dictionary has as many entries as the dictionary.
  func hasEveryEntry(of value: Any, in stored: StoreValue) -> Bool {
    guard self == .dictionary, let dictionary = value as? any CodedDictionary else { return true }
    return switch stored {
    case .dictionary(let document): document.count == dictionary.count
    case .array(let parts): parts.count == dictionary.count * 2
    default: true
    }
  }

  /// The encoded form with its parts in the one order.
  func sorted(_ value: StoreValue) -> StoreValue {
    switch (self, value) {
    case (.set, .array(let elements)):
      return .array(elements.sorted { $0.precedes($1) })
    case (.dictionary, .dictionary(let document)):
      var result = StoreDocument()
      result.reserveCapacity(document.count)
      for entry in document.entries.sorted(by: { $0.key < $1.key }) {
        result[entry.key] = entry.value
      }
      return .dictionary(result)
    case (.dictionary, .array(let parts)) where parts.count.isMultiple(of: 2):
      let pairs = stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
      return .array(pairs.sorted { $0.0.precedes($1.0) }.flatMap { [$0.0, $0.1] })
    default: return value
    }
  }
}

/// A key of a container, as the coders make one.
struct StoreCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ text: String) {
    stringValue = text
    intValue = nil
  }
  init(index: Int) {
    stringValue = "\(index)"
    intValue = index
  }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(index: intValue) }

  /// Where the part of a value that its superclass encodes goes.
  static let `super` = StoreCodingKey("super")
}
