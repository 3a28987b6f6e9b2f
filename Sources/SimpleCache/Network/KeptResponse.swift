import Foundation

/// A response as a revalidating fetcher keeps it: the body, and what RFC 9111 needs to know later.
struct KeptResponse: Sendable {
  private struct Header: Codable {
    /// Where it came from in the end, after redirects.
    var url: String
    var entityTag: String?
    var lastModified: String?
    /// When it was asked for or last confirmed, by the wall clock.
    var date: Date
    /// Seconds for which it is fresh after that; `nil` if the server did not say.
    var lifetime: Double?
    /// What the server itself said, without its age and the redirects; stays when it is confirmed.
    var statedLifetime: Double?
    /// The names of the request's headers that it depends on, in lower case; `*` is all there is.
    var varying: [String]
    /// Of the request that it answers.
    var fingerprint: RequestFingerprint
  }

  private static let magic = Data("SCR2".utf8)

  private var header: Header
  let body: Data
  let isStorable: Bool

  /// The response after an answer of the server: the new one, or the previous one confirmed (304).
  ///
  /// - Parameters:
  ///   - reply: What the server said.
  ///   - previous: What was kept for the same request.
  ///   - request: The request.
  ///   - date: When it was sent: from then on its age counts, however long the way back was
  ///     (section 4.2.3).
  init(_ reply: Reply, previous: KeptResponse?, request: RequestConditions, date: Date) {
    let answer = reply.answer
    let control = CacheControl(answer.headers)
    let confirmed = answer.status == 304 ? previous : nil
    body = confirmed?.body ?? answer.body
    isStorable = control.isStorable
    // Section 3.2: fields that a 304 does not repeat stay as they were.
    let stated =
      confirmed != nil && answer.headers["cache-control"] == nil
      ? confirmed?.header.statedLifetime : control.lifetime
    let varying = Set(reply.redirects.flatMap { Self.names($0.headers["vary"]) ?? [] })
      .union(Self.names(answer.headers["vary"]) ?? confirmed?.header.varying ?? []).sorted()
    // Section 4.1: no later request is known to be the same.
    // Nor is it known which cookies were sent to where a redirect led.
    let isUnknown =
      varying.contains("*") || (varying.contains("cookie") && !reply.redirects.isEmpty)
    let own = isUnknown ? 0 : stated.map { max(0, $0 - control.age) }
    header = Header(
      url: reply.url.absoluteString,
      // A 304 that names another one (section 4.3.4) does not make it that of this body.
      entityTag: confirmed?.header.entityTag ?? answer.headers["etag"],
      lastModified: answer.headers["last-modified"] ?? confirmed?.header.lastModified,
      date: date, lifetime: Self.lifetime(own, behind: reply.redirects), statedLifetime: stated,
      varying: varying, fingerprint: request.fingerprint(varying))
  }

  private static func names(_ vary: String?) -> [String]? {
    vary?.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Behind a redirect a response is fresh no longer than the redirect: tomorrow it may lead elsewhere.
  private static func lifetime(_ own: Double?, behind redirects: [Transfer.Answer]) -> Double? {
    let limits = redirects.map { redirect in
      let stated = CacheControl(redirect.headers).remaining
      return stated ?? (own == nil || Redirection.isPermanent(redirect.status) ? nil : 0)
    }
    return ([own] + limits).compactMap(\.self).min()
  }

  /// Whether it answers this request too (section 4.1).
  func answers(_ request: RequestConditions) -> Bool {
    header.fingerprint == request.fingerprint(header.varying, salt: header.fingerprint.salt)
  }

  /// What to ask with whether it has changed. Tags are a server's own words for the versions of one
  /// address: nobody else is told them, and they would mean something else there.
  func validators(for url: URL) -> [String: String] {
    guard url.absoluteString == header.url else { return [:] }
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

  /// The form in which it is kept: "SCR2", the length of the header (4 bytes, little endian), the
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
    isStorable = true
  }
}
