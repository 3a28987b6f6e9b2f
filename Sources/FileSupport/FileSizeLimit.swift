#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The limit that a process may have on the size of the files that it writes (`ulimit -f`).
///
/// A write beyond it is answered with EFBIG, but not before the system has ended the process by
/// SIGXFSZ, unless that is ignored or handled. What a signal does belongs to the program, not to a
/// library: so the thread that writes blocks it meanwhile, and takes its own one away.
package enum FileSizeLimit {
  /// Makes a call that writes: with EFBIG as an answer, never a signal.
  ///
  /// Where there is no limit, as nearly everywhere, this is one more system call, of 0.1 µs.
  package static func withoutSignal(_ call: () -> Int) -> Int {
    guard isSet else { return call() }
    var signals = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    // One that somebody else has sent and not yet got stays.
    let wasPending = isPending
    guard pthread_sigmask(SIG_BLOCK, &signals, &blocked) == 0 else { return call() }
    let result = call()
    if result == -Int(EFBIG), !wasPending, isPending { takeAway(&signals) }
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
    return result
  }

  private static var isPending: Bool {
    var pending = sigset_t()
    sigemptyset(&pending)
    sigpending(&pending)
    return sigismember(&pending, SIGXFSZ) == 1
  }
}

#if canImport(Darwin)
  extension FileSizeLimit {
    private static var isSet: Bool {
      var limit = rlimit()
      return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < RLIM_INFINITY
    }

    private static func takeAway(_ signals: inout sigset_t) {
      var number: Int32 = 0
      sigwait(&signals, &number)
    }
  }
#else
  extension FileSizeLimit {
    private static var isSet: Bool {
      var limit = rlimit()
      #if canImport(Glibc)
        let result = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #else
        let result = getrlimit(RLIMIT_FSIZE, &limit)
      #endif
      // RLIM_INFINITY is all bits, and a macro that Swift does not see.
      return result == 0 && limit.rlim_cur != .max
    }

    private static func takeAway(_ signals: inout sigset_t) {
      // Never waits: `sigwait` would, if another thread were quicker.
      var now = timespec()
      sigtimedwait(&signals, nil, &now)
    }
  }
#endif
