#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Every sentence of the load report.

extension LoadReport: CustomStringConvertible {
  /// One line for each thing that was noticed; empty when there is nothing to say.
  public var description: String {
    var lines: [String] = []
    if wasEmpty { lines.append("the store was there, but empty") }
    for key in unknownKeys {
      var line = "unknown key \"\(key)\""
      if let near = nearestKey(to: key) { line += "; did you mean \"\(near)\"?" }
      lines.append(line)
    }
    for key in missingKeys { lines.append("no key \"\(key)\"; the field has its default") }
    lines += (wrongTypes + nestedWrongTypes).map(\.description)
    if let damagedFile { lines.append("the damaged file is now '\(damagedFile)'") }
    return lines.joined(separator: "\n")
  }

  /// The field's key that differs least from an unknown one, if it differs little.
  private func nearestKey(to key: String) -> String? {
    knownKeys.map { (key: $0, distance: slips(between: $0.letters, and: key.letters)) }
      .filter { $0.distance <= max(1, min($0.key.count, key.count) / 3) }
      .min { $0.distance < $1.distance }?.key
  }

  /// How many slips make one text the other: a character put in, left out, changed, or swapped
  /// with its neighbour (optimal string alignment distance).
  private func slips(between left: [Character], and right: [Character]) -> Int {
    // Long keys are not misspelt but different, and the table would be large.
    guard left.count <= 64, right.count <= 64 else { return .max }
    var rows = [Array(0...right.count)]
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        let same = left[i] == right[j] ? 0 : 1
        var least = min(rows[i][j] + same, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}

extension String {
  /// The characters without regard to case, which is the commonest slip of all.
  fileprivate var letters: [Character] { Array(lowercased()) }
}

extension LoadReport.WrongType: CustomStringConvertible {
  public var description: String {
    "the value of \"\(path)\" \(problem); the field has its default"
  }

  private var problem: String {
    if let reason { "is not taken: \(reason)" } else { "should be \(expected) and is \(found)" }
  }
}

// Why a stored value is not one of a field's type, where its kind alone does not tell: for who has
// typed it into a file by hand.

extension LoadReport.WrongType {
  /// What is wrong with a value that a type has not taken; nil when it is simply of another kind.
  static func reason(_ stored: StoreValue, isNot type: any StoreConvertible.Type) -> String? {
    if let type = type as? any StoreCodable.Type { return type.decodingProblem(with: stored) }
    if let holder = type as? any HoldsValues.Type { return reason(stored, isHeldBy: holder) }
    if let type = type as? any (FixedWidthInteger & StoreConvertible).Type {
      return reason(stored, isNoInteger: type)
    }
    if let type = type as? any RawRepresentable.Type { return reason(stored, isNoCaseOf: type) }
    switch stored {
    case .string(let text): return spelling(of: type).map { "\(quoted(text)) \($0)" }
    case .integer, .unsigned, .double, .number:
      return type is any BinaryFloatingPoint.Type
        ? "\(spell(stored)) is not exactly a \(type)" : nil
    default: return nil
    }
  }

  /// How a type that is stored as text is spelled.
  private static func spelling(of type: any StoreConvertible.Type) -> String? {
    switch type {
    case is Date.Type: "is no date: one is written 2026-11-30T04:40:49Z"
    case is Data.Type: "is no Base64"
    case is URL.Type: "is no URL"
    case is UUID.Type: "is no UUID: one is written 6F9619FF-8B86-4011-B42D-00CF4FC964FF"
    case is Character.Type: "is not one character"
    case is Decimal.Type: "is no number"
    case is any BinaryFloatingPoint.Type: "is no number"
    default: nil
    }
  }

  private static func reason<Integer: FixedWidthInteger & StoreConvertible>(
    _ stored: StoreValue, isNoInteger type: Integer.Type
  ) -> String? {
    switch stored {
    case .integer, .unsigned, .number: "\(spell(stored)) is not in \(Integer.min)...\(Integer.max)"
    case .double(let number) where number.rounded() == number && number.isFinite:
      "\(spell(stored)) is not in \(Integer.min)...\(Integer.max)"
    case .double: "\(spell(stored)) is not a whole number"
    default: nil
    }
  }

  private static func reason<Enum: RawRepresentable>(
    _ stored: StoreValue, isNoCaseOf type: Enum.Type
  ) -> String? {
    guard let raw = Enum.RawValue.self as? any StoreConvertible.Type else { return nil }
    guard raw.init(storeValue: stored) != nil else { return reason(stored, isNot: raw) }
    var values: [String] = []
    if let type = type as? any CaseIterable.Type { values = rawValues(of: type) }
    return values.isEmpty
      ? "\(spell(stored)) is none of the values of \(type)"
      : "\(spell(stored)) is none of \(values.joined(separator: ", "))"
  }

  private static func rawValues<Enum: CaseIterable>(of type: Enum.Type) -> [String] {
    type.allCases.compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }
  }

  /// What is wrong with the first value inside that is.
  private static func reason<Holder: HoldsValues>(
    _ stored: StoreValue, isHeldBy holder: Holder.Type
  ) -> String? {
    for (way, value) in holder.values(in: stored)
    where holder.heldType.init(storeValue: value) == nil {
      let reason = reason(value, isNot: holder.heldType)
      if way.isEmpty { return reason }
      return "at \(way), \(reason ?? "what should be \(holder.heldType) is \(value.kind)")"
    }
    if case .dictionary = stored { return "one of its keys is not one of this type" }
    return nil
  }

  private static func spell(_ value: StoreValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .double(let number): "\(number)"
    case .number(let text): shorten(text)
    case .string(let text): quoted(text)
    default: value.kind
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(shorten(text))\"" }

  private static func shorten(_ text: String) -> String {
    text.count <= 40 ? text : "\(text.prefix(40))…"
  }
}
