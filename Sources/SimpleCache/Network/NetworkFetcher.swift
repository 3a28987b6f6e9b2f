import FileSupport
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Gets data by HTTP.
///
/// One GET a read. The answer is the body of a response with a status from 200 to 299, whole; any
/// other status is a ``CacheError`` with the code `status`, a body larger than the limit one with
/// `tooLarge`, an answer that does not come in time one with `timedOut`, and a server that cannot be
/// reached or breaks off before the end one with `unreachable`. Cancelling a read closes its
/// connection.
///
/// ```swift
/// let pages = MemoryLevel<URL, Data>(countLimit: 100).compose(NetworkFetcher()).pooled()
/// ```
///
/// **Redirects** (301, 302, 303, 307, 308) are followed, up to 20 in one read. To another origin
/// (another scheme, host or port) none of the headers go along that the fetcher or its configuration
/// was given, except `Accept`, `Accept-Language`, `Accept-Encoding` and `User-Agent`: of any other,
/// nobody can tell whether it is a secret. They do not come back when a later redirect leads home. A
/// redirect that is not followed, because it is the 21st, leads from https to http or to another kind
/// of address, is an error with the code `status`; its message says why.
///
/// A session on Linux reads ahead of its delegate, so a body without an announced length may use
/// more memory than the limit before it is stopped; the body of a redirect it reads to the end without
/// telling, so that only the timeout stops one that has none.
///
/// On Linux, `URLSession` of Swift 6.3.1 ends the process when a server closes the connection after the
/// first line and before the end of the header ("Transfer completed, but there's no response" in
/// swift-corelibs-foundation, `NativeProtocol.swift`). Nothing built on it can prevent that; where a
/// server is not trusted to finish its header, fetch through a `ClosureSource` of another client.
///
/// **Revalidation.** `NetworkFetcher(revalidating: disk)` keeps each response with its `ETag` and
/// `Last-Modified` in the given level, gives it without asking as long as its `Cache-Control:
/// max-age` says, counted from when it was asked for, and then asks the server only whether it has
/// changed (RFC 9111). What must be fresh, ``refreshedEntry(for:)``, is asked for in any case. The
/// level in front keeps such a value no longer than `max-age`, and one marked `no-store` or
/// `no-cache` not at all. Behind a redirect a response is fresh no longer than the redirect is.
///
/// A kept response is given only to a request with the same values in the headers that its `Vary`
/// names, and with the same values in all headers given except the four above: what one token was
/// given never reaches another. Only a digest of these values is kept. `Vary: *` must be confirmed
/// each time. One response is kept for each address; that of another request takes its place. Levels
/// *in front* of a fetcher know the address only: do not let fetchers with different headers share
/// those.
///
/// The level given holds responses in a form of this type's own; do not share it with others. What is
/// removed from a composition with the fetcher in it is removed there too.
public final class NetworkFetcher: CacheSource {
  public typealias Key = URL
  public typealias Value = Data

  public let name: String
  let timeout: Duration
  let sizeLimit: Int
  let headers: RequestHeaders
  let clock: CacheClock
  let responses: (any CacheLevel<URL, Data>)?
  let underWay = FetchesUnderWay()
  let transfers = TransferDelegate()
  let session: URLSession

  /// A fetcher that asks the server every time.
  ///
  /// - Parameters:
  ///   - timeout: How long a read may take in all, with redirects. With zero or less each read throws
  ///     `timedOut` and asks nobody; more than a year counts as a year.
  ///   - sizeLimit: The most bytes of a body, uncompressed: 0 or more, else the process ends with a
  ///     sentence. `nil` is no limit.
  ///   - headers: Sent with each request, but not all of them to another origin; they take the place
  ///     of those in `configuration`.
  ///   - configuration: Of the session that is used. It is copied; the copy's cache is switched off,
  ///     and its `httpAdditionalHeaders` are treated as `headers` are.
  ///   - name: The name in errors and events.
  public convenience init(
    timeout: Duration = .seconds(60), sizeLimit: Int? = nil, headers: [String: String] = [:],
    configuration: URLSessionConfiguration = .ephemeral, name: String = "NetworkFetcher"
  ) {
    self.init(
      responses: nil, timeout: timeout, sizeLimit: sizeLimit, headers: headers,
      configuration: configuration, clock: .system, name: name)
  }

