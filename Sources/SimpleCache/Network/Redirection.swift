import Foundation

/// Which redirects are followed, and where they lead (RFC 9110, section 15.4).
enum Redirection {
  /// Why one is not.
  struct Refusal: Error {
    let sentence: String
  }

  /// The most in one read, as in `URLSession`.
  static let limit = 20

  /// Those that tell a GET to go elsewhere.
  static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// Whether the server says that it is so from now on.
  static func isPermanent(_ status: Int) -> Bool { status == 301 || status == 308 }

  /// - Parameters:
  ///   - location: The header of that name.
  ///   - url: Where it was received from.
  static func target(_ location: String?, from url: URL) throws(Refusal) -> URL {
    guard let location, let resolved = URL(string: location, relativeTo: url),
      let target = fetchable(resolved)
    else {
      throw Refusal(
        sentence: "The redirect to “\(location ?? "")” leads to no http or https address.")
    }
    guard origin(url).scheme != "https" || origin(target).scheme == "https" else {
      throw Refusal(
        sentence: "The redirect from https to “\(target)” gives up encryption and is not followed.")
    }
    return target
  }

  /// An address of a server as the session takes it, `HTTP://…` included; `nil` for any other.
  static func fetchable(_ url: URL) -> URL? {
    guard ["http", "https"].contains(origin(url).scheme), url.host()?.isEmpty == false,
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    parts.scheme = origin(url).scheme
    return parts.url
  }

  /// Whether the same server is asked: scheme, host and port are the same.
  static func isSameOrigin(_ one: URL, _ other: URL) -> Bool {
    origin(one) == origin(other)
  }

  private static func origin(_ url: URL) -> (scheme: String, host: String, port: Int) {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return (scheme, url.host()?.lowercased() ?? "", port)
  }
}
