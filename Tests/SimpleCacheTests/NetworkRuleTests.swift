import Foundation
import Testing

@testable import SimpleCache

/// What cannot be tried over a network of this machine, or not with all its cases.
@Suite struct NetworkRuleTests {
  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test(arguments: [
    ("/b", "https://a.example/b"), ("b?c=d", "https://a.example/x/b?c=d"),
    ("../b", "https://a.example/b"), ("//b.example/c", "https://b.example/c"),
    ("https://b.example:8443", "https://b.example:8443"), ("?q", "https://a.example/x/y?q"),
    ("a b", "https://a.example/x/a%20b"),
  ])
  func `a redirect leads where the standard says`(location: String, target: String) throws {
    let found = try Redirection.target(location, from: url("https://a.example/x/y?z"))
    #expect(found.absoluteString == target)
  }

  @Test(arguments: [
    "http://a.example/x", "HTTP://a.example/", "http://b.example:443/", "ftp://a.example/",
    "file:///etc/hostname", "javascript:alert(1)", "http://", "https:///x", nil, "",
  ])
  func `a redirect never leads from https to http, nor out of them`(location: String?) throws {
    let start = try url("https://a.example/x")
    #expect(throws: Redirection.Refusal.self) {
      try Redirection.target(location, from: start)
    }
  }

  @Test func `a redirect from http to https is followed`() throws {
    let found = try Redirection.target("https://a.example/", from: url("http://a.example/"))
    #expect(found.scheme == "https")
  }

  @Test(arguments: [
    ("https://a.example/x", "HTTPS://A.EXAMPLE:443/y?z", true),
    ("http://a.example", "http://a.example:80/", true),
    ("http://a.example/", "https://a.example/", false),
    ("https://a.example/", "https://a.example:8443/", false),
    ("https://a.example/", "https://b.a.example/", false),
    ("https://a.example/", "https://a.example.evil/", false),
    ("https://a.example/", "https://a.example@evil.example/", false),
    ("http://[::1]:80/", "http://[::1]/", true),
  ])
  func `an origin is scheme, host and port`(one: String, other: String, isSame: Bool) throws {
    #expect(try Redirection.isSameOrigin(url(one), url(other)) == isSame)
    #expect(try Redirection.isSameOrigin(url(other), url(one)) == isSame)
  }

  @Test(arguments: [
    (Duration.seconds(1.9), 3.0), (.milliseconds(1), 2), (.seconds(60), 61),
    (.seconds(Int64.max), 366 * 86_400 + 1), (.zero, 1), (.seconds(Int64.min), 1),
  ])
  func `a session's task has whole seconds, and more of them than the read`(
    timeout: Duration, seconds: Double
  ) {
    #expect(NetworkFetcher.taskTimeout(timeout) == seconds)
  }

  /// The examples of FIPS 180-4, and lengths around the edges of a block, by Python's `hashlib`.
  @Test(arguments: [
    ("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    ("a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    ("a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
    ("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    ("a", 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
    ("a", 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
    ("a", 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    ("a", 1_000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
  ])
  func `the digest of headers is SHA-256`(text: String, count: Int, digest: String) {
    let bytes = SHA256.digest(of: Array(String(repeating: text, count: count).utf8))
    #expect(
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
  }

  @Test func `a fingerprint tells requests apart, and does not say what they hold`() {
    func conditions(_ headers: [String: String]) -> RequestConditions {
      RequestConditions(headers: RequestHeaders(headers)) { _ in nil }
    }
    let request = conditions(["X-A": "bc", "X-B": ""])
    let first = request.fingerprint([])
    #expect(request.fingerprint([]) != first)
    #expect(request.fingerprint([], salt: first.salt) == first)
    for other in [["X-A": "b", "X-B": "c"], ["X-A": "bc"], ["X-AB": "c", "X-B": ""], [:]] {
      #expect(conditions(other).fingerprint([], salt: first.salt) != first, "\(other)")
    }
  }
}
