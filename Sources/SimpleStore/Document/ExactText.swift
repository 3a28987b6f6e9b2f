#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension String {
  /// Whether both have the same UTF-8 bytes.
  ///
  /// `==` follows Unicode's canonical equivalence, for which `e\u{301}` and `\u{e9}` are one text.
  /// A store must give back what it was given, so it compares bytes.
  @usableFromInline
  package func hasSameBytes(as other: String) -> Bool {
    // Unsafe, and right: two texts of the same words are one text, short or shared. (Of others the
    // words say nothing.) Keys are compared most often with themselves.
    let words = unsafeBitCast(self, to: (UInt, UInt).self)
    if words == unsafeBitCast(other, to: (UInt, UInt).self) { return true }
    let here = utf8
    let there = other.utf8
    guard here.count == there.count else { return false }
    let fast = here.withContiguousStorageIfAvailable { left in
      there.withContiguousStorageIfAvailable { right in
        // Unsafe, and right: both buffers hold `count` bytes for the length of the closure.
        left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
      }
    }
    // Only strings bridged from Objective-C have no contiguous bytes.
    return (fast ?? nil) ?? here.elementsEqual(there)
  }
}
