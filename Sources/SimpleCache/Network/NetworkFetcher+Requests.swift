import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server said in the end.
struct Reply: Sendable {
  let answer: Transfer.Answer
  /// Who said it.
  let url: URL
  /// Those that led there.
  let redirects: [Transfer.Answer]
}

extension NetworkFetcher {
  /// The longest time that is counted; the sessions of Linux reckon in whole milliseconds.
  private static let longestTimeout = Duration.seconds(366 * 86_400)

  /// The limit of a session's task, in seconds. It is one between two packets and must never end a
  /// read: that is for ``inTime(_:_:)``. Whole seconds, because on Linux the session cuts off the
  /// rest.
  static func taskTimeout(_ timeout: Duration) -> TimeInterval {
    (min(max(timeout, .zero), longestTimeout) / .seconds(1)).rounded(.up) + 1
  }

  func inTime(
    _ url: URL, _ body: @escaping @Sendable () async throws -> CacheEntry<Data>?
  ) async throws -> CacheEntry<Data>? {
    guard timeout > .zero else {
      throw CacheError(
        .timedOut, level: name, key: url, message: "The timeout given is \(timeout).")
    }
    let limit = min(timeout, Self.longestTimeout)
    return try await TimedSource(base: self, limit: limit, clock: ContinuousClock())
      .inTime(url, body)
  }

  /// Asks the server, and whoever it points to.
  ///
  /// Redirects are followed here, not by the session. It would take all headers along to whatever
  /// server is named (on Linux), and a read that is cancelled while the session is about to follow
  /// one ends the process (swift-corelibs-foundation, `HTTPURLProtocol.didCompleteRedirectCallback`).
  ///
  /// - Parameters:
  ///   - url: What was asked for.
  ///   - kept: What to ask with whether it has changed.
  ///   - isRefresh: Whether caches on the way must ask as well.
  func load(_ url: URL, kept: KeptResponse?, isRefresh: Bool) async throws -> Reply {
    guard var target = Redirection.fetchable(url) else {
      throw CacheError(
        .unavailable, level: name, key: url, message: "Only http and https addresses are fetched.")
    }
    var isAtHome = true
    var redirects: [Transfer.Answer] = []
    while true {
      let validators = kept?.validators(for: target) ?? [:]
      var request = URLRequest(url: target)
      request.timeoutInterval = Self.taskTimeout(timeout)
      if isRefresh { request.setValue("no-cache", forHTTPHeaderField: "Cache-Control") }
      for field in headers.fields(atHome: isAtHome) {
        request.setValue(field.value, forHTTPHeaderField: field.name)
      }
      for (name, value) in validators { request.setValue(value, forHTTPHeaderField: name) }
      let transfer = Transfer(
        url: url, level: name, sizeLimit: sizeLimit, acceptsNotModified: !validators.isEmpty)
      let answer = try await run(request, transfer)
      guard Redirection.statuses.contains(answer.status) else {
        return Reply(answer: answer, url: target, redirects: redirects)
      }
      redirects.append(answer)
      let next = try follow(redirects, from: target, key: url)
      isAtHome = isAtHome && Redirection.isSameOrigin(target, next)
      target = next
    }
  }

  private func follow(_ redirects: [Transfer.Answer], from url: URL, key: URL) throws -> URL {
    guard let last = redirects.last else { return url }
    do throws(Redirection.Refusal) {
      guard redirects.count <= Redirection.limit else {
        throw Redirection.Refusal(sentence: "More than \(Redirection.limit) redirects.")
      }
      return try Redirection.target(last.headers["location"], from: url)
    } catch {
      throw CacheError(
        .status, level: name, key: key, status: last.status, message: error.sentence)
    }
  }

  private func run(_ request: URLRequest, _ transfer: Transfer) async throws -> Transfer.Answer {
    try Task.checkCancellation()
    let task = session.dataTask(with: request)
    transfers.add(transfer, for: task)
    task.resume()
    return try await transfer.end.wait { task.cancel() }
  }
}
