#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a binary property list.
///
/// One pass gives every object its number. Objects without references are bytes at once;
/// containers wait until the number of objects, and with it the size of a reference, is known.
struct BinaryPropertyListWriter {
  private var bytes = BinaryPropertyListLayout.header
  /// Where each object begins, by its number; -1 until it is known.
  private var offsets: [Int] = []
  private var containers: [Container] = []
  /// The references of all containers, one after another.
  private var references: [UInt32] = []
  private var table = BinaryScalarTable(capacity: 0)
  private var null: UInt32?
  private var values = 0
  /// The outermost key that is being written.
  private var outermostKey: String?
  /// Bytes of text and data, each time they are referred to, as the reader counts them.
  private var contentBytes = 0

  private struct Container {
    let number: UInt32
    let marker: UInt8
    let count: Int
    /// Where its references begin: `count` of them, or keys and then values.
    let first: Int
  }

  mutating func write(_ document: StoreDocument) throws(FormatError) -> [UInt8] {
    table = BinaryScalarTable(capacity: document.count * 2)
    bytes.reserveCapacity(document.count * 32)
    do throws(FormatError) {
      _ = try write(document.entries, depth: 1)
    } catch {
      throw FormatError(error.reason, key: outermostKey)
    }
    return try finish()
  }

  // MARK: Containers

  // These three call each other, so they are kept to what that takes: without optimisation each
  // `try` and each case with a value has room of its own on the stack.

  /// - Parameter depth: How deep the container is that the value stands in.
  private mutating func write(_ value: StoreValue, depth: Int) throws(FormatError) -> UInt32 {
    switch value {
    case .array(let elements): try write(elements, depth: depth + 1)
    case .dictionary(let document):
      if let number = Self.identifier(document) {
        try write(identifier: number, depth: depth + 1)
      } else {
        try write(Self.entries(of: document), depth: depth + 1)
      }
    default: try write(scalar: value)
    }
  }

  private mutating func write(
    _ entries: [StoreDocument.Entry], depth: Int
  ) throws(FormatError) -> UInt32 {
    try enter(depth, count: entries.count)
    let (number, first) = begin(0xD0, count: entries.count, references: entries.count * 2)
    for position in entries.indices {
      if depth == 1 { outermostKey = entries[position].key }
      references[first + position] = try write(text: entries[position].key)
      references[first + entries.count + position] =
        try write(entries[position].value, depth: depth)
    }
    return number
  }

  private mutating func write(
    _ elements: [StoreValue], depth: Int
  ) throws(FormatError) -> UInt32 {
    try enter(depth, count: elements.count)
    let (number, first) = begin(0xA0, count: elements.count, references: elements.count)
    for position in elements.indices {
      references[first + position] = try write(elements[position], depth: depth)
    }
    return number
  }

  private mutating func enter(_ depth: Int, count: Int) throws(FormatError) {
    if depth > FormatLimits.depth { throw FormatError(.tooDeep) }
    try chargeValues(count)
  }

  /// The entries of a dictionary, with another key where it would be mistaken for a spelling.
  private static func entries(of document: StoreDocument) -> [StoreDocument.Entry] {
    guard let key = PropertyListSpelling.binary.escapedKey(of: document),
      let value = document.entries.first?.value
    else { return document.entries }
    return [StoreDocument.Entry(key: key, value: value)]
  }

  private mutating func begin(
    _ marker: UInt8, count: Int, references: Int
  ) -> (number: UInt32, first: Int) {
    let number = UInt32(offsets.count)
    let first = self.references.count
    offsets.append(-1)
    containers.append(Container(number: number, marker: marker, count: count, first: first))
    self.references.append(contentsOf: repeatElement(0, count: references))
    return (number, first)
  }

  /// A dictionary with one key, which is no level of its own.
  private mutating func write(
    _ word: PropertyListSpelling.Word, _ value: StoreValue
  ) throws(FormatError) -> UInt32 {
    let (number, first) = begin(0xD0, count: 1, references: 2)
    references[first] = try write(text: word.rawValue)
    references[first + 1] = try scalar(value)
    return number
  }

  // MARK: Values

  private mutating func write(scalar value: StoreValue) throws(FormatError) -> UInt32 {
    switch value {
    case .null:
      if let null { return null }
      let number = try write(.null, .bool(true))
      null = number
      return number
    case .number(let text):
      guard PropertyListNumber.isNumber(text) else { throw FormatError(.invalidNumber(text)) }
      if PropertyListNumber.wideInteger(of: text) == nil {
        return try write(.number, .string(text))
      }
      return try scalar(value)
    default: return try scalar(value)
    }
  }

