public import Foundation

/// A key that is the same bytes in every process, so that what was kept under it is found again.
///
/// ```swift
/// struct PageKey: StableKey {
///   var language: String
///   var number: Int
///   var stableBytes: [UInt8] { stableBytes(of: [language, String(number)]) }
///   init?(stableBytes: [UInt8]) {
///     guard let parts = Self.parts(of: stableBytes), parts.count == 2, let number = Int(parts[1])
///     else { return nil }
///     language = parts[0]
///     self.number = number
///   }
/// }
/// ```
///
/// Law: equal keys have equal bytes. Law: keys that are not equal have different bytes, or they share
/// an entry. Law: `init(stableBytes:)` takes what `stableBytes` gave. A `hashValue` is not stable: it
/// differs from run to run.
public protocol StableKey: Hashable, Sendable {
  /// The bytes of the key.
  var stableBytes: [UInt8] { get }

  /// The key of some bytes; `nil` if they are those of no key, and the entry is not listed then.
  init?(stableBytes: [UInt8])
}

extension StableKey {
  /// The bytes of several texts that cannot be taken for those of others: each after its length, so
  /// that ("ab", "c") is not ("a", "bc").
  public func stableBytes(of parts: [String]) -> [UInt8] {
    parts.flatMap { part in
      let bytes = part.stableBytes
      return UInt64(bytes.count).stableBytes + bytes
    }
  }

  /// The texts of which ``stableBytes(of:)`` made these bytes.
  public static func parts(of bytes: [UInt8]) -> [String]? {
    var parts: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let length = UInt64(stableBytes: Array(rest.prefix(8))) else { return nil }
      rest = rest.dropFirst(8)
      guard length <= UInt64(rest.count),
        let part = String(stableBytes: Array(rest.prefix(Int(length))))
      else { return nil }
      parts.append(part)
      rest = rest.dropFirst(Int(length))
    }
    return parts
  }
}

/// Texts that are equal to Swift may be spelt with different bytes, so the bytes are those of the
/// composed form (Unicode normalisation form C).
extension String: StableKey {
  public var stableBytes: [UInt8] {
    let bytes = Array(utf8)
    return bytes.isASCII ? bytes : Array(precomposedStringWithCanonicalMapping.utf8)
  }

  public init?(stableBytes: [UInt8]) { self.init(validating: stableBytes, as: UTF8.self) }
}

extension [UInt8] {
  /// Looked at eight by eight: a key is looked at in every call.
  fileprivate var isASCII: Bool {
    withUnsafeBytes { bytes in
      var (seen, offset) = (UInt64(0), 0)
      // The loads stay inside the buffer: eight bytes are there, then one.
      while offset &+ 8 <= bytes.count {
        seen |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset &+= 8
      }
      while offset < bytes.count {
        seen |= UInt64(bytes[offset])
        offset &+= 1
      }
      return seen & 0x8080_8080_8080_8080 == 0
    }
  }
}

/// The bytes are those of the absolute text.
extension URL: StableKey {
  public var stableBytes: [UInt8] { absoluteString.stableBytes }

  public init?(stableBytes: [UInt8]) {
    guard let text = String(stableBytes: stableBytes) else { return nil }
    self.init(string: text)
  }
}

extension Data: StableKey {
  public var stableBytes: [UInt8] { Array(self) }
  public init?(stableBytes: [UInt8]) { self.init(stableBytes) }
}

extension UUID: StableKey {
  public var stableBytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

  public init?(stableBytes: [UInt8]) {
    guard stableBytes.count == 16 else { return nil }
    self.init(uuid: stableBytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}

/// Eight bytes, the lowest first, on every platform.
extension Int: StableKey {
  public var stableBytes: [UInt8] { UInt64(bitPattern: Int64(self)).stableBytes }

  public init?(stableBytes: [UInt8]) {
    guard let bits = UInt64(stableBytes: stableBytes) else { return nil }
    self.init(exactly: Int64(bitPattern: bits))
  }
}

/// Eight bytes, the lowest first.
extension UInt64: StableKey {
  public var stableBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

  public init?(stableBytes: [UInt8]) {
    guard stableBytes.count == 8 else { return nil }
    self = stableBytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension StableKey where Self: RawRepresentable, RawValue: StableKey {
  /// The bytes of the raw value.
  public var stableBytes: [UInt8] { rawValue.stableBytes }

  public init?(stableBytes: [UInt8]) {
    guard let rawValue = RawValue(stableBytes: stableBytes) else { return nil }
    self.init(rawValue: rawValue)
  }
}
