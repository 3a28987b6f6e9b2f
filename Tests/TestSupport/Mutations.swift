/// Damaged copies of some bytes: every truncation, then every change of a single byte to each of
/// the 255 others.
package struct Mutations: Sequence, Sendable {
  private let bytes: [UInt8]

  package init(of bytes: [UInt8]) { self.bytes = bytes }

  package var count: Int { bytes.count + bytes.count * 255 }

  package func makeIterator() -> Iterator { Iterator(bytes) }

  package struct Iterator: IteratorProtocol {
    private let bytes: [UInt8]
    private var length = 0
    private var position = 0
    private var difference: UInt8 = 1

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func next() -> [UInt8]? {
      if length < bytes.count {
        defer { length += 1 }
        return Array(bytes[..<length])
      }
      guard position < bytes.count else { return nil }
      var changed = bytes
      changed[position] ^= difference
      if difference == 255 {
        difference = 1
        position += 1
      } else {
        difference += 1
      }
      return changed
    }
  }
}