  /// A fetcher that keeps responses and asks the server only whether they have changed.
  ///
  /// - Parameters:
  ///   - responses: Where responses are kept. If it fails, the server is asked, and its answer given.
  ///   - timeout: How long a read may take in all, with redirects and with the reading and writing of
  ///     `responses`. With zero or less each read throws `timedOut` and asks nobody; more than a year
  ///     counts as a year.
  ///   - sizeLimit: The most bytes of a body, uncompressed: 0 or more, else the process ends with a
  ///     sentence. `nil` is no limit.
  ///   - headers: Sent with each request, but not all of them to another origin; they take the place
  ///     of those in `configuration`.
  ///   - configuration: Of the session that is used. It is copied; the copy's cache is switched off,
  ///     and its `httpAdditionalHeaders` are treated as `headers` are.
  ///   - clock: What `max-age` is measured by; that of the levels in front.
  ///   - name: The name in errors and events.
  public convenience init(
    revalidating responses: some CacheLevel<URL, Data>, timeout: Duration = .seconds(60),
    sizeLimit: Int? = nil, headers: [String: String] = [:],
    configuration: URLSessionConfiguration = .ephemeral, clock: CacheClock = .system,
    name: String = "NetworkFetcher"
  ) {
    self.init(
      responses: responses, timeout: timeout, sizeLimit: sizeLimit, headers: headers,
      configuration: configuration, clock: clock, name: name)
  }

  private init(
    responses: (any CacheLevel<URL, Data>)?, timeout: Duration, sizeLimit: Int?,
    headers: [String: String], configuration: URLSessionConfiguration, clock: CacheClock,
    name: String
  ) {
    require(sizeLimit ?? 0 >= 0, "A size limit must not be negative; nil is no limit.")
    self.responses = responses
    self.timeout = timeout
    self.sizeLimit = sizeLimit ?? .max
    self.headers = RequestHeaders(headers, over: configuration.httpAdditionalHeaders)
    self.clock = clock
    self.name = name
    // The caller's own stays as it is. A copy is always one of these.
    let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // The session would send them everywhere.
    configuration.httpAdditionalHeaders = nil
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Gets what is at an address.
  ///
  /// Never a miss: what is not there is an error. A revalidating fetcher gives what it keeps as long as
  /// that is fresh.
  ///
  /// - Parameter url: An http or https address.
  /// - Returns: The body, uncompressed; never `nil`.
  /// - Throws: A ``CacheError`` with the code `status` (and the status), `tooLarge`, `timedOut`,
  ///   `unreachable` or, for an address of another kind, `unavailable`; `CancellationError`. Failures
  ///   of the level in which responses are kept are not thrown.
  public func get(_ url: URL) async throws -> Data? {
    try await entry(for: url)?.value
  }

  /// As ``get(_:)``, with the moment until which the value may be kept.
  ///
  /// - Parameter url: An http or https address.
  /// - Returns: The body, and a deadline on the monotonic clock. It is over where the server wants to
  ///   be asked each time, and `nil` where it did not say anything or the fetcher does not revalidate.
  /// - Throws: As ``get(_:)``.
  public func entry(for url: URL) async throws -> CacheEntry<Data>? {
    try await inTime(url) { [self] in
      let kept = try await keptResponse(url)
      if let entry = kept.flatMap(freshEntry) { return entry }
      return try await fetchedEntry(url, kept: kept, isRefresh: false)
    }
  }
}
