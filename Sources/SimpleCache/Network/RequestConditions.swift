import Foundation

/// What a request was made with, as far as another request must be made with the same to be given the
/// same response, and so that it cannot be read back: headers may be secrets.
struct RequestFingerprint: Codable, Equatable, Sendable {
  /// Another one for each response, so that equal secrets are not seen to be equal.
  var salt: Data
  var digest: Data
}

/// What a response to a request depends on.
struct RequestConditions: Sendable {
  let headers: RequestHeaders
  /// What the session adds by itself, by lower-case name.
  let sessionValue: @Sendable (String) -> String?

  /// Of the headers that the response varies by (RFC 9111, section 4.1), and, whatever the server
  /// says, of those that may be secret: a server that forgets to say so must not give one user's
  /// response to another.
  ///
  /// - Parameters:
  ///   - varying: Names in lower case; `*` is no name.
  ///   - salt: That of a fingerprint to compare with; by default a new one.
  func fingerprint(_ varying: [String], salt: Data? = nil) -> RequestFingerprint {
    let salt = salt ?? Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    var bytes = Array(salt)
    for name in headers.secretNames + varying where name != "*" {
      Self.add(name, to: &bytes)
      Self.add(headers.value(name), to: &bytes)
      Self.add(varying.contains(name) ? sessionValue(name) : nil, to: &bytes)
    }
    return RequestFingerprint(salt: salt, digest: Data(SHA256.digest(of: bytes)))
  }

  /// After its length, so that no two lists of texts are the same bytes.
  private static func add(_ text: String?, to bytes: inout [UInt8]) {
    let length = text.map { Int64($0.utf8.count) } ?? -1
    withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: (text ?? "").utf8)
  }
}
