#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension String: StoreConvertible {
  public var storeValue: StoreValue { .string(self) }

  public init?(storeValue: StoreValue) {
    guard case .string(let value) = storeValue else { return nil }
    self = value
  }
}

extension Character: StoreConvertible {
  public var storeValue: StoreValue { .string(String(self)) }

  /// Text of exactly one character.
  public init?(storeValue: StoreValue) {
    guard case .string(let text) = storeValue, text.count == 1, let first = text.first else {
      return nil
    }
    self = first
  }
}

extension Data: StoreConvertible {
  public var storeValue: StoreValue { .data(self) }

  /// Data, or its Base64 text (RFC 4648), which is how JSON spells it.
  public init?(storeValue: StoreValue) {
    switch storeValue {
    case .data(let value): self = value
    case .string(let text): self.init(base64Encoded: text)
    default: return nil
    }
  }
}

extension URL: StoreConvertible {
  /// The absolute text of the URL.
  public var storeValue: StoreValue { .string(absoluteString) }

  public init?(storeValue: StoreValue) {
    guard case .string(let text) = storeValue else { return nil }
    self.init(string: text)
  }
}

extension UUID: StoreConvertible {
  public var storeValue: StoreValue { .string(uuidString) }

  public init?(storeValue: StoreValue) {
    guard case .string(let text) = storeValue else { return nil }
    self.init(uuidString: text)
  }
}
