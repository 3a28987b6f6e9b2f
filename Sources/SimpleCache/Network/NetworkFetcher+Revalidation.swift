public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension NetworkFetcher: RefreshableSource {
  /// What is kept and still fresh, without asking the server.
  ///
  /// - Parameter url: An http or https address.
  /// - Returns: The body and the moment at which it stops being fresh. `nil` if there is none: always,
  ///   of a fetcher that does not revalidate.
  /// - Throws: A ``CacheError`` with the code `timedOut`; `CancellationError`.
  public func cachedEntry(for url: URL) async throws -> CacheEntry<Data>? {
    guard responses != nil else { return nil }
    return try await inTime(url) { [self] in try await keptResponse(url).flatMap(freshEntry) }
  }

  /// What the server says now: it is asked even if what is kept is fresh, and caches on the way are
  /// told to ask as well (`Cache-Control: no-cache`).
  ///
  /// If it says that nothing has changed, what is kept is given. The answer is kept in any case.
  ///
  /// - Parameter url: An http or https address.
  /// - Returns: As ``entry(for:)``.
  /// - Throws: As ``get(_:)``.
  public func refreshedEntry(for url: URL) async throws -> CacheEntry<Data>? {
    try await inTime(url) { [self] in
      try await fetchedEntry(url, kept: keptResponse(url), isRefresh: true)
    }
  }

  /// What is kept for such a request. What cannot be read is as good as none: the server is asked.
  func keptResponse(_ url: URL) async throws -> KeptResponse? {
    guard let responses else { return nil }
    let bytes = try await unlessFailed { try await responses.get(url) }
    guard let kept = bytes.flatMap({ $0 }).flatMap(KeptResponse.init(encoded:)),
      kept.answers(conditions(url)), kept.body.count <= sizeLimit
    else { return nil }
    return kept
  }

  func freshEntry(_ kept: KeptResponse) -> CacheEntry<Data>? {
    guard let rest = kept.remainingFreshness(at: clock.wall()), rest > .zero else { return nil }
    return CacheEntry(kept.body, deadline: clock.monotonic().advanced(by: rest))
  }

  func fetchedEntry(
    _ url: URL, kept: KeptResponse?, isRefresh: Bool
  ) async throws -> CacheEntry<Data> {
    let conditions = conditions(url)
    let number = underWay.begin(url)
    defer { underWay.end(number) }
    let sent = clock.wall()
    let reply = try await load(url, kept: kept, isRefresh: isRefresh)
    guard let responses else { return CacheEntry(reply.answer.body) }
    let response = KeptResponse(reply, previous: kept, request: conditions, date: sent)
    try await keep(response, url, number, in: responses)
    let deadline = response.remainingFreshness(at: clock.wall()).map {
      clock.monotonic().advanced(by: $0)
    }
    return CacheEntry(response.body, deadline: deadline)
  }

  /// As in any composition, what was read is given although it could not be kept.
  private func keep(
    _ response: KeptResponse, _ url: URL, _ number: UInt64, in responses: any CacheLevel<URL, Data>
  ) async throws {
    let standing = underWay.arrive(number)
    // What a later fetch has kept is newer.
    if standing == .overtaken { return }
    if response.isStorable, standing == .current {
      let isKept: Void? = try await unlessFailed {
        try await responses.set(response.encoded(), forKey: url)
      }
      // Removed or overtaken while it was set: nobody knows which of the two came last.
      if isKept != nil, underWay.standing(number) == .current { return }
    }
    // What was kept before is not what the server says now. If it stays, no later than its end of
    // freshness the server is asked again.
    _ = try await unlessFailed { try await responses.remove(url) }
  }

  /// `nil` if it fails; a cancellation is thrown.
  private func unlessFailed<Result>(_ body: () async throws -> Result) async throws -> Result? {
    do { return try await body() } catch {
      // Whatever a level makes of it: if this task was cancelled, that is why.
      try Task.checkCancellation()
      if error is CancellationError { throw error }
      return nil
    }
  }

  private func conditions(_ url: URL) -> RequestConditions {
    // Now, before it is sent: the answer may set others.
    let cookies = session.configuration.httpCookieStorage?.cookies(for: url).flatMap {
      HTTPCookie.requestHeaderFields(with: $0)["Cookie"]
    }
    return RequestConditions(headers: headers) { name in
      switch name {
      case "cookie": cookies
      // What the session makes of these is not known here.
      case "accept-language":
        ([Locale.current.identifier] + Locale.preferredLanguages).joined(separator: ",")
      case "user-agent": ProcessInfo.processInfo.processName
      default: nil
      }
    }
  }
}
