#if !canImport(Darwin)
  import Foundation
  import SimpleStore
  import SimpleStoreSystem
  import TestSupport
  import Testing

  /// A script in the place of `secret-tool`, so that secrets can be tried where no service runs: a
  /// file for each account.
  final class StandInClient: Sendable {
    private let folder = TemporaryFolder()

    private static let script = """
      #!/bin/sh
      for account; do :; done
      case $1 in
        store) cat >"$FOLDER/$account.secret";;
        lookup) [ -e "$FOLDER/$account.secret" ] || exit 1; cat "$FOLDER/$account.secret";;
        clear) rm -f "$FOLDER/$account.secret";;
      esac

      """

    init() throws {
      // Written by another process: a program that any test starts would inherit a descriptor of
      // this one for an instant, and the system runs no script that is open for writing.
      let written = try ToolRun.run(
        "/bin/sh",
        ["-c", "cat >\"$0\" && chmod 755 \"$0\"", folder.file("secret-tool").systemPath],
        input: Array(Self.script.utf8), environment: [:], timeout: .seconds(20))
      try #require(written.status == 0, "\(written.errors)")
    }

    func backend(account: String) -> KeychainBackend {
      var vault = SecretVault(service: "example", account: account, timeout: .seconds(60))
      vault.environment = [
        "PATH": "\(folder.url.systemPath):/usr/bin:/bin", "FOLDER": folder.url.systemPath,
      ]
      return KeychainBackend(vault)
    }

    /// The secrets that are kept, by their accounts.
    var accounts: [String] {
      get throws {
        try folder.names.filter { $0.hasSuffix(".secret") }.map { String($0.dropLast(7)) }.sorted()
      }
    }

    /// Where the secret of an account is kept.
    func file(of account: String) -> URL { folder.file("\(account).secret") }
  }
#endif
