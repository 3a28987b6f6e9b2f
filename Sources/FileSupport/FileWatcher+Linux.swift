#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import Dispatch

  /// One path that is watched through the process's ``Inotify``.
  final class PlatformWatch: Sendable {
    typealias Handler = @Sendable (FileWatcher.Signal) -> Void

    fileprivate let location: String
    fileprivate let calls: FileCalls
    fileprivate let settling: Duration
    fileprivate let handler: Handler

    init(
      _ location: String, calls: FileCalls, settling: Duration, handler: @escaping Handler
    ) {
      self.location = location
      self.calls = calls
      self.settling = settling
      self.handler = handler
    }

    func start() { Inotify.shared.add(self) }
    func cancel() { Inotify.shared.remove(self) }
  }

  /// The inotify instance of the process (`inotify(7)`), which all watches share: a user has only
  /// 128 of them. It is there while anything is watched.
  ///
  /// Directories are watched, not files: a watch on a file stays with the inode, and a save by
  /// rename puts another inode in its place. Of directories higher up only the events of their own
  /// inode are asked for, so that a busy `/tmp` wakes nobody.
  private final class Inotify: Sendable {
    static let shared = Inotify()

    /// A watch, and what it waits for: names by the descriptor of their directory.
    private struct Entry: Sendable {
      let watch: PlatformWatch
      var names: [Int32: [[UInt8]]] = [:]
      var isSettling = false
      var seesAll = true
    }
    /// `@unchecked Sendable`: a dispatch source may be used from every thread; it is not declared so.
    private struct State: @unchecked Sendable {
      var descriptor: Int32 = -1
      var source: (any DispatchSourceRead)?
      var entries: [ObjectIdentifier: Entry] = [:]
    }
    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "SimpleStore.FileWatcher")

    private static let ownEvents = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)
    /// What changes which file a name stands for.
    private static let nameEvents = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
    /// What changes the file, and is complete.
    private static let fileEvents = UInt32(IN_CLOSE_WRITE | IN_ATTRIB)
    private static let partEvents = UInt32(IN_MODIFY)

    // MARK: Watches

    func add(_ watch: PlatformWatch) {
      let seesAll = state.withLock { state in
        if state.descriptor < 0 { open(&state) }
        state.entries[ObjectIdentifier(watch)] = Entry(watch: watch)
        return arm(ObjectIdentifier(watch), &state)
      }
      if !seesAll { watch.handler(.sight(isComplete: false)) }
    }

    func remove(_ watch: PlatformWatch) {
      state.withLock { state in
        guard let entry = state.entries.removeValue(forKey: ObjectIdentifier(watch)) else { return }
        release(Array(entry.names.keys), &state)
        if state.entries.isEmpty {
          // Closes the descriptor, once no handler runs.
          state.source?.cancel()
          state.source = nil
          state.descriptor = -1
        }
      }
    }

    private func open(_ state: inout State) {
      let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      // Too many instances, or none on this system: every watch polls.
      guard descriptor >= 0 else { return }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [self] in receive(descriptor) }
      source.setCancelHandler { _ = close(descriptor) }
      source.activate()
      state.descriptor = descriptor
      state.source = source
    }

    /// Asks for events of every directory on the way, as the way is now.
    ///
    /// - Returns: Whether everything that can happen will be seen.
    private func arm(_ id: ObjectIdentifier, _ state: inout State) -> Bool {
      guard let entry = state.entries[id] else { return true }
      var names: [Int32: [[UInt8]]] = [:]
      var isComplete = false
      // What happened between looking and asking was not told, so the way is looked up again
      // until it is the same before and after. Ten times: then somebody is playing with it, and
      // its next event comes soon.
      for _ in 0..<10 {
        let way = WatchedPlaces(of: entry.watch.location, calls: entry.watch.calls)
        isComplete = state.descriptor >= 0 && way.isComplete
        for place in way.places {
          let descriptor = ask(for: place, state.descriptor)
          if descriptor >= 0 {
            names[descriptor, default: []] += place.names
          } else if descriptor != -ENOENT && descriptor != -ENOTDIR {
            isComplete = false
          }
        }
        if WatchedPlaces(of: entry.watch.location, calls: entry.watch.calls) == way {
          isComplete = isComplete && !RemoteFileSystems.contain(way.places.last?.path ?? "/")
          break
        }
      }
      let old = entry.names.keys.filter { names[$0] == nil }
      state.entries[id]?.names = names
      state.entries[id]?.seesAll = isComplete
      release(old, &state)
      return isComplete
    }

    private func ask(for place: WatchedPlaces.Place, _ descriptor: Int32) -> Int32 {
      var mask = Self.ownEvents | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)
      if !place.names.isEmpty { mask |= Self.nameEvents | Self.fileEvents | Self.partEvents }
      let result = inotify_add_watch(descriptor, place.path, mask)
      return result < 0 ? -errno : result
    }

    /// Forgets descriptors that no watch needs any more.
    private func release(_ descriptors: [Int32], _ state: inout State) {
      for descriptor in descriptors
      where !state.entries.values.contains(where: { $0.names[descriptor] != nil }) {
        _ = inotify_rm_watch(state.descriptor, descriptor)
      }
    }

    // MARK: Events

    private struct Event {
      let descriptor: Int32
      let mask: UInt32
      let name: [UInt8]

      func has(_ bits: UInt32) -> Bool { mask & bits != 0 }
    }

    private func receive(_ descriptor: Int32) {
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        handle(Self.events(in: buffer[..<count]))
      }
    }

    private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
      var events: [Event] = []
      let headerSize = MemoryLayout<inotify_event>.size
      // Unsafe, and right: a header is read only where one fits, at any alignment, and the name
      // is cut to the buffer.
      bytes.withUnsafeBytes { raw in
        var start = 0
        while start + headerSize <= raw.count {
          let header = raw.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let nameStart = start + headerSize
          start = min(raw.count, nameStart + Int(header.len))
          let name = raw[nameStart..<start].prefix { $0 != 0 }
          events.append(Event(descriptor: header.wd, mask: header.mask, name: Array(name)))
        }
      }
      return events
    }

    /// What a batch of events means for a watch.
    private struct Effect {
      var isChange = false
      var isPart = false
      var turnsWay = false
    }

    private func handle(_ events: [Event]) {
      let signals = state.withLock { state in
        var signals: [(PlatformWatch, [FileWatcher.Signal])] = []
        for (id, entry) in state.entries {
          var effect = Effect()
          for event in events { add(event, to: &effect, of: entry) }
          for event in events where event.has(UInt32(IN_IGNORED)) {
            state.entries[id]?.names[event.descriptor] = nil
          }
          var told: [FileWatcher.Signal] = effect.isChange ? [.change] : []
          if effect.turnsWay {
            let isComplete = arm(id, &state)
            if isComplete != entry.seesAll { told.append(.sight(isComplete: isComplete)) }
          }
          if effect.isPart && !effect.isChange { settle(id, &state) }
          if !told.isEmpty { signals.append((entry.watch, told)) }
        }
        return signals
      }
      for (watch, told) in signals {
        for signal in told { watch.handler(signal) }
      }
    }

    private func add(_ event: Event, to effect: inout Effect, of entry: Entry) {
      if event.has(UInt32(IN_Q_OVERFLOW)) {
        // Events were lost: anything may have happened.
        effect.isChange = true
        effect.turnsWay = true
      }
      guard let names = entry.names[event.descriptor] else { return }
      if event.has(Self.ownEvents | UInt32(IN_IGNORED | IN_UNMOUNT)) {
        effect.isChange = true
        effect.turnsWay = true
      } else if names.contains(event.name) {
        if event.has(Self.partEvents) { effect.isPart = true }
        if event.has(Self.fileEvents | Self.nameEvents) { effect.isChange = true }
        if event.has(Self.nameEvents) { effect.turnsWay = true }
      }
    }

    /// Tells of a write in place a little later: the file may be half written now.
    private func settle(_ id: ObjectIdentifier, _ state: inout State) {
      guard let entry = state.entries[id], !entry.isSettling else { return }
      state.entries[id]?.isSettling = true
      let watch = entry.watch
      queue.asyncAfter(deadline: .now() + (watch.settling / .seconds(1))) { [self] in
        let isWatched = self.state.withLock { state in
          state.entries[id]?.isSettling = false
          return state.entries[id]?.watch === watch
        }
        if isWatched { watch.handler(.change) }
      }
    }
  }
#endif
