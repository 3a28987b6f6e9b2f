#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes an XML property list as Apple's tools lay it out.
struct XMLPropertyListWriter {
  private var bytes: [UInt8] = []
  private var values = 0
  /// The outermost key that is being written.
  private var outermostKey: String?
  /// Whether numbers that are kept as text are wrapped, also those that XML has an element for.
  private let wrapsNumbers: Bool

  init(wrapsNumbers: Bool) { self.wrapsNumbers = wrapsNumbers }

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  mutating func write(_ document: StoreDocument) throws(FormatError) -> [UInt8] {
    bytes.reserveCapacity(256 + document.count * 64)
    bytes.append(contentsOf: Self.header.utf8)
    do throws(FormatError) {
      try write(entries(of: document, .xmlRoot), depth: 1, 0)
    } catch {
      throw FormatError(error.reason, key: outermostKey)
    }
    append("</plist>\n")
    if bytes.count > FormatLimits.bytes { throw FormatError(.tooLarge) }
    return bytes
  }

  // MARK: Containers

  // These three call each other, so they are kept to what that takes: without optimisation each
  // `try` and each case with a value has room of its own on the stack.

  /// - Parameters:
  ///   - depth: How deep the container is that the value stands in.
  ///   - indentation: How many tabs the value has.
  private mutating func write(
    _ value: StoreValue, depth: Int, _ indentation: Int
  ) throws(FormatError) {
    switch value {
    case .array(let elements): try write(elements, depth: depth + 1, indentation)
    case .dictionary(let document):
      try write(entries(of: document, .xml), depth: depth + 1, indentation)
    default: try write(scalar: value, indentation)
    }
  }

  private mutating func write(
    _ elements: [StoreValue], depth: Int, _ indentation: Int
  ) throws(FormatError) {
    try enter(depth, count: elements.count)
    if elements.isEmpty { return line("<array/>\n", indentation) }
    line("<array>\n", indentation)
    for position in elements.indices {
      try write(elements[position], depth: depth, indentation + 1)
    }
    line("</array>\n", indentation)
  }

  private mutating func write(
    _ entries: [StoreDocument.Entry], depth: Int, _ indentation: Int
  ) throws(FormatError) {
    try enter(depth, count: entries.count)
    if entries.isEmpty { return line("<dict/>\n", indentation) }
    // A dictionary one of whose keys XML cannot hold is `{"$dictionary": [key, value, …]}`.
    let isSpelled = !canHoldKeys(of: entries)
    if isSpelled { openWrapper(.dictionary, indentation) }
    line(isSpelled ? "<array>\n" : "<dict>\n", indentation + (isSpelled ? 1 : 0))
    let inner = indentation + (isSpelled ? 2 : 1)
    for position in entries.indices {
      try write(key: entries[position].key, isSpelled: isSpelled, isOutermost: depth == 1, inner)
      try write(entries[position].value, depth: depth, inner)
    }
    if isSpelled { line("</array>\n", indentation + 1) }
    line("</dict>\n", indentation)
  }

  private func canHoldKeys(of entries: [StoreDocument.Entry]) -> Bool {
    entries.allSatisfy { PropertyListSpelling.canHold($0.key) }
  }

  private mutating func write(
    key: String, isSpelled: Bool, isOutermost: Bool, _ indentation: Int
  ) throws(FormatError) {
    if isOutermost { outermostKey = key }
    if isSpelled { return try write(text: key, indentation) }
    line("<key>", indentation)
    append(text: key)
    append("</key>\n")
  }

  /// The entries of a dictionary, with another key where it would be mistaken for a spelling.
  private func entries(
    of document: StoreDocument, _ spelling: PropertyListSpelling
  ) -> [StoreDocument.Entry] {
    guard let key = spelling.escapedKey(of: document), let value = document.entries.first?.value
    else { return document.entries }
    return [StoreDocument.Entry(key: key, value: value)]
  }

  private mutating func enter(_ depth: Int, count: Int) throws(FormatError) {
    if depth > FormatLimits.depth { throw FormatError(.tooDeep) }
    // Looked at here, so that a document that shares much cannot take the memory first.
    if bytes.count > FormatLimits.bytes { throw FormatError(.tooLarge) }
    try charge(count)
  }

  /// Counts the values of a container before any of them is written.
  private mutating func charge(_ count: Int) throws(FormatError) {
    values += count
    if values > FormatLimits.nodes { throw FormatError(.tooManyValues) }
  }

