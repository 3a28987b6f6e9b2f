import Foundation
import TestSupport

/// A process that a test has started.
///
/// Not Foundation's `Process`: thousands of them are started here, several at a time, and what they
/// say has to be there after they were killed. Their output goes to files, so nobody has to read.
final class ChildProcess: Sendable {
  struct Outcome {
    /// The exit code; nil for a process that a signal ended.
    let status: Int32?
    let signal: Int32?
    let output: String
    let errors: String
  }

  private static let starting = NSLock()

  let id: pid_t
  /// Kept for as long as the process is: optimised, a test lets go of a folder after its last use.
  private let folder: TemporaryFolder
  /// Keeps the standard input open until ``finishInput()``.
  private let input: FileHandle?

  /// - Parameters:
  ///   - command: A path and its arguments.
  ///   - environment: Variables that are set in addition to those of this process.
  ///   - folder: Where its output goes, into `output` and `errors`.
  ///   - hasInput: Whether its standard input stays open until ``finishInput()``.
  init(
    _ command: [String], environment: [String: String] = [:], folder: TemporaryFolder,
    hasInput: Bool = false
  ) throws {
    self.folder = folder
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    // A process started by another thread in between would keep the writing end, and the input of
    // this one from ending.
    Self.starting.lock()
    defer { Self.starting.unlock() }
    if hasInput {
      _ = pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if hasInput {
      posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    let flags = O_WRONLY | O_CREAT | O_APPEND
    for (descriptor, name) in [(Int32(1), "output"), (2, "errors")] {
      let path = folder.file(name).systemPath
      posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    }

    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let arguments = command.map { strdup($0) } + [nil]
    let variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, command[0], &actions, nil, arguments, variables)
    if hasInput { close(ends[0]) }
    input = hasInput ? FileHandle(fileDescriptor: ends[1], closeOnDealloc: true) : nil
    guard result == 0 else { throw StartError(command: command[0], code: result) }
    self.id = id
  }

  struct StartError: Error {
    let command: String
    let code: Int32
  }

  /// What it has written to its standard output so far.
  var output: String { text("output") }

  /// Waits until it has come so far, or has ended; not longer than a minute.
  ///
  /// - Returns: Whether that was so in time.
  @discardableResult
  func wait(until condition: (ChildProcess) -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !condition(self), !hasEnded {
      if ContinuousClock.now > end { return false }
      usleep(500)
    }
    return true
  }

  private var hasEnded: Bool {
    var information = siginfo_t()
    // WNOWAIT: `wait` still has to find it.
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo != 0
  }

  func finishInput() throws { try input?.close() }

  func wait() -> Outcome {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return Outcome(
      status: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal,
      output: text("output"), errors: text("errors"))
  }

  private func text(_ name: String) -> String {
    // Read as they are at this moment; a file that is not there yet is a process that has not begun.
    (try? String(contentsOf: folder.file(name), encoding: .utf8)) ?? ""
  }
}

/// Programs of the machine, found on the `PATH`.
enum Tool {
  static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
