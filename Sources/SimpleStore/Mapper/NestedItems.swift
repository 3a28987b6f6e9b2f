/// A type whose values hold other stored values one by one, so that items in them can be found.
protocol HoldsValues {
  static var heldType: any StoreConvertible.Type { get }
  /// What is stored for what it holds, and the way there.
  static func values(in stored: StoreValue) -> [(way: String, value: StoreValue)]

  var heldValues: [any StoreConvertible] { get }
  /// Its stored form, with another one for each value that it holds and that is stored there.
  func replacingParts(
    of stored: StoreValue, with replace: (StoreValue, any StoreConvertible) -> StoreValue
  ) -> StoreValue
}

extension Optional: HoldsValues where Wrapped: StoreConvertible {
  static var heldType: any StoreConvertible.Type { Wrapped.self }
  static func values(in stored: StoreValue) -> [(way: String, value: StoreValue)] {
    stored == .null ? [] : [("", stored)]
  }

  var heldValues: [any StoreConvertible] { map { [$0] } ?? [] }
  func replacingParts(
    of stored: StoreValue, with replace: (StoreValue, any StoreConvertible) -> StoreValue
  ) -> StoreValue {
    map { replace(stored, $0) } ?? stored
  }
}

extension Array: HoldsValues where Element: StoreConvertible {
  static var heldType: any StoreConvertible.Type { Element.self }
  static func values(in stored: StoreValue) -> [(way: String, value: StoreValue)] {
    guard case .array(let values) = stored else { return [] }
    return values.enumerated().map { ("[\($0.offset)]", $0.element) }
  }

  var heldValues: [any StoreConvertible] { self }
  func replacingParts(
    of stored: StoreValue, with replace: (StoreValue, any StoreConvertible) -> StoreValue
  ) -> StoreValue {
    // In a list that has become longer or shorter, nobody knows which is which.
    guard case .array(let values) = stored, values.count == count else { return stored }
    return .array(zip(values, self).map { replace($0, $1) })
  }
}

extension Set: HoldsValues where Element: StoreConvertible {
  static var heldType: any StoreConvertible.Type { Element.self }
  static func values(in stored: StoreValue) -> [(way: String, value: StoreValue)] {
    [Element].values(in: stored)
  }

  var heldValues: [any StoreConvertible] { Array(self) }
  func replacingParts(
    of stored: StoreValue, with replace: (StoreValue, any StoreConvertible) -> StoreValue
  ) -> StoreValue {
    // A set has no order: nobody knows which is which.
    stored
  }
}

extension Dictionary: HoldsValues where Key: StoreKey, Value: StoreConvertible {
  static var heldType: any StoreConvertible.Type { Value.self }
  static func values(in stored: StoreValue) -> [(way: String, value: StoreValue)] {
    guard case .dictionary(let document) = stored else { return [] }
    return document.map { (".\($0.key)", $0.value) }
  }

  var heldValues: [any StoreConvertible] { Array(values) }
  func replacingParts(
    of stored: StoreValue, with replace: (StoreValue, any StoreConvertible) -> StoreValue
  ) -> StoreValue {
    guard case .dictionary(var document) = stored else { return stored }
    for (key, value) in self {
      if let part = document[key.storeKey] { document[key.storeKey] = replace(part, value) }
    }
    return .dictionary(document)
  }
}

extension LoadReport.WrongType {
  /// What is of the wrong type inside the items that a stored value holds.
  ///
  /// - Parameter key: The key of the item's own field.
  static func nested(
    in stored: StoreValue, as type: any StoreConvertible.Type, of key: String
  ) -> [Self] {
    guard holdsItems(type) else { return [] }
    if let item = type as? any StoreItem.Type {
      guard case .dictionary(let document) = stored else { return [] }
      return problems(of: item, in: document).map { problem in
        Self(
          key: key, found: problem.found, expected: problem.expected, reason: problem.reason,
          inside: "." + problem.path)
      }
    }
    guard let holder = type as? any HoldsValues.Type else { return [] }
    return holder.values(in: stored).flatMap { way, value in
      nested(in: value, as: holder.heldType, of: key).map { problem in
        var problem = problem
        problem.inside = way + problem.inside
        return problem
      }
    }
  }

  private static func problems<Item: StoreItem>(
    of type: Item.Type, in document: StoreDocument
  ) -> [Self] {
    var item = Item()
    var mapper = AssignDictMapper(document, reportsNested: true)
    item.mapValue(&mapper)
    return mapper.wrongTypes + mapper.nestedWrongTypes
  }

  /// Whether there is an item in the type, so that lists of other things are not gone through.
  private static func holdsItems(_ type: any StoreConvertible.Type) -> Bool {
    var type = type
    // A type has few levels: each is written in the source.
    while !(type is any StoreItem.Type) {
      guard let holder = type as? any HoldsValues.Type else { return false }
      type = holder.heldType
    }
    return true
  }
}
