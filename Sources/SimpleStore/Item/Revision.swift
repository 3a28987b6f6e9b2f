import Synchronization

/// The stamps that fields carry: 64-bit numbers, none of which is given out twice.
///
/// Two fields with equal stamps hold the same value, also across copies and undo, so finding out
/// what changed is a pass of integer compares.
@usableFromInline
enum Revision {
  private static let counter = Atomic<UInt64>(1)

  /// A number that no field has had before in this process.
  ///
  /// Counted, then multiplied by an odd number, which is one-to-one on 64-bit numbers: small
  /// counts would be found all over the memory in which ``ItemLayout`` looks for stamps.
  @usableFromInline
  static func next() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).oldValue &* 0x9E37_79B9_7F4A_7C15
  }
}
