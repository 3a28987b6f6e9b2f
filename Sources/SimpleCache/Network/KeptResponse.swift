import Foundation

/// A response as a revalidating fetcher keeps it: the body, and what RFC 9111 needs to know later.
struct KeptResponse: Sendable {
  private struct Header: Codable {
    var entityTag: String?
    var lastModified: String?
    /// When it was received or last confirmed, by the wall clock.
    var date: Date
    /// Seconds for which it is fresh after that; `nil` if the server did not say.
    var lifetime: Double?
    var isStorable: Bool
  }

  private static let magic = Data("SCR1".utf8)

  private var header: Header
  let body: Data

  /// The response after an answer of the server: the new one, or the previous one confirmed (304).
  init(_ answer: Transfer.Answer, previous: KeptResponse?, now: Date) {
    let control = CacheControl(answer.headers)
    let confirmed = answer.status == 304 ? previous : nil
    body = confirmed?.body ?? answer.body
    header = Header(
      entityTag: answer.headers["etag"] ?? confirmed?.header.entityTag,
      lastModified: answer.headers["last-modified"] ?? confirmed?.header.lastModified,
      date: now, lifetime: control.lifetime, isStorable: control.isStorable)
    // RFC 9111, section 3.2: fields that a 304 does not repeat stay as they were.
    if let confirmed, answer.headers["cache-control"] == nil {
      header.lifetime = confirmed.header.lifetime
    }
  }

  var isStorable: Bool { header.isStorable }

  /// What to ask with whether it has changed.
  var validators: [String: String] {
    var fields: [String: String] = [:]
    fields["If-None-Match"] = header.entityTag
    fields["If-Modified-Since"] = header.lastModified
    return fields
  }

  /// How long it is still fresh; `nil` if the server did not say.
  func remainingFreshness(at now: Date) -> Duration? {
    header.lifetime.map { lifetime in
      let age = now.timeIntervalSince(header.date)
      // Received in the future: the clock was set back, and nothing is known about the age.
      return age < 0 ? .zero : max(.zero, .saturating(lifetime - age))
    }
  }

  /// The form in which it is kept: "SCR1", the length of the header (4 bytes, little endian), the
  /// header as JSON, the body.
  func encoded() throws -> Data {
    let header = try JSONEncoder().encode(header)
    var data = Self.magic
    withUnsafeBytes(of: UInt32(header.count).littleEndian) { data.append(contentsOf: $0) }
    data.append(header)
    data.append(body)
    return data
  }

  /// - Returns: `nil` if the bytes are not a response: the server is asked then.
  init?(encoded data: Data) {
    let start = data.startIndex
    guard data.count >= 8, data.prefix(4) == Self.magic else { return nil }
    let bits = data[(start + 4)..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    guard let length = Int(exactly: bits), length <= data.count - 8 else { return nil }
    do {
      header = try JSONDecoder().decode(Header.self, from: data[(start + 8)..<(start + 8 + length)])
    } catch {
      return nil
    }
    body = Data(data.suffix(from: start + 8 + length))
  }
}
