/// The elements of XML property lists.
///
/// The raw value is the name's bytes as one number (no name has more than eight), so that finding
/// the element of a name is one comparison of numbers.
enum XMLPropertyListElement: UInt64 {
  case plist = 0x70_6C69_7374
  case dictionary = 0x6469_6374  // dict
  case array = 0x61_7272_6179
  case key = 0x6B_6579
  case string = 0x7374_7269_6E67
  case integer = 0x69_6E74_6567_6572
  case real = 0x7265_616C
  case yes = 0x7472_7565  // true
  case no = 0x66_616C_7365  // false
  case date = 0x6461_7465
  case data = 0x6461_7461

  /// The element whose name is these bytes.
  init?(_ bytes: [UInt8], _ name: Range<Int>) {
    guard name.count <= 8 else { return nil }
    var packed: UInt64 = 0
    for position in name { packed = packed << 8 | UInt64(bytes[position]) }
    self.init(rawValue: packed)
  }

  /// The name as it stands in a file.
  var name: String {
    let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: rawValue >> ($0 * 8)) }
    return String(decoding: bytes.drop { $0 == 0 }, as: UTF8.self)
  }
}
