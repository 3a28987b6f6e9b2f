/// What a response says about being kept, as far as a cache of one user needs it (RFC 9111,
/// section 5.2.2).
struct CacheControl: Equatable, Sendable {
  /// Seconds for which the response is fresh; 0 if it must be confirmed each time, `nil` if nothing
  /// is said.
  var lifetime: Double?
  /// Seconds of these that were over when it was sent.
  var age: Double = 0
  /// Whether it may be kept at all.
  var isStorable = true

  /// - Parameter headers: By lower-case name.
  init(_ headers: [String: String]) {
    for directive in (headers["cache-control"] ?? "").lowercased().split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1)
      let name = parts.first.map(Self.trimmed) ?? ""
      switch name {
      case "no-store":
        isStorable = false
        lifetime = 0
      case "no-cache": lifetime = 0
      case "max-age" where lifetime == nil:
        // Of several the first counts, and what is no number as stale (section 4.2.1).
        lifetime = parts.count > 1 ? Self.seconds(parts[1]) ?? 0 : 0
      default: break
      }
    }
    // Of a list the first counts (section 5.1); what is no number of seconds says nothing good.
    if let text = headers["age"] {
      age = text.split(separator: ",").first.flatMap(Self.seconds) ?? Self.longest
    }
  }

  /// Seconds for which it is fresh from now on; `nil` if nothing is said.
  var remaining: Double? { lifetime.map { max(0, $0 - age) } }

  /// Longer than 68 years is as good (section 1.2.2), and no number of JSON is infinite.
  private static let longest: Double = 2_147_483_648

  /// Digits only (section 1.2.2): `inf` and `1e9` are no numbers.
  private static func seconds(_ text: Substring) -> Double? {
    let digits = trimmed(text)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Double(digits).map { min($0, longest) }
  }

  private static func trimmed(_ text: Substring) -> String {
    let noise: Set<Character> = [" ", "\t", "\""]
    let front = text.drop { noise.contains($0) }
    return String(front.prefix { !noise.contains($0) })
  }
}
