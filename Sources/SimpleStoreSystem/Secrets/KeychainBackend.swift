import Foundation
public import SimpleStore

extension StoreBackend where Self == KeychainBackend {
  /// A secret in the keychain (Apple platforms) or in the Secret Service of the desktop (Linux:
  /// GNOME Keyring, KWallet, KeePassXC).
  ///
  /// ```swift
  /// struct Tokens: StoreItem {
  ///   @StoreParam(key: "access", default: "") var access
  /// }
  /// let tokens = SimpleStore<Tokens>(.keychain(service: "com.example.app", account: "sky"))
  /// if case .failed(let error) = tokens.loadState, error.code == .locked {
  ///   print("Unlock the keyring first.")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - service: What the secret is for, such as the application's identifier. Not empty.
  ///   - account: Whose secret it is. Not empty. Neither is secret.
  ///   - timeout: How long one request may take, with the time in which the user is asked to
  ///     unlock the keyring. On Apple platforms the system decides.
  public static func keychain(
    service: String, account: String, timeout: Duration = .seconds(30)
  ) -> KeychainBackend {
    KeychainBackend(SecretVault(service: service, account: account, timeout: timeout))
  }
}

/// Keeps a document as one secret of the system's secret store. It is never written anywhere else.
///
/// Make it with `.keychain(service:account:timeout:)`.
///
/// The secret is text, `simplestore:1:` and the Base64 (RFC 4648) of a binary property list: clients
/// of the Secret Service take secrets for text, and some cut them at a NUL or a line end.
///
/// What was found is never confused:
///
/// | found | result |
/// |---|---|
/// | no such secret | `.absent` |
/// | a secret of no bytes | `.loaded`, `LoadReport.wasEmpty` |
/// | something else than a document | `.damaged`; the first save moves it to the account `ACCOUNT.damaged-TIME` |
/// | a locked keyring | `.failed` with `.locked` |
/// | a refusal | `.failed` with `.denied` |
/// | no service, no bus, no client, no answer in time | `.failed` with `.unavailable` |
///
/// On Linux each request runs `secret-tool` (package `libsecret-tools`), which gets the secret by its
/// standard input; it holds at most 8,191 bytes, which is a document of about 6,000 bytes. A larger
/// one is refused with `.invalidValue`.
///
/// What cannot be promised: there is no lock between processes, so two that change the same secret
/// at once can lose one change; when a save is on the disk is the service's business.
public struct KeychainBackend: StoreBackend {
  private let vault: SecretVault
  private let place: Place

  /// What all backends of a process on one secret share.
  private final class Place: Sendable {
    let identity = StoreIdentity()
  }
  private static let places = PlaceRegistry<Place>()

  package init(_ vault: SecretVault) {
    self.vault = vault
    place = Self.places.place(named: vault.name) { Place() }
  }

  public var identity: StoreIdentity { place.identity }

  public func load() throws(StoreError) -> StoreDocument? {
    try vault.check()
    guard let bytes = try vault.read() else { return nil }
    do {
      return try SecretText.document(of: bytes)
    } catch {
      throw StoreError(
        .damaged,
        """
        \(vault.description) is damaged: \(error.sentence). It is kept: remove it and call \
        reload(), or let the next save move it aside.
        """, underlying: error)
    }
  }

  public func save(_ document: StoreDocument) throws(StoreError) {
    try vault.check()
    try vault.write(bytes(of: document))
  }

  private func bytes(of document: StoreDocument) throws(StoreError) -> [UInt8] {
    do {
      return try SecretText.bytes(of: document)
    } catch {
      throw StoreError(.invalidValue, .format(error), key: error.key)
    }
  }

  /// Copies a secret that is no document to the account `ACCOUNT.damaged-TIME`, and stores the
  /// document in its place.
  public func replaceDamaged(
    with document: StoreDocument, movedTo place: inout String?
  ) throws(StoreError) {
    try vault.check()
    let new = try self.bytes(of: document)
    guard let bytes = try vault.read() else {
      throw StoreError(.unwritable, "\(vault.description) is not there any more. Call reload().")
    }
    let label = "\(vault.account).damaged-\(FileBackend.label(of: Date()))"
    var attempt = 1
    var aside = vault.withAccount(label)
    while try aside.read() != nil {
      attempt += 1
      aside = vault.withAccount("\(label)-\(attempt)")
    }
    try aside.write(bytes)
    do {
      try vault.write(new)
    } catch {
      // `try?`, and right: the first error is the one to tell. While the old secret is seen in its
      // place the copy is one too many, and if not, it may be the only one.
      if let there = try? vault.read(), there == bytes {
        try? aside.remove()
      } else {
        place = aside.description
      }
      throw error
    }
    place = aside.description
  }

  /// Removes the secret, whatever it is. A store on it has its defaults after `reload()`.
  ///
  /// ```swift
  /// try KeychainBackend.keychain(service: "com.example.app", account: "sky").remove()
  /// try store.reload()
  /// ```
  ///
  /// - Throws: `StoreError` when it is still there: `.locked`, `.denied`, `.unavailable` or
  ///   `.unwritable`. Nothing to remove is no error.
  public func remove() throws(StoreError) {
    try vault.check()
    try vault.remove()
  }
}

/// A document as the text of a secret.
enum SecretText {
  private static let prefix = "simplestore:1:"

  static func bytes(of document: StoreDocument) throws(FormatError) -> [UInt8] {
    let list = try BinaryPropertyListFormat().encode(document)
    return Array((prefix + Data(list).base64EncodedString()).utf8)
  }

  static func document(of bytes: [UInt8]) throws(FormatError) -> StoreDocument {
    var text = bytes[...]
    while let last = text.last, last == 0x0A || last == 0x0D || last == 0x20 || last == 0x09 {
      text.removeLast()
    }
    // Nothing in it to lose.
    if text.isEmpty { return StoreDocument() }
    guard text.starts(with: prefix.utf8) else {
      throw FormatError(.otherFormat(found: "not a document of a store"))
    }
    guard let list = Data(base64Encoded: Data(text.dropFirst(prefix.utf8.count))) else {
      throw FormatError(.invalidData)
    }
    return try BinaryPropertyListFormat().decode(Array(list))
  }
}
