import SimpleStore

/// One secret of the system's secret store, as bytes. How it is reached is in `Keychain+Apple.swift`
/// and `SecretTool+Linux.swift`.
package struct SecretVault: Sendable {
  let service: String
  let account: String
  let timeout: Duration
  #if !canImport(Darwin)
    /// Where `secret-tool` is looked for, and what it is given.
    package var environment: [String: String]?
  #endif

  package init(service: String, account: String, timeout: Duration) {
    self.service = service
    self.account = account
    self.timeout = timeout
  }

  /// What tells this secret from others.
  var name: [String] { [service, account] }

  /// What to call it in an error.
  var description: String { "the secret of '\(account)' for '\(service)'" }

  /// The same service's secret of another account.
  func withAccount(_ account: String) -> SecretVault {
    var vault = SecretVault(service: service, account: account, timeout: timeout)
    #if !canImport(Darwin)
      vault.environment = environment
    #endif
    return vault
  }

  /// Refuses names that no secret can have.
  func check() throws(StoreError) {
    for (word, text) in [("service", service), ("account", account)]
    where text.isEmpty || text.utf8.contains(0) {
      throw StoreError(
        .invalidLocation,
        """
        \(description) cannot be the place of a store: the \(word) \
        \(text.isEmpty ? "is empty" : "contains NUL"). Choose another name.
        """)
    }
  }
}
