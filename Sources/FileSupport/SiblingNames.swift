/// The names of the files that a save puts beside its target.
///
/// They are fixed for a target, so that every process agrees on them and a leftover is found again.
/// Where the target's name leaves no room for the additions (255 bytes, `NAME_MAX`), the middle is
/// the name's beginning, `~` and 16 hexadecimal digits of the whole name's 64-bit FNV-1a hash.
package enum SiblingNames {
  static let longest = 255

  /// `.NAME.lock`
  package static func lock(of name: String) -> String { fit(".", name, ".lock") }
  /// `.NAME.tmp`
  package static func temporary(of name: String) -> String { fit(".", name, ".tmp") }
  /// `NAME.damaged-LABEL`, then `NAME.damaged-LABEL-2`, …
  package static func damaged(_ name: String, label: String, attempt: Int) -> String {
    fit("", name, attempt == 1 ? ".damaged-\(label)" : ".damaged-\(label)-\(attempt)")
  }

  private static func fit(_ prefix: String, _ name: String, _ suffix: String) -> String {
    let room = longest - prefix.utf8.count - suffix.utf8.count
    return prefix + (name.utf8.count <= room ? name : shortened(name, to: room)) + suffix
  }

  private static func shortened(_ name: String, to room: Int) -> String {
    var beginning = ""
    var count = 17
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      if count > room { break }
      beginning.unicodeScalars.append(scalar)
    }
    let digits = String(stableHash(name), radix: 16)
    return beginning + "~" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): the same in every process, as
  /// `Hasher` is not.
  private static func stableHash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
