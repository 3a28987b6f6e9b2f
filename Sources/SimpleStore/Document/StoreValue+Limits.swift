extension StoreValue {
  /// Why no format takes the value of a key: ``FormatLimits`` hold on every backend, also on those
  /// that encode nothing. Nil when it is within them.
  ///
  /// It keeps a list, as a value nested too deep would take the stack of who calls himself.
  var fault: FormatError.Reason? {
    guard holdsValues else { return nil }
    var containers = [(value: self, depth: 2)]
    var values = 1
    while let (value, depth) = containers.popLast() {
      if depth > FormatLimits.depth { return .tooDeep }
      switch value {
      case .array(let elements):
        values += elements.count
        for element in elements where element.holdsValues {
          containers.append((element, depth + 1))
        }
      case .dictionary(let document):
        values += document.count
        for entry in document.entries where entry.value.holdsValues {
          containers.append((entry.value, depth + 1))
        }
      default: break
      }
      // What shares its parts may be more than any memory holds.
      if values > FormatLimits.nodes { return .tooManyValues }
    }
    return nil
  }

  private var holdsValues: Bool {
    switch self {
    case .array, .dictionary: true
    default: false
    }
  }
}
