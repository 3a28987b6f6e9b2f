#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a binary property list.
///
/// Every object is read once and then shared, as in the file, so that memory and time are bounded
/// by the size of the file, whatever it refers to. What it comes to when every reference is
/// followed is counted all the same, since writing it elsewhere follows them.
struct BinaryPropertyListReader {
  let bytes: [UInt8]
  let layout: BinaryPropertyListLayout
  /// How many values it may come to. Writers share texts and numbers, and each use of one takes a
  /// byte at least; what multiplies itself by sharing containers ends here, before its values are
  /// compared, converted or written one by one.
  private let mostValues: Int
  /// What is known of each object, by its reference.
  private var objects: [Object]
  /// The values and the bytes of text and data that objects read so far hold themselves.
  private var valuesRead = 0
  private var bytesRead = 0

  /// 32 bytes, in this order; a file may have millions.
  private struct Object {
    enum State { case unread, begun, read }
    var value = StoreValue.null
    var state = State.unread
    /// How many containers are one in another in it.
    var height: UInt8 = 0
    /// How many values it is with all that is in it, and how many bytes of text and data.
    var values: UInt32 = 1
    var bytes: UInt32 = 0
  }

  init(_ bytes: [UInt8]) throws(FormatError) {
    self.bytes = bytes
    layout = try BinaryPropertyListLayout(bytes)
    mostValues = min(FormatLimits.nodes, FormatLimits.sharedNodes + 16 * bytes.count)
    // A key and a value for each value that may be, and the outermost dictionary.
    guard layout.objectCount <= FormatLimits.nodes * 2 + 1 else {
      throw FormatError(.tooManyValues, offset: bytes.count - BinaryPropertyListLayout.trailerSize)
    }
    objects = Array(repeating: Object(), count: layout.objectCount)
  }

  mutating func read() throws(FormatError) -> StoreDocument {
    let start = try offset(of: layout.outermost, from: layout.tableOffset)
    if let other = Self.kind(of: bytes[start]) {
      throw FormatError(.rootIsNotADictionary(found: other), offset: start)
    }
    try readObject(layout.outermost, depth: 1, from: layout.tableOffset)
    guard case .dictionary(let document) = objects[layout.outermost].value else {
      throw FormatError(.unknownObjectType(bytes[start]), offset: start)
    }
    return document
  }

  /// What an object is that is not a dictionary, by its marker; nil for dictionaries and unknown
  /// markers.
  private static func kind(of marker: UInt8) -> String? {
    switch marker {
    case 0x00: "null"
    case 0x08, 0x09: "bool"
    case 0x10...0x14: "integer"
    case 0x22, 0x23: "number"
    case 0x33: "date"
    case 0x40...0x4F: "data"
    case 0x50...0x6F: "string"
    case 0x80...0x8F: "UID"
    case 0xA0...0xAF, 0xC0...0xCF: "array"
    default: nil
    }
  }

  // MARK: Objects

  // Reading an object, an array and a dictionary call each other, so they are kept to what that
  // takes: without optimisation each `try` and each copy has room of its own on the stack.

  /// Sees to it that an object is in `objects`.
  ///
  /// - Parameters:
  ///   - depth: How deep it is if it is a container.
  ///   - origin: Where the reference to it is, for errors.
  private mutating func readObject(
    _ reference: Int, depth: Int, from origin: Int
  ) throws(FormatError) {
    if objects[reference].state != .read {
      let start = try begin(reference, from: origin)
      switch bytes[start] >> 4 {
      case 0xA, 0xC: try readArray(reference, start, depth: depth)
      case 0xD: try readDictionary(reference, start, depth: depth)
      default: try readScalar(reference, start)
      }
      objects[reference].state = .read
    }
    try checkDepth(reference, depth, from: origin)
  }

  /// - Returns: Where the object is, which is being read from now on.
  private mutating func begin(_ reference: Int, from origin: Int) throws(FormatError) -> Int {
    if objects[reference].state == .begun { throw FormatError(.selfReference, offset: origin) }
    let start = try offset(of: reference, from: origin)
    objects[reference].state = .begun
    return start
  }

  private func checkDepth(_ reference: Int, _ depth: Int, from origin: Int) throws(FormatError) {
    // Only containers have a depth. A null at depth 130 is spelled by a dictionary at 129, which is
    // one value at depth 128.
    let height = Int(objects[reference].height)
    if height > 0, depth - 1 + height > FormatLimits.depth {
      throw FormatError(.tooDeep, offset: origin)
    }
  }

  private mutating func readScalar(_ reference: Int, _ start: Int) throws(FormatError) {
    let (value, size) = try scalar(at: start)
    bytesRead += size
    // Below the limit the size fits 32 bits.
    guard bytesRead <= FormatLimits.bytes else { throw FormatError(.tooLarge, offset: start) }
    objects[reference].value = value
    objects[reference].bytes = UInt32(size)
    if case .dictionary = value {
      // A UID is a dictionary with a number.
      objects[reference].height = 1
      objects[reference].values = 2
    }
  }

