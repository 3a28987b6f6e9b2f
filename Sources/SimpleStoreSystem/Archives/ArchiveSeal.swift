import Foundation

/// Tells whole archives from damaged ones: eight bytes to know them by, eight of checksum.
enum ArchiveSeal {
  private static let mark = Data("SSArchv1".utf8)

  static func sealed(_ archive: Data) -> Data {
    var sealed = mark
    withUnsafeBytes(of: Checksum.of(archive).bigEndian) { sealed.append(contentsOf: $0) }
    return sealed + archive
  }

  static func opened(_ sealed: Data) -> Data? {
    guard sealed.starts(with: mark), sealed.count > 16 else { return nil }
    let archive = Data(sealed.dropFirst(16))
    return sealed.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } == Checksum.of(archive)
      ? archive : nil
  }
}
