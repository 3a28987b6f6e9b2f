import Foundation
import SimpleStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request on its way: gathers the body, and decides how it ends.
final class Transfer: Sendable {
  struct Answer: Sendable {
    let status: Int
    /// By lower-case name.
    let headers: [String: String]
    let body: Data
  }

  private struct Received {
    var status = 0
    var headers: [String: String] = [:]
    var body = Data()
    var expected: Int64 = -1
  }

  let end = OneShot<Answer>()
  private let url: URL
  private let level: String
  private let sizeLimit: Int
  private let acceptsNotModified: Bool
  private let received = Guarded(Received())

  init(url: URL, level: String, sizeLimit: Int, acceptsNotModified: Bool) {
    self.url = url
    self.level = level
    self.sizeLimit = sizeLimit
    self.acceptsNotModified = acceptsNotModified
  }

  /// Ends with an error.
  ///
  /// - Returns: Whether it had not ended before.
  @discardableResult
  func fail(
    _ code: CacheError.Code, status: Int? = nil, message: String = "",
    underlying: (any Error)? = nil
  ) -> Bool {
    end.end(
      .failure(
        CacheError(
          code, level: level, key: url, status: status, message: message, underlying: underlying)))
  }

  /// - Returns: Whether the body is wanted.
  func begin(_ response: URLResponse) -> Bool {
    guard let http = response as? HTTPURLResponse else {
      fail(.unreachable, message: "The answer is not HTTP.")
      return false
    }
    // An interim answer (RFC 9110, section 15.2); the real one follows.
    if (100..<200).contains(http.statusCode) { return true }
    let isNotModified = acceptsNotModified && http.statusCode == 304
    guard (200..<300).contains(http.statusCode) || isNotModified else {
      fail(.status, status: http.statusCode)
      return false
    }
    guard response.expectedContentLength <= Int64(sizeLimit) else {
      failTooLarge()
      return false
    }
    let headers = Self.headers(of: http)
    received.withLock {
      $0 = Received(
        status: http.statusCode, headers: headers, expected: response.expectedContentLength)
    }
    return true
  }

  /// Ends with an answer that tells to go elsewhere.
  func redirect(_ response: HTTPURLResponse) {
    guard Redirection.statuses.contains(response.statusCode) else {
      fail(.status, status: response.statusCode)
      return
    }
    let headers = Self.headers(of: response)
    end.end(.success(Answer(status: response.statusCode, headers: headers, body: Data())))
  }

  private static func headers(of response: HTTPURLResponse) -> [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      headers[String(describing: name).lowercased()] = String(describing: value)
    }
    return headers
  }

  /// - Returns: Whether more is wanted.
  func receive(_ data: Data) -> Bool {
    let fits = received.withLock { received in
      guard data.count <= sizeLimit - received.body.count else { return false }
      received.body.append(data)
      return true
    }
    if !fits { failTooLarge() }
    return fits
  }

  private func failTooLarge() {
    fail(.tooLarge, message: "More than \(sizeLimit) bytes.")
  }

  /// - Parameter response: The session's last one.
  func finish(_ error: (any Error)?, _ response: URLResponse?) {
    if let error {
      switch (error as? URLError)?.code {
      case .cancelled: end.end(.failure(CancellationError()))
      case .timedOut: fail(.timedOut, underlying: error)
      default: fail(.unreachable, underlying: error)
      }
      return
    }
    let all = received.withLock { $0 }
    guard all.status != 0 else {
      // On Linux a redirect that names no address is not told to the delegate.
      if let http = response as? HTTPURLResponse, (300..<400).contains(http.statusCode) {
        fail(.status, status: http.statusCode)
      }
      fail(.unreachable, message: "The server closed the connection without an answer.")
      return
    }
    // Content-Length counts the bytes as sent; what was compressed is longer now.
    let isWhole =
      all.status == 304 || all.expected < 0 || all.headers["content-encoding"] != nil
      || Int64(all.body.count) >= all.expected
    guard isWhole else {
      fail(
        .unreachable,
        message: "The server broke off after \(all.body.count) of \(all.expected) bytes.")
      return
    }
    end.end(.success(Answer(status: all.status, headers: all.headers, body: all.body)))
  }
}

/// Hands what a session tells on to the transfer concerned.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let transfers = Guarded<[Int: Transfer]>([:])

  func add(_ transfer: Transfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(_ task: URLSessionTask) -> Transfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isWanted = transfer(dataTask)?.begin(response) ?? false
    completionHandler(isWanted ? .allow : .cancel)
    // On Linux `.cancel` only stops the task's callbacks; this closes the connection.
    if !isWanted { dataTask.cancel() }
  }

  /// Ends the task: where a redirect leads is decided in `NetworkFetcher`.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfer(task)?.redirect(response)
    #if canImport(FoundationNetworking)
      // The handler is not called: on Linux that ends the process if the task has been cancelled or
      // its time was over meanwhile, and a task that is cancelled does not wait for it.
      task.cancel()
    #else
      completionHandler(nil)
    #endif
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if transfer(dataTask)?.receive(data) == false { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.finish(error, task.response)
  }
}
