// Not compiled on Linux.

#if canImport(Darwin)
  import Foundation
  import Security
  import SimpleStore

  /// A generic password of the keychain, readable after the first unlock on this device only.
  extension SecretVault {
    private var query: [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
      ]
    }

    /// The secret; nil when there is none.
    func read() throws(StoreError) -> [UInt8]? {
      var query = self.query
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = result as? Data else {
        throw error(status, "read", .unavailable)
      }
      return Array(data)
    }

    /// Stores the secret in place of what was there.
    func write(_ bytes: [UInt8]) throws(StoreError) {
      let value = [kSecValueData: Data(bytes)]
      var status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
      if status == errSecItemNotFound {
        var item = query
        item[kSecValueData] = Data(bytes)
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        status = SecItemAdd(item as CFDictionary, nil)
      }
      if status != errSecSuccess { throw error(status, "save", .unwritable) }
    }

    /// Removes the secret.
    func remove() throws(StoreError) {
      let status = SecItemDelete(query as CFDictionary)
      if status != errSecSuccess, status != errSecItemNotFound {
        throw error(status, "remove", .unwritable)
      }
    }

    private func error(_ status: OSStatus, _ doing: String, _ other: StoreError.Code) -> StoreError
    {
      let code: StoreError.Code =
        switch status {
        case errSecInteractionNotAllowed: .locked
        case errSecAuthFailed, errSecUserCanceled, errSecMissingEntitlement: .denied
        case errSecNotAvailable, errSecNoSuchKeychain: .unavailable
        default: other
        }
      let answer = SecCopyErrorMessageString(status, nil) as String? ?? "no explanation"
      return StoreError(
        code, "cannot \(doing) \(description): \(answer) (OSStatus \(status)). Nothing was changed."
      )
    }
  }
#endif
