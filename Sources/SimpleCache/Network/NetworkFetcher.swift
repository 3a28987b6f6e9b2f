public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Gets data by HTTP.
///
/// One GET a read. The answer is the body of a response with a status from 200 to 299, whole; any
/// other status is a ``CacheError`` with the code `status`, a body larger than the limit one with
/// `tooLarge`, an answer that does not come in time one with `timedOut`, and a server that cannot be
/// reached or breaks off before the end one with `unreachable`. Redirects are followed. Cancelling a
/// read closes its connection.
///
/// ```swift
/// let pages = MemoryLevel<URL, Data>(countLimit: 100).compose(NetworkFetcher()).pooled()
/// ```
///
/// A session on Linux reads ahead of its delegate, so a body without an announced length may use
/// more memory than the limit before it is stopped.
///
/// On Linux, `URLSession` of Swift 6.3.1 ends the process when a server closes the connection after the
/// first line and before the end of the header ("Transfer completed, but there's no response" in
/// swift-corelibs-foundation, `NativeProtocol.swift`). Nothing built on it can prevent that; where a
/// server is not trusted to finish its header, fetch through a `ClosureSource` of another client.
///
/// **Revalidation.** `NetworkFetcher(revalidating: disk)` keeps each response with its `ETag` and
/// `Last-Modified` in the given level, gives it without asking as long as its `Cache-Control:
/// max-age` says, and then asks the server only whether it has changed (RFC 9111). The level in front
/// keeps such a value no longer than `max-age`, and one marked `no-store` or `no-cache` not at all.
/// The level given holds responses in a form of this type's own; do not share it with others.
public final class NetworkFetcher: CacheSource {
  public typealias Key = URL
  public typealias Value = Data

  public let name: String
  private let timeout: Duration
  private let sizeLimit: Int
  private let headers: [String: String]
  private let clock: CacheClock
  private let responses: (any CacheLevel<URL, Data>)?
  private let transfers = TransferDelegate()
  private let session: URLSession

  /// A fetcher that asks the server every time.
  ///
  /// - Parameters:
  ///   - timeout: How long a read may take in all.
  ///   - sizeLimit: The most bytes of a body; `nil` is no limit.
  ///   - headers: Sent with each request.
  ///   - configuration: Of the session that is used; its cache is switched off.
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
  ///   - responses: Where responses are kept.
  ///   - timeout: How long a read may take in all.
  ///   - sizeLimit: The most bytes of a body; `nil` is no limit.
  ///   - headers: Sent with each request.
  ///   - configuration: Of the session that is used; its cache is switched off.
  ///   - clock: What `max-age` is measured by.
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
    precondition(sizeLimit ?? 0 >= 0, "A size limit must not be negative; nil is no limit.")
    self.responses = responses
    self.timeout = timeout
    self.sizeLimit = sizeLimit ?? .max
    self.headers = headers
    self.clock = clock
    self.name = name
    // The caller's own stays as it is. A copy is always one of these.
    let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Gets what is at an address. Never a miss: what is not there is an error.
  public func get(_ url: URL) async throws -> Data? {
    try await entry(for: url)?.value
  }

  /// As ``get(_:)``, with the moment until which the server says that it is fresh.
  public func entry(for url: URL) async throws -> CacheEntry<Data>? {
    guard let responses else { return CacheEntry(try await load(url, validators: [:]).body) }
    let kept = try await keptResponse(url, in: responses)
    if let kept, let rest = kept.remainingFreshness(at: clock.wall()), rest > .zero {
      return CacheEntry(kept.body, deadline: clock.monotonic().advanced(by: rest))
    }
    let answer = try await load(url, validators: kept?.validators ?? [:])
    let response = KeptResponse(answer, previous: kept, now: clock.wall())
    do {
      if response.isStorable {
        try await responses.set(response.encoded(), forKey: url)
      } else {
        try await responses.remove(url)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // As in any composition, what was read is given although it could not be kept. The next read
      // asks the server again.
    }
    let deadline = response.remainingFreshness(at: clock.wall()).map {
      clock.monotonic().advanced(by: $0)
    }
    return CacheEntry(response.body, deadline: deadline)
  }

  /// A response that cannot be read is as good as none: the server is asked.
  private func keptResponse(
    _ url: URL, in responses: any CacheLevel<URL, Data>
  ) async throws -> KeptResponse? {
    do { return try await responses.get(url).flatMap { KeptResponse(encoded: $0) } } catch {
      try Task.checkCancellation()
      if error is CancellationError { throw error }
      return nil
    }
  }

  private func load(_ url: URL, validators: [String: String]) async throws -> Transfer.Answer {
    guard ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil else {
      throw CacheError(
        .unavailable, level: name, key: url, message: "Only http and https addresses are fetched.")
    }
    try Task.checkCancellation()
    var request = URLRequest(url: url)
    // The session's own limit is between two packets; the whole is timed below.
    request.timeoutInterval = max(1, timeout / .seconds(1))
    for (field, value) in headers { request.setValue(value, forHTTPHeaderField: field) }
    for (field, value) in validators { request.setValue(value, forHTTPHeaderField: field) }
    let transfer = Transfer(
      url: url, level: name, sizeLimit: sizeLimit, acceptsNotModified: !validators.isEmpty)
    let (task, timer) = start(request, transfer)
    defer { timer.cancel() }
    return try await transfer.end.wait { task.cancel() }
  }

  private func start(
    _ request: URLRequest, _ transfer: Transfer
  ) -> (task: URLSessionDataTask, timer: Task<Void, Never>) {
    let task = session.dataTask(with: request)
    transfers.add(transfer, for: task)
    task.resume()
    let timer = Task { [timeout] in
      // Ends early only when it is cancelled, because the transfer has ended.
      guard (try? await Task.sleep(for: timeout)) != nil else { return }
      if transfer.fail(.timedOut) { task.cancel() }
    }
    return (task, timer)
  }
}
