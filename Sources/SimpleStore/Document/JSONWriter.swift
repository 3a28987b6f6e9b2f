#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes one document as JSON text.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var values = 0

  /// Appends the document and a line end. After an error `bytes` is of no use.
  mutating func write(_ document: StoreDocument) throws(FormatError) {
    bytes.reserveCapacity(document.count * 32 + 4)
    guard !document.isEmpty else {
      append("{}\n")
      return
    }
    for (position, entry) in document.entries.enumerated() {
      do throws(FormatError) {
        try startEntry(entry.key, isFirst: position == 0, 1)
        try write(entry.value, depth: 1)
        // With the brace that is still to come, or the reader would refuse it.
        if bytes.count + 3 > FormatLimits.bytes { throw FormatError(.tooLarge) }
      } catch {
        throw FormatError(error.reason, key: entry.key)
      }
    }
    append("\n}\n")
  }

  // These three call each other, so they are kept to what that takes: without optimisation each
  // `try` and each case with a value has room of its own on the stack.

  private mutating func write(_ value: StoreValue, depth: Int) throws(FormatError) {
    switch value {
    case .array(let elements): try write(elements, depth: depth + 1)
    case .dictionary(let document): try write(inner: document, depth: depth + 1)
    default: try write(scalar: value)
    }
  }

  private mutating func write(_ elements: [StoreValue], depth: Int) throws(FormatError) {
    try enter(depth)
    for position in elements.indices {
      bytes.append(position == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      startLine(depth)
      try write(elements[position], depth: depth)
    }
    close(elements.isEmpty ? "[" : nil, "]", depth)
  }

  private mutating func write(inner document: StoreDocument, depth: Int) throws(FormatError) {
    try enter(depth)
    for position in document.entries.indices {
      try startEntry(document.entries[position].key, isFirst: position == 0, depth)
      try write(document.entries[position].value, depth: depth)
    }
    close(document.isEmpty ? "{" : nil, "}", depth)
  }

  private mutating func enter(_ depth: Int) throws(FormatError) {
    try countValue()
    guard depth <= FormatLimits.depth else { throw FormatError(.tooDeep) }
  }

  private mutating func countValue() throws(FormatError) {
    values += 1
    guard values <= FormatLimits.nodes else { throw FormatError(.tooManyValues) }
  }

  private mutating func startEntry(
    _ key: String, isFirst: Bool, _ depth: Int
  ) throws(FormatError) {
    bytes.append(isFirst ? UInt8(ascii: "{") : UInt8(ascii: ","))
    startLine(depth)
    try write(key)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
  }

  /// - Parameter open: The opening bracket of what is empty, and so on one line.
  private mutating func close(
    _ open: Unicode.Scalar?, _ close: Unicode.Scalar, _ depth: Int
  ) {
    if let open { bytes.append(UInt8(ascii: open)) } else { startLine(depth - 1) }
    bytes.append(UInt8(ascii: close))
  }

  private mutating func write(scalar value: StoreValue) throws(FormatError) {
    try countValue()
    switch value {
    case .null, .array, .dictionary: append("null")
    case .bool(let isTrue): append(isTrue ? "true" : "false")
    case .integer(let number):
      if number < 0 { bytes.append(UInt8(ascii: "-")) }
      append(number.magnitude)
    case .unsigned(let number): append(number)
    case .double(let number): write(number)
    case .number(let text):
      guard DecimalText(text.utf8) != nil else { throw FormatError(.invalidNumber(text)) }
      bytes.append(contentsOf: text.utf8)
    case .string(let text): try write(text)
    case .data(let data): try write(data.base64EncodedString())
    case .date(let date):
      if let text = DateText.spell(date) {
        try write(text)
      } else {
        write(date.timeIntervalSinceReferenceDate)
      }
    }
  }

  private mutating func write(_ number: Double) {
    if number.isFinite {
      bytes.append(contentsOf: NumberText.shortest(number).utf8)
    } else {
      append(number.isNaN ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"")
    }
  }

  // MARK: Bytes

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Digit by digit, without a string in between.
  private mutating func append(_ number: UInt64) {
    var power: UInt64 = 1
    while number / power >= 10 { power *= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
      power /= 10
    }
  }

  private mutating func startLine(_ depth: Int) {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { bytes.append(UInt8(ascii: " ")) }
  }

  /// A string in quotes. Only quotes, backslashes and control characters are escaped.
  ///
  /// - Throws: `tooLarge`, before a copy is made of what cannot be kept.
  private mutating func write(_ text: String) throws(FormatError) {
    guard bytes.count + text.utf8.count <= FormatLimits.bytes else { throw FormatError(.tooLarge) }
    bytes.append(UInt8(ascii: "\""))
    let isWritten = text.utf8.withContiguousStorageIfAvailable { text in
      if text.contains(where: Self.needsEscape) { return false }
      bytes.append(contentsOf: text)
      return true
    }
    if isWritten != true {
      for byte in text.utf8 { writeEscaped(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func writeEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    case 0x8: append("\\b")
    case 0xc: append("\\f")
    case ..<0x20:
      append("\\u00")
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      bytes.append(Self.hexadecimal[Int(byte & 0xf)])
    default: bytes.append(byte)
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
}
