/// What a response says about being kept, as far as a cache of one user needs it (RFC 9111,
/// section 5.2.2).
struct CacheControl: Equatable, Sendable {
  /// Seconds for which the response is fresh; 0 if it must be confirmed each time, `nil` if nothing
  /// is said.
  var lifetime: Double?
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
      case "max-age" where lifetime != 0:
        // What is no number counts as stale (section 4.2.1).
        let seconds = parts.count > 1 ? Double(Self.trimmed(parts[1])) : nil
        // Longer than 68 years is as good (section 1.2.2), and no number of JSON is infinite.
        lifetime = min(max(0, seconds.map { $0.isNaN ? 0 : $0 } ?? 0), 2_147_483_648)
      default: break
      }
    }
    if let fresh = lifetime, let age = headers["age"].flatMap({ Double(Self.trimmed($0[...])) }) {
      lifetime = age.isNaN ? 0 : max(0, fresh - max(0, age))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let noise: Set<Character> = [" ", "\t", "\""]
    let front = text.drop { noise.contains($0) }
    return String(front.prefix { !noise.contains($0) })
  }
}
