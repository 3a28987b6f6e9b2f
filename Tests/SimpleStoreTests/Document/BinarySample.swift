/// Binary property lists put together by hand.
enum BinarySample {
  /// A file of these objects, the first one outermost.
  static func bytes(
    objects: [[UInt8]], offsetSize: Int = 2, referenceSize: Int = 1, outermost: Int = 0
  ) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    return finish(
      bytes, offsets: offsets, offsetSize: offsetSize, referenceSize: referenceSize,
      outermost: outermost)
  }

  /// A dictionary with one key, in it arrays one in another, down to an empty one at this depth.
  static func chain(depth: Int) -> [UInt8] {
    // Object 0 is the dictionary, 1 the key; each array holds the one after it.
    var bytes = Array("bplist00".utf8)
    var offsets = [bytes.count]
    bytes += [0xD1] + number(1, size: 4) + number(2, size: 4)
    offsets.append(bytes.count)
    bytes += [0x54] + Array("deep".utf8)
    for array in 2..<depth {
      offsets.append(bytes.count)
      bytes += [0xA1] + number(array + 1, size: 4)
    }
    offsets.append(bytes.count)
    bytes.append(0xA0)
    return finish(bytes, offsets: offsets, offsetSize: 4, referenceSize: 4, outermost: 0)
  }

  private static func finish(
    _ objects: [UInt8], offsets: [Int], offsetSize: Int, referenceSize: Int, outermost: Int
  ) -> [UInt8] {
    var bytes = objects
    for offset in offsets { bytes += number(offset, size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    bytes += number(offsets.count, size: 8) + number(outermost, size: 8)
    bytes += number(objects.count, size: 8)
    return bytes
  }

  static func number(_ number: Int, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
