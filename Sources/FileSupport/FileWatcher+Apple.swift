// Not compiled on Linux.

#if canImport(Darwin)
  import Darwin
  import Dispatch
  import Synchronization

  /// One path that is watched through kqueue, by a dispatch source for each directory on the way
  /// and one for the file: a directory tells of names that come and go, not of writes into a file.
  final class PlatformWatch: Sendable {
    typealias Handler = @Sendable (FileWatcher.Signal) -> Void

    private struct State {
      var sources: [any DispatchSourceFileSystemObject] = []
      var isSettling = false
      var seesAll = true
      var isCancelled = false
    }
    private let location: String
    private let calls: FileCalls
    private let settling: Duration
    private let handler: Handler
    private let state = Mutex(State())
    private static let queue = DispatchQueue(label: "SimpleStore.FileWatcher")

    init(
      _ location: String, calls: FileCalls, settling: Duration, handler: @escaping Handler
    ) {
      self.location = location
      self.calls = calls
      self.settling = settling
      self.handler = handler
    }

    func start() { arm() }

    func cancel() {
      let sources = state.withLock { state in
        state.isCancelled = true
        defer { state.sources = [] }
        return state.sources
      }
      for source in sources { source.cancel() }
    }

    /// Opens everything on the way as it is now, and lets go of what was on it before.
    private func arm() {
      var sources: [any DispatchSourceFileSystemObject] = []
      var isComplete = false
      for _ in 0..<10 {
        for source in sources { source.cancel() }
        let way = WatchedPlaces(of: location, calls: calls)
        isComplete = way.isComplete
        sources = []
        // The last name is the file, which tells of writes in place.
        let file = way.places.last { !$0.names.isEmpty }
          .flatMap { place in
            place.names.last.map { PathText.join(place.path, String(decoding: $0, as: UTF8.self)) }
          }
        for path in way.places.map(\.path) + (file.map { [$0] } ?? []) {
          if let source = source(on: path) {
            sources.append(source)
          } else if errno != ENOENT && errno != ENOTDIR {
            isComplete = false
          }
        }
        // What happened between looking and opening was not told; look again until it is the same.
        if WatchedPlaces(of: location, calls: calls) == way { break }
      }
      let new = sources
      let sees = isComplete
      let (old, isNews) = state.withLock { state in
        if state.isCancelled { return (new, false) }
        defer {
          state.sources = new
          state.seesAll = sees
        }
        return (state.sources, state.seesAll != sees)
      }
      for source in old { source.cancel() }
      if isNews { handler(.sight(isComplete: sees)) }
    }

    private func source(on path: String) -> (any DispatchSourceFileSystemObject)? {
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor,
        eventMask: [.write, .extend, .attrib, .delete, .rename, .revoke], queue: Self.queue)
      source.setEventHandler { [weak self] in self?.somethingHappened() }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      return source
    }

    private func somethingHappened() {
      // kqueue does not tell when a writer closes the file, so the file is given time to become
      // whole; a later event tells again.
      let isFirst = state.withLock { state in
        defer { state.isSettling = true }
        return !state.isSettling && !state.isCancelled
      }
      guard isFirst else { return }
      Self.queue.asyncAfter(deadline: .now() + (settling / .seconds(1))) { [weak self] in
        guard let self else { return }
        let isWatched = state.withLock { state in
          state.isSettling = false
          return !state.isCancelled
        }
        guard isWatched else { return }
        arm()
        handler(.change)
      }
    }
  }
#endif
