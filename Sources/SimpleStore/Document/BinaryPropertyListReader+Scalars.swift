#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension BinaryPropertyListReader {
  /// The value of an object that holds no others, and how many bytes of text or data it has.
  func scalar(at start: Int) throws(FormatError) -> (StoreValue, size: Int) {
    let marker = bytes[start]
    switch marker {
    case 0x00: return (.null, 0)
    case 0x08: return (.bool(false), 0)
    case 0x09: return (.bool(true), 0)
    case 0x10...0x14: return (try integer(at: start), 0)
    case 0x22:
      let pattern = UInt32(truncatingIfNeeded: try number(at: start, size: 4))
      return (.double(Double(Float(bitPattern: pattern))), 0)
    case 0x23: return (.double(Double(bitPattern: try number(at: start, size: 8))), 0)
    case 0x33:
      let seconds = Double(bitPattern: try number(at: start, size: 8))
      return (.date(Date(timeIntervalSinceReferenceDate: seconds)), 0)
    case 0x40...0x4F:
      let (count, content) = try count(at: start, unit: 1)
      return (.data(Data(bytes[content..<(content + count)])), count)
    case 0x50...0x5F: return try asciiString(at: start)
    case 0x60...0x6F: return try utf16String(at: start)
    case 0x80...0x8F:
      return (.dictionary(["CF$UID": StoreValue(unsigned: try identifier(at: start))]), 0)
    default: throw FormatError(.unknownObjectType(marker), offset: start)
    }
  }

  /// Up to four bytes are unsigned, eight and sixteen are two's complement.
  private func integer(at start: Int) throws(FormatError) -> StoreValue {
    let size = 1 << Int(bytes[start] & 0x0F)
    guard size == 16 else {
      let number = try number(at: start, size: size)
      return .integer(Int64(truncatingIfNeeded: number))
    }
    try check(16, from: start + 1)
    let high = Int128(Int64(truncatingIfNeeded: unsigned(at: start + 1, size: 8)))
    return PropertyListNumber.value(of: high << 64 | Int128(unsigned(at: start + 9, size: 8)))
  }

  private func asciiString(at start: Int) throws(FormatError) -> (StoreValue, size: Int) {
    let (count, content) = try count(at: start, unit: 1)
    let text = bytes[content..<(content + count)]
    if let other = text.firstIndex(where: { $0 >= 0x80 }) {
      throw FormatError(
        .unexpectedByte(bytes[other], expected: "an ASCII character"), offset: other)
    }
    return (.string(String(decoding: text, as: UTF8.self)), count)
  }

  private func utf16String(at start: Int) throws(FormatError) -> (StoreValue, size: Int) {
    let (count, content) = try count(at: start, unit: 2)
    let units = (0..<count).lazy.map { unit in
      UInt16(bytes[content + unit * 2]) << 8 | UInt16(bytes[content + unit * 2 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw FormatError(.unpairedSurrogate, offset: start)
    }
    return (.string(text), count * 2)
  }

  // MARK: Numbers

  /// The number of things that an object has, and where they begin; all of them are there.
  ///
  /// - Parameter unit: How many bytes one of them has.
  func count(at start: Int, unit: Int) throws(FormatError) -> (count: Int, content: Int) {
    var content = start + 1
    var count = UInt64(bytes[start] & 0x0F)
    if count == 0x0F {
      try check(1, from: content)
      guard case 0x10...0x13 = bytes[content] else {
        throw FormatError(.unexpectedByte(bytes[content], expected: "a length"), offset: content)
      }
      let size = 1 << Int(bytes[content] & 0x0F)
      count = try number(at: content, size: size)
      content += 1 + size
    }
    // Divided, not multiplied: nothing can overflow.
    guard count <= UInt64((layout.tableOffset - content) / unit) else {
      throw FormatError(.unexpectedEnd, offset: start)
    }
    return (Int(count), content)
  }

  /// The number after a marker.
  private func number(at start: Int, size: Int) throws(FormatError) -> UInt64 {
    try check(size, from: start + 1)
    return unsigned(at: start + 1, size: size)
  }

  /// The number of a UID, of up to sixteen bytes, of which 64 bits count.
  private func identifier(at start: Int) throws(FormatError) -> UInt64 {
    let size = Int(bytes[start] & 0x0F) + 1
    try check(size, from: start + 1)
    let extra = max(0, size - 8)
    guard bytes[(start + 1)..<(start + 1 + extra)].allSatisfy({ $0 == 0 }) else {
      throw FormatError(.unknownObjectType(bytes[start]), offset: start)
    }
    return unsigned(at: start + 1 + extra, size: size - extra)
  }

  /// Throws when fewer bytes than that are left of the objects.
  private func check(_ size: Int, from start: Int) throws(FormatError) {
    if size > layout.tableOffset - start { throw FormatError(.unexpectedEnd, offset: start) }
  }

  /// A number in big-endian order, at most eight bytes, which are there.
  func unsigned(at start: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for position in start..<(start + size) { number = number << 8 | UInt64(bytes[position]) }
    return number
  }
}
