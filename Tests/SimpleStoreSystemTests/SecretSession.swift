#if !canImport(Darwin)
  import Foundation
  import SimpleStoreSystem
  import Synchronization
  import TestSupport

  /// A private session bus with a real `gnome-keyring-daemon` on it, ended when it is released.
  final class SecretSession: Sendable {
    private let folder = TemporaryFolder()
    private let bus: pid_t
    let environment: [String: String]

    /// Whether there can be one on this machine.
    static var isPossible: Bool {
      ["dbus-daemon", "dbus-send", "gnome-keyring-daemon", "secret-tool"]
        .allSatisfy { findProgram($0) != nil }
    }

    struct Failure: Error {
      let output: String
    }

    init() throws {
      // The daemon is started, and unlocked, before a client could make the bus start another one.
      let script = """
        mkdir -m 700 "$XDG_RUNTIME_DIR"
        set -- $(dbus-daemon --session --fork --print-address=1 --print-pid=1)
        export DBUS_SESSION_BUS_ADDRESS="$1"
        printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null
        echo "$1 $2"
        """
      var environment = ProcessInfo.processInfo.environment
      environment["HOME"] = folder.url.systemPath
      environment["XDG_RUNTIME_DIR"] = folder.file("run").systemPath
      environment["DISPLAY"] = nil
      environment["WAYLAND_DISPLAY"] = nil
      let result = try Self.shell(script, environment)
      let words = result.output.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let bus = pid_t(words[1]) else {
        throw Failure(output: result.output + result.errors)
      }
      self.bus = bus
      environment["DBUS_SESSION_BUS_ADDRESS"] = String(words[0])
      self.environment = environment
    }

    /// One that tests share, each for the accounts that it makes up, as long as any of them runs.
    static func shared() throws -> SecretSession {
      try current.withLock { current in
        if let session = current.session { return session }
        let session = try SecretSession()
        current.session = session
        return session
      }
    }

    private struct Current { weak var session: SecretSession? }
    private static let current = Mutex(Current())

    func backend(account: String) -> KeychainBackend {
      var vault = SecretVault(
        service: "simplestore.tests", account: account, timeout: .seconds(60))
      vault.environment = environment
      return KeychainBackend(vault)
    }

    // What is on the bus ends with it.
    deinit { kill(bus, SIGTERM) }

    /// Runs `secret-tool` as another program would.
    func secretTool(_ arguments: [String], input: String = "") throws -> ProgramResult {
      try Self.shell(
        "printf '\(input)' | secret-tool " + arguments.joined(separator: " "), environment)
    }

    func lock() throws {
      _ = try Self.shell(
        """
        dbus-send --session --print-reply --dest=org.freedesktop.secrets \
        /org/freedesktop/secrets org.freedesktop.Secret.Service.Lock \
        array:objpath:/org/freedesktop/secrets/collection/login
        """, environment)
    }

    /// Not by Foundation's `Process`, which waits for the daemons that a script leaves behind.
    private static func shell(
      _ script: String, _ environment: [String: String]
    ) throws -> ProgramResult {
      let result = try ToolRun.run(
        "/bin/sh", ["-c", script], input: [], environment: environment, timeout: .seconds(30))
      return ProgramResult(
        output: String(decoding: result.output, as: UTF8.self), errors: result.errors,
        status: result.status)
    }
  }
#endif
