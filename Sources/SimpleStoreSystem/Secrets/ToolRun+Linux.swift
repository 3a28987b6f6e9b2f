#if !canImport(Darwin)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Runs a program to its end, or to the end of its time.
  ///
  /// Not Foundation's `Process`: its `waitUntilExit` runs other work of the thread meanwhile, which
  /// must not happen while a store holds its lock, and a write to a program that has ended kills
  /// the writer by SIGPIPE.
  package enum ToolRun {
    package struct Result: Sendable {
      package let output: [UInt8]
      package let errors: String
      /// What the program ended with; 128 and more for the signal that ended it, -1 if that is not
      /// known (the host ignores SIGCHLD).
      package let status: Int32
    }

    package enum Failure: Error {
      case notStarted(Int32)
      case timedOut
      case tooMuchOutput
    }

    /// More than any secret, so that a program that never stops writing is stopped.
    static let mostOutput = 1 << 20
    /// How often, in milliseconds, a program is looked at that has closed nothing; a child of its own may keep its
    /// output open after it ended.
    private static let look = 20.0

    /// The path of a program in the directories of `PATH`; relative ones do not count.
    static func find(_ name: String, environment: [String: String]) -> String? {
      (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        .filter { $0.utf8.first == UInt8(ascii: "/") }
        .map { "\($0)/\(name)" }
        .first { access($0, X_OK) == 0 }
    }

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - input: Its standard input, which is closed after it.
    ///   - timeout: After this the program is killed, with every child of its process group.
    package static func run(
      _ program: String, _ arguments: [String], input: [UInt8], environment: [String: String],
      timeout: Duration
    ) throws(Failure) -> Result {
      let deadline = ContinuousClock.now + timeout
      var pipes = try Pipes()
      defer { pipes.close() }
      let child = try spawn(program, arguments, environment, pipes)
      pipes.closeOtherEnds()
      var hasEnded = false
      var status: Int32 = -1
      do throws(Failure) {
        while !pipes.areClosed, !hasEnded {
          let rest = deadline - .now
          if rest <= .zero { throw .timedOut }
          pipes.exchange(input, waiting: 1 + Int32(min(look, rest / .milliseconds(1))))
          if pipes.received > mostOutput { throw .tooMuchOutput }
          hasEnded = wait(for: child, WNOHANG, &status)
        }
        // What it wrote last may have come between the look at the pipes and that at the child.
        if hasEnded { pipes.exchange(input, waiting: 0) }
        while !hasEnded {
          if deadline < .now { throw .timedOut }
          hasEnded = wait(for: child, WNOHANG, &status)
          if !hasEnded { usleep(1_000) }
        }
      } catch {
        kill(-child, SIGKILL)
        // The group may not be there yet.
        kill(child, SIGKILL)
        _ = wait(for: child, 0, &status)
        throw error
      }
      return Result(
        output: pipes.output, errors: String(decoding: pipes.errors, as: UTF8.self), status: status)
    }

    /// - Returns: Whether it has ended.
    private static func wait(for child: pid_t, _ flags: Int32, _ status: inout Int32) -> Bool {
      var raw: Int32 = 0
      var result: pid_t
      repeat { result = waitpid(child, &raw, flags) } while result < 0 && errno == EINTR
      if result == 0 { return false }
      if result == child {
        // WIFEXITED, WEXITSTATUS and WTERMSIG, which are macros that Swift does not import.
        status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + raw & 0x7F
      }
      return true
    }

    private static func spawn(
      _ program: String, _ arguments: [String], _ environment: [String: String], _ pipes: Pipes
    ) throws(Failure) -> pid_t {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (descriptor, end) in pipes.otherEnds.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, end, Int32(descriptor))
      }
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      // A group of its own, and the signals as a shell would give them.
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      sigaddset(&signals, SIGPIPE)
      posix_spawnattr_setsigdefault(&attributes, &signals)

      // Unsafe, and right: C strings and the lists of them are ours until `posix_spawn`, which
      // copies them, has returned.
      let words = ([program] + arguments).map { strdup($0) }
      let settings = environment.map { strdup("\($0.key)=\($0.value)") }
      defer { (words + settings).forEach { free($0) } }
      var child: pid_t = 0
      let result = posix_spawn(
        &child, program, &actions, &attributes, words + [nil], settings + [nil])
      if result != 0 { throw .notStarted(result) }
      return child
    }
  }
#endif