  /// A value that holds no others and has a native form.
  private mutating func scalar(_ value: StoreValue) throws(FormatError) -> UInt32 {
    let start = bytes.count
    switch value {
    case .bool(let isTrue): bytes.append(isTrue ? 0x09 : 0x08)
    case .integer(let number): append(integer: number)
    case .unsigned(let number): append(0x14, Int128(number))
    case .number(let text): append(0x14, PropertyListNumber.wideInteger(of: text) ?? 0)
    case .double(let number): append(0x23, number.bitPattern)
    case .date(let date): append(0x33, date.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let data):
      try chargeBytes(data.count)
      append(0x40, count: data.count)
      bytes.append(contentsOf: data)
    case .string(let text): return try write(text: text)
    case .null, .array, .dictionary: break
    }
    return unique(from: start)
  }

  private mutating func write(text: String) throws(FormatError) -> UInt32 {
    let start = bytes.count
    var text = text
    let size = text.withUTF8 { utf8 in
      guard utf8.allSatisfy({ $0 < 0x80 }) else { return -1 }
      append(0x50, count: utf8.count)
      bytes.append(contentsOf: utf8)
      return utf8.count
    }
    if size >= 0 {
      try chargeBytes(size)
    } else {
      let units = Array(text.utf16)
      try chargeBytes(units.count * 2)
      append(0x60, count: units.count)
      for unit in units { append(unit) }
    }
    return unique(from: start)
  }

  /// The number of a UID, which the format has a type for.
  ///
  /// Apple's readers take 32 bits; a larger one is written as the dictionary that it is.
  private static func identifier(_ document: StoreDocument) -> UInt32? {
    guard document.count == 1, let entry = document.entries.first,
      entry.key.hasSameBytes(as: "CF$UID"), case .integer(let number) = entry.value
    else { return nil }
    return UInt32(exactly: number)
  }

  private mutating func write(
    identifier number: UInt32, depth: Int
  ) throws(FormatError) -> UInt32 {
    try enter(depth, count: 1)
    let start = bytes.count
    if number <= UInt8.max {
      append(0x80, UInt8(number))
    } else if number <= UInt16.max {
      append(0x81, UInt16(number))
    } else {
      append(0x83, number)
    }
    return unique(from: start)
  }

  /// The number of the object that was just appended, or of an equal one, which is then kept
  /// instead.
  private mutating func unique(from start: Int) -> UInt32 {
    let new = UInt32(offsets.count)
    if let old = table.find(bytes, from: start, orPlace: new, offsets: offsets) {
      bytes.removeSubrange(start...)
      return old
    }
    offsets.append(start)
    return new
  }

  /// Counts the values of a container before any of them is written.
  private mutating func chargeValues(_ count: Int) throws(FormatError) {
    values += count
    if values > FormatLimits.nodes { throw FormatError(.tooManyValues) }
  }

  private mutating func chargeBytes(_ size: Int) throws(FormatError) {
    contentBytes += size
    if contentBytes > FormatLimits.bytes { throw FormatError(.tooLarge) }
  }

  // MARK: Bytes

  private mutating func append(integer number: Int64) {
    switch number {
    case 0...0xFF: append(0x10, UInt8(truncatingIfNeeded: number))
    case 0...0xFFFF: append(0x11, UInt16(truncatingIfNeeded: number))
    case 0...0xFFFF_FFFF: append(0x12, UInt32(truncatingIfNeeded: number))
    default: append(0x13, number)
    }
  }

  private mutating func append(_ marker: UInt8, count: Int) {
    if count < 0x0F {
      bytes.append(marker | UInt8(count))
    } else {
      bytes.append(marker | 0x0F)
      append(integer: Int64(count))
    }
  }

  private mutating func append(_ marker: UInt8, _ number: some FixedWidthInteger) {
    bytes.append(marker)
    append(number)
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    append(number, size: number.bitWidth / 8)
  }

  /// The lowest bytes of a number, in big-endian order.
  private mutating func append(_ number: some FixedWidthInteger, size: Int) {
    for place in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8)))
    }
  }

  private mutating func finish() throws(FormatError) -> [UInt8] {
    let referenceSize = BinaryPropertyListLayout.size(of: offsets.count)
    for container in containers {
      offsets[Int(container.number)] = bytes.count
      append(container.marker, count: container.count)
      let count = container.marker == 0xD0 ? container.count * 2 : container.count
      for reference in references[container.first..<(container.first + count)] {
        append(reference, size: referenceSize)
      }
      if bytes.count > FormatLimits.bytes { throw FormatError(.tooLarge) }
    }
    let layout = BinaryPropertyListLayout(objectCount: offsets.count, tableOffset: bytes.count)
    for offset in offsets { append(offset, size: layout.offsetSize) }
    bytes.append(contentsOf: [0, 0, 0, 0, 0, 0])
    bytes.append(UInt8(layout.offsetSize))
    bytes.append(UInt8(layout.referenceSize))
    append(UInt64(layout.objectCount))
    append(UInt64(layout.outermost))
    append(UInt64(layout.tableOffset))
    if bytes.count > FormatLimits.bytes { throw FormatError(.tooLarge) }
    return bytes
  }
}
