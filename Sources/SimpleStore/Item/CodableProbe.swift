#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds out whether a change of a plain `Codable` item is about a key.
///
/// Its properties have no stamps, so setting one to the value that it has leaves no trace. But the
/// same change of an item in which the key has another value does.
enum CodableProbe {
  /// Whether a change sets what is stored under a key.
  ///
  /// - Returns: False also when no other value of the key's type was found.
  static func sets<Item: CodableStoreItem>(
    _ key: String, in item: Item, _ change: (inout Item) -> Void
  ) -> Bool {
    let document = StoreEncoder.encodeFields(of: item).document
    for variant in variants(of: document[key] ?? .null) {
      var other = document
      other[key] = variant
      // Most variants are of another type than the key's.
      guard var item = try? StoreValue.dictionary(other).decoded(as: Item.self) else { continue }
      let before = StoreEncoder.encodeFields(of: item).document[key]
      if before == document[key] { continue }
      change(&item)
      return StoreEncoder.encodeFields(of: item).document[key] != before
    }
    return false
  }

  /// Values that a type which stores this one may take, too.
  private static func variants(of value: StoreValue) -> [StoreValue] {
    switch value {
    case .null: return scalars + [.array([]), .dictionary([:])]
    case .bool(let flag): return [.bool(!flag)]
    case .array(let values) where values.isEmpty: return scalars.map { .array([$0]) }
    case .array(let values): return [.array([]), .array(values + [values[0]])]
    case .dictionary(let document) where document.isEmpty:
      return scalars.map { .dictionary(["a": $0]) }
    case .dictionary(let document):
      return [.dictionary([:])]
        + document.flatMap { key, value in
          variants(of: value).map { variant in
            var document = document
            document[key] = variant
            return .dictionary(document)
          }
        }
    default: return scalars
    }
  }

  private static let scalars: [StoreValue] = [
    .string(""), .string("a"), .bool(true), .bool(false), .integer(0), .integer(1), .double(0.5),
    .data(Data()), .data(Data([0])), .string("00000000-0000-0000-0000-000000000000"),
    .date(.init(timeIntervalSinceReferenceDate: 0)),
    .date(.init(timeIntervalSinceReferenceDate: 1)),
  ]
}
