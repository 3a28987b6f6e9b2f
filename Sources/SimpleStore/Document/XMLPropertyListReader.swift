#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads an XML property list.
///
/// The open containers are a list, not calls within calls, so that nesting costs no stack.
struct XMLPropertyListReader {
  private var scanner: XMLScanner
  /// The containers that have begun and not ended, outermost first.
  private var open: [OpenContainer] = []
  private var values = 0

  /// A container on the way to being complete.
  private struct OpenContainer {
    let element: XMLPropertyListElement
    /// Where its tag starts.
    let start: Int
    /// How deep it is. The array in a `$dictionary` is as deep as the dictionary it spells.
    let depth: Int
    var document = StoreDocument()
    var elements: [StoreValue] = []
    /// A key that waits for its value, and where it is.
    var key: (text: String, start: Int)?
    /// How many containers are one in another inside, as they count when all is read.
    var height = 0
  }

  /// - Throws: What is wrong with the encoding.
  init(_ bytes: [UInt8]) throws(FormatError) {
    let (encoding, text) = try XMLEncoding.convert(bytes)
    scanner = XMLScanner(text, encoding)
  }

  mutating func read() throws(FormatError) -> StoreDocument {
    try scanner.skipProlog()
    guard var tag = try scanner.nextTag() else { throw end() }
    var element = try self.element(of: tag)
    let hasPlist = element == .plist && tag.kind != .close
    if hasPlist {
      guard tag.kind == .open, let next = try scanner.nextTag() else {
        throw tag.kind == .open ? end() : scanner.unexpected("<plist> with a value", at: tag.start)
      }
      tag = next
      element = try self.element(of: tag)
    }
    let start = tag.start
    var root = try begin(tag, element)
    while root == nil {
      guard let tag = try scanner.nextTag() else { throw end() }
      root = try begin(tag, self.element(of: tag))
    }
    guard case .dictionary(let document) = root else {
      throw scanner.error(.rootIsNotADictionary(found: root?.kind ?? "nothing"), at: start)
    }
    if hasPlist {
      guard let tag = try scanner.nextTag() else { throw end() }
      guard tag.kind == .close else { throw scanner.error(.trailingContent, at: tag.start) }
      try check(tag, closes: .plist)
    }
    try expectEnd()
    return document
  }

  private mutating func expectEnd() throws(FormatError) {
    let rest: XMLScanner.Tag?
    do {
      rest = try scanner.nextTag()
    } catch {
      // Text, or a tag that is not even one.
      guard case .unexpectedByte = error.reason else { throw error }
      throw FormatError(.trailingContent, line: error.line, column: error.column)
    }
    if let rest { throw scanner.error(.trailingContent, at: rest.start) }
  }

  private func end() -> FormatError { scanner.error(.unexpectedEnd, at: scanner.bytes.count) }

  private func element(of tag: XMLScanner.Tag) throws(FormatError) -> XMLPropertyListElement {
    if let element = XMLPropertyListElement(scanner.bytes, tag.name) { return element }
    throw scanner.error(.unknownElement(scanner.excerpt(tag.name)), at: tag.start)
  }

  private func check(
    _ tag: XMLScanner.Tag, closes element: XMLPropertyListElement
  ) throws(FormatError) {
    let found = try self.element(of: tag)
    if tag.kind == .close, found == element { return }
    let name = scanner.excerpt(tag.name)
    throw scanner.error(.mismatchedTag(open: element.name, close: name), at: tag.start)
  }

  // MARK: Containers

  /// Takes up one tag with what belongs to it.
  ///
  /// - Returns: The outermost value, when this completed it.
  private mutating func begin(
    _ tag: XMLScanner.Tag, _ element: XMLPropertyListElement
  ) throws(FormatError) -> StoreValue? {
    if tag.kind == .close { return try close(tag) }
    if element == .key {
      try readKey(tag)
      return nil
    }
    if let last = open.last, last.element == .dictionary, last.key == nil {
      throw scanner.error(.valueWithoutKey, at: tag.start)
    }
    values += 1
    // A wrapper is up to twice as many values in the file as it counts; `complete` counts exactly.
    if values > FormatLimits.nodes * 2 + 2 { throw scanner.error(.tooManyValues, at: tag.start) }
    switch element {
    case .dictionary, .array:
      try push(element, tag)
      return tag.kind == .empty ? try complete() : nil
    case .plist: throw scanner.unexpected("a value", at: tag.start)
    default: return add(try readScalar(tag, element), height: 0)
    }
  }

  private mutating func push(
    _ element: XMLPropertyListElement, _ tag: XMLScanner.Tag
  ) throws(FormatError) {
    var depth = 1
    if let parent = open.last {
      let isSpelling =
        element == .array && parent.element == .dictionary && parent.document.isEmpty
        && parent.key?.text == PropertyListSpelling.Word.dictionary.rawValue
      depth = parent.depth + (isSpelling ? 0 : 1)
    }
    // One level more for dictionaries, as which null and others are spelled.
    guard depth <= FormatLimits.depth + (element == .dictionary ? 1 : 0) else {
      throw scanner.error(.tooDeep, at: tag.start)
    }
    open.append(OpenContainer(element: element, start: tag.start, depth: depth))
  }

