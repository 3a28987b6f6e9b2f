import Foundation
import SimpleStore

extension NetworkFetcher: Forgetting {
  func forget(_ url: URL?) async throws {
    // First, so that what is on its way is either not kept or removed below.
    underWay.outdate(url)
    if let url { try await responses?.remove(url) } else { try await responses?.removeAll() }
  }
}

/// The fetches that are under way, and what has happened since they began.
final class FetchesUnderWay: Sendable {
  enum Standing: Sendable {
    case current
    /// A later fetch of the address has an answer.
    case overtaken
    /// The address was removed.
    case outdated
  }

  private struct State {
    var fetches: [UInt64: (url: URL, standing: Standing)] = [:]
    var last: UInt64 = 0
  }

  private let state = Guarded(State())

  /// A fetch begins; ``end(_:)`` must follow.
  func begin(_ url: URL) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.fetches[state.last] = (url, .current)
      return state.last
    }
  }

  func end(_ number: UInt64) { state.withLock { $0.fetches[number] = nil } }

  func standing(_ number: UInt64) -> Standing {
    state.withLock { $0.fetches[number]?.standing ?? .outdated }
  }

  /// Notes that a fetch has an answer: those of the same address that began before are overtaken.
  ///
  /// - Returns: Whether it is overtaken itself, or outdated.
  func arrive(_ number: UInt64) -> Standing {
    state.withLock { state in
      guard let arrived = state.fetches[number] else { return .outdated }
      for (other, fetch) in state.fetches
      where other < number && fetch.url == arrived.url && fetch.standing == .current {
        state.fetches[other]?.standing = .overtaken
      }
      return arrived.standing
    }
  }

  /// - Parameter url: `nil` is all.
  func outdate(_ url: URL?) {
    state.withLock { state in
      for (number, fetch) in state.fetches where url == nil || fetch.url == url {
        state.fetches[number]?.standing = .outdated
      }
    }
  }
}
