import Foundation
import SimpleStore

extension NetworkFetcher: Forgetting {
  func forget(_ url: URL?) async throws {
    // First, so that what is on its way is either not kept or removed below.
    underWay.outdate(url)
    if let url { try await responses?.remove(url) } else { try await responses?.removeAll() }
  }
}

/// The fetches that are under way, and of which nothing was removed since they began.
final class FetchesUnderWay: Sendable {
  private struct State {
    var urls: [UInt64: URL] = [:]
    var last: UInt64 = 0
  }

  private let state = Guarded(State())

  /// A fetch begins; ``end(_:)`` must follow.
  func begin(_ url: URL) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.urls[state.last] = url
      return state.last
    }
  }

  func end(_ number: UInt64) { state.withLock { $0.urls[number] = nil } }

  func isCurrent(_ number: UInt64) -> Bool { state.withLock { $0.urls[number] != nil } }

  /// - Parameter url: `nil` is all.
  func outdate(_ url: URL?) {
    state.withLock { state in
      state.urls = url.map { url in state.urls.filter { $0.value != url } } ?? [:]
    }
  }
}