  /// The start of a dictionary with one key, up to its value.
  private mutating func openWrapper(_ word: PropertyListSpelling.Word, _ indentation: Int) {
    line("<dict>\n", indentation)
    line("<key>", indentation + 1)
    bytes.append(contentsOf: word.rawValue.utf8)
    append("</key>\n")
  }

  // MARK: Values

  private mutating func write(
    scalar value: StoreValue, _ indentation: Int
  ) throws(FormatError) {
    if bytes.count > FormatLimits.bytes { throw FormatError(.tooLarge) }
    switch value {
    case .null, .array, .dictionary:
      openWrapper(.null, indentation)
      line("<true/>\n", indentation + 1)
      line("</dict>\n", indentation)
    case .bool(let isTrue): line(isTrue ? "<true/>\n" : "<false/>\n", indentation)
    case .integer(let number): element("<integer>", number.description, "</integer>\n", indentation)
    case .unsigned(let number):
      element("<integer>", number.description, "</integer>\n", indentation)
    case .double(let number): write(number, indentation)
    case .number(let text): try write(number: text, indentation)
    case .string(let text): try write(text: text, indentation)
    case .data(let data): try write(data, indentation)
    case .date(let date): write(date, indentation)
    }
  }

  private mutating func write(_ number: Double, _ indentation: Int) {
    let text =
      if number.isFinite {
        NumberText.shortest(number)
      } else if number.isNaN {
        "nan"
      } else {
        number < 0 ? "-infinity" : "+infinity"
      }
    element("<real>", text, "</real>\n", indentation)
  }

  private mutating func write(number text: String, _ indentation: Int) throws(FormatError) {
    guard PropertyListNumber.isNumber(text) else { throw FormatError(.invalidNumber(text)) }
    if !wrapsNumbers, let native = PropertyListNumber.element(of: text) {
      return native == .integer
        ? element("<integer>", text, "</integer>\n", indentation)
        : element("<real>", text, "</real>\n", indentation)
    }
    openWrapper(.number, indentation)
    element("<string>", text, "</string>\n", indentation + 1)
    line("</dict>\n", indentation)
  }

  private mutating func write(_ date: Date, _ indentation: Int) {
    if DateText.hasWholeText(date), let text = DateText.spell(date) {
      element("<date>", text, "</date>\n", indentation)
    } else {
      write(date.timeIntervalSinceReferenceDate, indentation)
    }
  }

  private mutating func write(text: String, _ indentation: Int) throws(FormatError) {
    guard PropertyListSpelling.canHold(text) else {
      openWrapper(.string, indentation)
      try write(Data(text.utf8), indentation + 1)
      return line("</dict>\n", indentation)
    }
    line("<string>", indentation)
    append(text: text)
    append("</string>\n")
  }

  private mutating func write(_ data: Data, _ indentation: Int) throws(FormatError) {
    if bytes.count + data.count / 3 * 4 > FormatLimits.bytes { throw FormatError(.tooLarge) }
    if data.isEmpty { return line("<data></data>\n", indentation) }
    line("<data>\n", indentation)
    // As Apple's tools do: 76 columns, of which a tab takes eight.
    let width = max(16, 76 - 8 * indentation)
    var rest = [UInt8](data.base64EncodedData())[...]
    while !rest.isEmpty {
      indent(indentation)
      bytes.append(contentsOf: rest.prefix(width))
      bytes.append(0x0A)
      rest = rest.dropFirst(width)
    }
    line("</data>\n", indentation)
  }

  // MARK: Text

  /// An element on one line; its tags are whole, since each piece costs an append.
  private mutating func element(
    _ start: StaticString, _ text: String, _ end: StaticString, _ indentation: Int
  ) {
    line(start, indentation)
    bytes.append(contentsOf: text.utf8)
    append(end)
  }

  private mutating func line(_ text: StaticString, _ indentation: Int) {
    indent(indentation)
    append(text)
  }

  private mutating func indent(_ count: Int) {
    for _ in 0..<count { bytes.append(0x09) }
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Text that XML can hold, with what has a meaning in markup replaced.
  private mutating func append(text: String) {
    var text = text
    // Unsafe, and right: the buffer is only read, within the closure and within its bounds. A whole
    // run is one copy.
    text.withUTF8 { utf8 in
      var start = 0
      for (position, byte) in utf8.enumerated() {
        let replacement: StaticString
        switch byte {
        case UInt8(ascii: "<"): replacement = "&lt;"
        case UInt8(ascii: ">"): replacement = "&gt;"
        case UInt8(ascii: "&"): replacement = "&amp;"
        // A reader takes a bare CR for a line end and makes it LF.
        case 0x0D: replacement = "&#13;"
        default: continue
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<position]))
        append(replacement)
        start = position + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
  }
}