  private mutating func close(_ tag: XMLScanner.Tag) throws(FormatError) -> StoreValue? {
    guard let last = open.last else { throw scanner.unexpected("a value", at: tag.start) }
    try check(tag, closes: last.element)
    if let key = last.key { throw scanner.error(.keyWithoutValue, at: key.start) }
    return try complete()
  }

  /// Ends the innermost container and gives it to the one around it.
  private mutating func complete() throws(FormatError) -> StoreValue? {
    let last = open.removeLast()
    var value = StoreValue.array(last.elements)
    var height = last.height + 1
    if last.element == .dictionary {
      let spelling: PropertyListSpelling = open.isEmpty ? .xmlRoot : .xml
      let (meaning, word) = spelling.meaning(of: last.document)
      value = meaning
      // A wrapper counts as the one value that it spells.
      switch (word, meaning) {
      case (nil, _): break
      case (.dictionary, .dictionary(let document)):
        height -= 1
        values -= 1 + document.count
      default:
        height = 0
        values -= 1
      }
    }
    if height > FormatLimits.depth { throw scanner.error(.tooDeep, at: last.start) }
    if last.depth > FormatLimits.depth, height > 0 {
      throw scanner.error(.tooDeep, at: last.start)
    }
    // The outermost dictionary is not counted, as in every format.
    if open.isEmpty, values - 1 > FormatLimits.nodes {
      throw scanner.error(.tooManyValues, at: last.start)
    }
    return add(value, height: height)
  }

  private mutating func add(_ value: StoreValue, height: Int) -> StoreValue? {
    guard let last = open.indices.last else { return value }
    open[last].height = max(open[last].height, height)
    if let key = open[last].key {
      open[last].document.put(key.text, value)
      open[last].key = nil
    } else {
      open[last].elements.append(value)
    }
    return nil
  }

  private mutating func readKey(_ tag: XMLScanner.Tag) throws(FormatError) {
    guard let last = open.indices.last, open[last].element == .dictionary else {
      throw scanner.unexpected("a value", at: tag.start)
    }
    if let key = open[last].key { throw scanner.error(.keyWithoutValue, at: key.start) }
    open[last].key = (String(decoding: try text(of: tag, .key), as: UTF8.self), tag.start)
  }

  // MARK: Scalars

  private mutating func readScalar(
    _ tag: XMLScanner.Tag, _ element: XMLPropertyListElement
  ) throws(FormatError) -> StoreValue {
    switch element {
    case .yes, .no:
      if tag.kind == .open {
        guard let next = try scanner.nextTag() else { throw end() }
        try check(next, closes: element)
      }
      return .bool(element == .yes)
    case .string: return .string(String(decoding: try text(of: tag, element), as: UTF8.self))
    case .integer: return try number(try text(of: tag, element), PropertyListNumber.integer, tag)
    case .real: return try number(try text(of: tag, element), PropertyListNumber.real, tag)
    case .date:
      let text = PropertyListNumber.trimmed(try text(of: tag, element))
      let spelled = String(decoding: text, as: UTF8.self)
      guard let date = DateText.read(spelled) else {
        throw scanner.error(.invalidDate(Self.short(text)), at: tag.start)
      }
      // Other programs' fractions, and the year 0: as the value that is written for them.
      return DateText.hasWholeText(date)
        ? .date(date) : .double(date.timeIntervalSinceReferenceDate)
    default: return try data(try text(of: tag, element), tag)
    }
  }

  private func number(
    _ text: ArraySlice<UInt8>, _ value: (ArraySlice<UInt8>) -> StoreValue?, _ tag: XMLScanner.Tag
  ) throws(FormatError) -> StoreValue {
    if let value = value(text) { return value }
    throw scanner.error(.invalidNumber(Self.short(text)), at: tag.start)
  }

  private func data(
    _ text: ArraySlice<UInt8>, _ tag: XMLScanner.Tag
  ) throws(FormatError) -> StoreValue {
    // Lines and indentation may stand anywhere in it, anything else may not.
    let digits = Data(text.lazy.filter { !$0.isXMLSpace })
    guard let data = Data(base64Encoded: digits) else {
      throw scanner.error(.invalidData, at: tag.start)
    }
    return .data(data)
  }

  /// The text of an element, its end tag included.
  private mutating func text(
    of tag: XMLScanner.Tag, _ element: XMLPropertyListElement
  ) throws(FormatError) -> ArraySlice<UInt8> {
    if tag.kind == .empty { return [] }
    let text = try scanner.readText()
    if scanner.skipEndTag(of: tag) { return text }
    guard let next = try scanner.nextTag() else { throw end() }
    try check(next, closes: element)
    return text
  }

  private static func short(_ text: ArraySlice<UInt8>) -> String {
    String(decoding: text.prefix(60), as: UTF8.self)
  }
}