  private mutating func readArray(
    _ reference: Int, _ start: Int, depth: Int
  ) throws(FormatError) {
    let (count, content) = try beginArray(start, depth)
    var elements: [StoreValue] = []
    elements.reserveCapacity(count)
    var sum = Object()
    for position in 0..<count {
      let origin = content + position * layout.referenceSize
      let element = try self.reference(at: origin)
      try readObject(element, depth: depth + 1, from: origin)
      try add(element, to: &sum, from: origin)
      elements.append(objects[element].value)
    }
    finish(reference, .array(elements), sum)
  }

  private mutating func beginArray(
    _ start: Int, _ depth: Int
  ) throws(FormatError) -> (count: Int, content: Int) {
    guard depth <= FormatLimits.depth else { throw FormatError(.tooDeep, offset: start) }
    let (count, content) = try count(at: start, unit: layout.referenceSize)
    try charge(count, at: start)
    return (count, content)
  }

  private mutating func readDictionary(
    _ reference: Int, _ start: Int, depth: Int
  ) throws(FormatError) {
    let (count, content) = try beginDictionary(start, depth)
    var document = StoreDocument()
    document.reserveCapacity(count)
    var sum = Object()
    for position in 0..<count {
      let keyOrigin = content + position * layout.referenceSize
      let key = try readKey(keyOrigin, depth, &sum)
      let origin = keyOrigin + count * layout.referenceSize
      let value = try self.reference(at: origin)
      try readObject(value, depth: depth + 1, from: origin)
      try add(value, to: &sum, from: origin)
      document.put(key, objects[value].value)
    }
    finish(reference, document, sum, isOutermost: depth == 1)
  }

  private mutating func beginDictionary(
    _ start: Int, _ depth: Int
  ) throws(FormatError) -> (count: Int, content: Int) {
    let (count, content) = try count(at: start, unit: layout.referenceSize * 2)
    // One level more where null or a number may be spelled.
    guard depth <= FormatLimits.depth || depth == FormatLimits.depth + 1 && count == 1 else {
      throw FormatError(.tooDeep, offset: start)
    }
    try charge(count, at: start)
    return (count, content)
  }

  private mutating func readKey(
    _ origin: Int, _ depth: Int, _ sum: inout Object
  ) throws(FormatError) -> String {
    let key = try self.reference(at: origin)
    // Looked at before it is read, since reading a container would go down.
    guard case 0x5...0x6 = bytes[try offset(of: key, from: origin)] >> 4 else {
      throw FormatError(.keyIsNotAString, offset: origin)
    }
    if objects[key].state != .read {
      try readScalar(key, try begin(key, from: origin))
      objects[key].state = .read
    }
    guard case .string(let text) = objects[key].value else {
      throw FormatError(.keyIsNotAString, offset: origin)
    }
    sum.bytes += objects[key].bytes
    try checkSize(sum, at: origin)
    return text
  }

  private mutating func finish(
    _ reference: Int, _ document: StoreDocument, _ sum: Object, isOutermost: Bool
  ) {
    if isOutermost { return finish(reference, .dictionary(document), sum) }
    let (meaning, wrapper) = PropertyListSpelling.binary.meaning(of: document)
    if wrapper == nil {
      finish(reference, meaning, sum)
    } else {
      // One value, spelled as a dictionary.
      objects[reference].value = meaning
    }
  }

  private mutating func finish(_ reference: Int, _ value: StoreValue, _ sum: Object) {
    objects[reference].value = value
    objects[reference].height = sum.height + 1
    objects[reference].values = sum.values
    objects[reference].bytes = sum.bytes
  }

  // MARK: Limits

  /// Counts the values of a container before there is memory for them.
  private mutating func charge(_ count: Int, at start: Int) throws(FormatError) {
    valuesRead += count
    // A null is two values in the file and counts as one; `add` counts exactly.
    if valuesRead > FormatLimits.nodes * 2 { throw FormatError(.tooManyValues, offset: start) }
  }

  /// Both limits are below a quarter of what 32 bits hold, so no sum of two overflows.
  private func add(
    _ reference: Int, to sum: inout Object, from origin: Int
  ) throws(FormatError) {
    let object = objects[reference]
    sum.height = max(sum.height, object.height)
    sum.values += object.values
    sum.bytes += object.bytes
    // The outermost dictionary itself is not counted, in any format.
    if sum.values > mostValues + 1 {
      throw FormatError(.tooManyValues, offset: origin)
    }
    try checkSize(sum, at: origin)
  }

  private func checkSize(_ sum: Object, at origin: Int) throws(FormatError) {
    if sum.bytes > FormatLimits.bytes { throw FormatError(.tooLarge, offset: origin) }
  }

  // MARK: References

  private func reference(at start: Int) throws(FormatError) -> Int {
    let number = unsigned(at: start, size: layout.referenceSize)
    guard number < UInt64(layout.objectCount) else {
      throw FormatError(.invalidReference(number), offset: start)
    }
    return Int(number)
  }

  private func offset(of reference: Int, from origin: Int) throws(FormatError) -> Int {
    let entry = layout.tableOffset + reference * layout.offsetSize
    let number = unsigned(at: entry, size: layout.offsetSize)
    guard number >= UInt64(BinaryPropertyListLayout.header.count),
      number < UInt64(layout.tableOffset)
    else { throw FormatError(.invalidReference(number), offset: entry) }
    return Int(number)
  }
}
