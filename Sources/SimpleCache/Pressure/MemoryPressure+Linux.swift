#if os(Linux)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension MemoryPressure {
    /// The kernel's notices: pressure stall information if it can be read, else the events of the
    /// process's control group.
    ///
    /// A warning is 150 ms within 2 s in which some task waited for memory, or the group passing its
    /// `high` mark; critical is 100 ms in which all tasks did, or the group at its maximum. (Windows
    /// that are whole multiples of 2 s are open to all users. See the kernel's
    /// `Documentation/accounting/psi.rst` and `admin-guide/cgroup-v2.rst`.)
    ///
    /// - Throws: ``CacheError`` with the code `unavailable` if neither can be read; the message says
    ///   what was tried.
    public static func events() throws -> AsyncStream<MemoryPressure> {
      try events(stallFile: "/proc/pressure/memory", groupFile: controlGroupEventsFile())
    }

    static func events(
      stallFile: String, groupFile: String?
    ) throws -> AsyncStream<MemoryPressure> {
      if let watch = PressureWatch(stallFile: stallFile) { return watch.events() }
      let stallError = errno
      if let groupFile, let watch = PressureWatch(groupFile: groupFile) { return watch.events() }
      throw CacheError(
        .unavailable,
        .noPressure(
          stallFile: stallFile, stallError: stallError, groupFile: groupFile, groupError: errno),
        level: "MemoryPressure")
    }

    /// `memory.events` of the group in which this process is, where version 2 is mounted.
    private static func controlGroupEventsFile() -> String? {
      // Without the file there is no group to watch, and `events` says so.
      guard let groups = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8) else {
        return nil
      }
      let line = groups.split(separator: "\n").first { $0.hasPrefix("0::") }
      return line.map { "/sys/fs/cgroup\($0.dropFirst(3))/memory.events" }
    }
  }

  /// Waits in a thread of its own for what the kernel says; `poll` cannot be awaited.
  private final class PressureWatch: Sendable {
    private let descriptors: [Int32]
    private let stop: (listen: Int32, tell: Int32)
    private let groupFile: String?
    /// How things stood when the watch began: what comes later is told, also before the thread runs.
    private let beginning: GroupCounts

    private init?(descriptors: [Int32], groupFile: String?, beginning: GroupCounts) {
      self.beginning = beginning
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        for descriptor in descriptors { close(descriptor) }
        return nil
      }
      // `pipe2` is not visible to Swift; a child forked in between inherits two useless ends.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      self.descriptors = descriptors
      stop = (listen: ends[0], tell: ends[1])
      self.groupFile = groupFile
    }

    /// - Returns: `nil` if the file is not there or takes no trigger; `errno` says why.
    convenience init?(stallFile: String) {
      var descriptors: [Int32] = []
      for trigger in ["some 150000 2000000", "full 100000 2000000"] {
        let descriptor = open(stallFile, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        // The terminating zero belongs to the trigger.
        let written = descriptor < 0 ? -1 : write(descriptor, trigger, trigger.utf8.count + 1)
        guard written > 0 else {
          let code = errno
          if descriptor >= 0 { close(descriptor) }
          for descriptor in descriptors { close(descriptor) }
          errno = code
          return nil
        }
        descriptors.append(descriptor)
      }
      self.init(descriptors: descriptors, groupFile: nil, beginning: GroupCounts())
    }

    convenience init?(groupFile: String) {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, groupFile, UInt32(IN_MODIFY)) >= 0 else {
        let code = errno
        close(descriptor)
        errno = code
        return nil
      }
      self.init(
        descriptors: [descriptor], groupFile: groupFile,
        beginning: GroupCounts(file: groupFile) ?? GroupCounts())
    }

    deinit {
      for descriptor in descriptors { close(descriptor) }
      close(stop.listen)
      close(stop.tell)
    }

    func events() -> AsyncStream<MemoryPressure> {
      // One: it is of no use to hear what is long over.
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        continuation.onTermination = { [self] _ in
          // Fails only if the pipe is full, and then the thread has been told before.
          _ = write(stop.tell, "x", 1)
        }
        let thread = Thread { [self] in
          run { $0.tell(to: continuation) }
          continuation.finish()
        }
        thread.name = "MemoryPressure"
        thread.start()
      }
    }

    private func run(_ tell: (MemoryPressure) -> Void) {
      let wanted = Int16(groupFile == nil ? POLLPRI : POLLIN)
      var polled = descriptors.map { pollfd(fd: $0, events: wanted, revents: 0) }
      polled.append(pollfd(fd: stop.listen, events: Int16(POLLIN), revents: 0))
      var counts = beginning
      while true {
        if poll(&polled, nfds_t(polled.count), -1) < 0 {
          guard errno == EINTR else { return }
          continue
        }
        if polled[polled.count - 1].revents != 0 { return }
        if polled.contains(where: { $0.revents & Int16(POLLERR) != 0 }) { return }
        guard let groupFile else {
          tell(polled[1].revents & Int16(POLLPRI) != 0 ? .critical : .warning)
          continue
        }
        var notices = [UInt8](repeating: 0, count: 4_096)
        guard read(polled[0].fd, &notices, notices.count) > 0 else { return }
        guard let new = GroupCounts(file: groupFile) else { return }
        if new.maximum > counts.maximum {
          tell(.critical)
        } else if new.high > counts.high {
          tell(.warning)
        }
        counts = new
      }
    }
  }

  /// How often a control group passed its marks.
  private struct GroupCounts: Sendable {
    var high = 0
    var maximum = 0

    init() {}

    init?(file: String) {
      // Unreadable means that the group is gone; the caller then ends the sequence.
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ")
        guard parts.count == 2, let count = Int(parts[1]) else { continue }
        switch parts[0] {
        case "high": high = count
        case "max", "oom", "oom_kill": maximum += count
        default: break
        }
      }
    }
  }
#endif
