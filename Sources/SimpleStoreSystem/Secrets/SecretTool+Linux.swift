#if !canImport(Darwin)
  import Foundation
  import SimpleStore

  /// A secret of the freedesktop Secret Service, through its standard client `secret-tool`
  /// (libsecret, <https://gnome.pages.gitlab.gnome.org/libsecret/>).
  extension SecretVault {
    /// What `secret-tool` reads of its standard input. It cuts a longer secret, complains, and ends
    /// with 0 (libsecret 0.20.5).
    private static let limit = 8_192

    /// The names and values that tell the secret from others. A secret is found by any part of
    /// its attributes, so one names this library. `--` ends the options: a value may begin with `-`.
    private var attributes: [String] {
      ["--", "library", "SimpleStore", "service", service, "account", account]
    }

    /// The secret; nil when there is none.
    ///
    /// `lookup` ends with 1 and no word both when there is no such secret and when the keyring is
    /// locked and the question to unlock it was not answered. `search` also finds locked ones.
    func read() throws(StoreError) -> [UInt8]? {
      let found = try run("read", ["lookup"] + attributes)
      if found.status == 0, found.complaint == nil { return found.output }
      guard found.status == 1, found.complaint == nil, found.output.isEmpty else {
        throw error("read", found)
      }
      let search = try run("read", ["search"] + attributes)
      if search.output.isEmpty, search.complaint == nil, search.status == 0 { return nil }
      if search.status == 0, search.complaint == nil {
        throw error(.denied, "read", "the service shows it, but not what it holds")
      }
      throw error("read", search)
    }

    /// Stores the secret in place of what was there, and looks whether it is there.
    func write(_ bytes: [UInt8]) throws(StoreError) {
      if bytes.count >= Self.limit {
        throw StoreError(
          .invalidValue,
          """
          cannot store \(description): it would take \(bytes.count) bytes, and the client of the \
          Secret Service holds fewer than \(Self.limit). Nothing was changed. Keep less in it.
          """)
      }
      let label = "--label=\(service): \(account)"
      let stored = try run("save", ["store", label] + attributes, input: bytes)
      if stored.status != 0 || stored.complaint != nil { throw error("save", stored) }
      guard try read() == bytes else {
        throw StoreError(
          .unwritable,
          "cannot save \(description): the service took it and shows another. Call reload().")
      }
    }

    /// Removes the secret, and looks whether it is gone.
    func remove() throws(StoreError) {
      // How it ends when there was nothing to remove differs, so the look decides.
      let cleared = try run("remove", ["clear"] + attributes)
      if cleared.complaint != nil { throw error("remove", cleared) }
      if try read() != nil {
        throw error(.denied, "remove", "the service still has it")
      }
    }

    // MARK: Running the client

    private func run(
      _ doing: String, _ arguments: [String], input: [UInt8] = []
    ) throws(StoreError) -> ToolRun.Result {
      // Messages in the language that `error(_:_:)` knows; in plain C the client refuses names that
      // are not ASCII.
      var environment = environment ?? ProcessInfo.processInfo.environment
      environment["LC_ALL"] = "C.UTF-8"
      guard let program = ToolRun.find("secret-tool", environment: environment) else {
        throw error(
          .unavailable, doing,
          "its client secret-tool is not installed (package libsecret-tools)")
      }
      do throws(ToolRun.Failure) {
        return try ToolRun.run(
          program, arguments, input: input, environment: environment, timeout: timeout)
      } catch {
        throw switch error {
        case .timedOut:
          self.error(.unavailable, doing, "secret-tool did not end within \(timeout)")
        case .tooMuchOutput:
          self.error(.unavailable, doing, "secret-tool wrote more than a secret can be")
        case .notStarted(let code):
          self.error(
            .unavailable, doing,
            "secret-tool could not be started: \(String(cString: strerror(code)))")
        }
      }
    }

    /// What a run that failed means.
    private func error(_ doing: String, _ result: ToolRun.Result) -> StoreError {
      let complaint = result.complaint ?? "secret-tool ended with status \(result.status)"
      let text = complaint.lowercased()
      let says = { (words: [String]) in words.contains { text.contains($0) } }
      let code: StoreError.Code =
        if says(["locked"]) {
          .locked
        } else if says(["denied", "dismissed", "not permitted", "not authorized"]) {
          .denied
        } else {
          .unavailable
        }
      return error(code, doing, complaint)
    }

    private func error(_ code: StoreError.Code, _ doing: String, _ why: String) -> StoreError {
      let next =
        switch code {
        case .locked: "Unlock the keyring"
        case .denied: "Let this program use the secret"
        default: "Start a Secret Service, or keep the secret with .protectedFile(at:)"
        }
      return StoreError(
        code,
        "cannot \(doing) \(description): \(why). Nothing was changed. \(next), then try again.")
    }
  }

  extension ToolRun.Result {
    /// What the client says went wrong; libraries below it may write other lines.
    fileprivate var complaint: String? {
      errors.split(separator: "\n").first { $0.hasPrefix("secret-tool: ") }
        .map { String($0.dropFirst("secret-tool: ".count)) }
    }
  }
#endif
