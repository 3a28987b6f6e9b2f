/// Decodes a value from its stored form.
struct StoreDecoder: Decoder {
  let value: StoreValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  private let recorder: KeyRecorder?

  init(_ value: StoreValue, path: [any CodingKey], recorder: KeyRecorder? = nil) {
    self.value = value
    codingPath = path
    self.recorder = recorder
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .dictionary(let document) = value else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(
      StoreKeyedDecoder(document: document, codingPath: codingPath, recorder: recorder))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch([Any].self) }
    return StoreUnkeyedDecoder(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "found a \(value.kind), not a \(type)")
    if case .null = value { return .valueNotFound(type, context) }
    return .typeMismatch(type, context)
  }
}

extension StoreDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { if case .null = value { true } else { false } }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var form: CodingForm?
    let convertible: (any StoreConvertible.Type)?
    if let primitive = type as? any Primitive.Type {
      convertible = primitive
    } else {
      form = (type as? any SpeciallyCoded.Type)?.codingForm
      convertible = form == .native ? type as? any StoreConvertible.Type : nil
    }
    guard let convertible else {
      let decoded = try Value(from: self)
      if let form, !form.hasEveryEntry(of: decoded, in: value) {
        throw DecodingError.dataCorrupted(
          .init(codingPath: codingPath, debugDescription: ValueFault.sameKey.sentence))
      }
      return decoded
    }
    guard let decoded = convertible.init(storeValue: value) as? Value else {
      throw mismatch(type)
    }
    return decoded
  }
}

/// The keys that a type asks for.
final class KeyRecorder {
  private(set) var keys: [String] = []

  func note(_ key: String) {
    if !keys.contains(where: key.hasSameBytes(as:)) { keys.append(key) }
  }
}

private struct StoreKeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let document: StoreDocument
  let codingPath: [any CodingKey]
  let recorder: KeyRecorder?

  var allKeys: [Key] { document.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool {
    recorder?.note(key.stringValue)
    return document.position(of: key.stringValue) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  // What is not there is null, so that a superclass without properties finds nothing.
  func superDecoder() throws -> any Decoder { optionalDecoder(StoreCodingKey.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { optionalDecoder(key) }

  private func decoder(_ key: Key) throws -> StoreDecoder {
    recorder?.note(key.stringValue)
    guard let value = document[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "no key '\(key.stringValue)'"))
    }
    return StoreDecoder(value, path: codingPath + [key])
  }

  private func optionalDecoder(_ key: any CodingKey) -> StoreDecoder {
    StoreDecoder(document[key.stringValue] ?? .null, path: codingPath + [key])
  }
}

private struct StoreUnkeyedDecoder: UnkeyedDecodingContainer {
  let values: [StoreValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(values: [StoreValue], codingPath: [any CodingKey]) {
    self.values = values
    self.codingPath = codingPath
  }

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool {
    let isNil = try decoder(Any?.self).decodeNil()
    if isNil { currentIndex += 1 }
    return isNil
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decoder(type).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try decoder(type).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try decoder((any Decoder).self)
    currentIndex += 1
    return decoder
  }

  private func decoder(_ wanted: any Any.Type) throws -> StoreDecoder {
    let path = codingPath + [StoreCodingKey(index: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        wanted, .init(codingPath: path, debugDescription: "the list ends here"))
    }
    return StoreDecoder(values[currentIndex], path: path)
  }
}
