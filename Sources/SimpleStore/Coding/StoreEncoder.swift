/// Encodes a value into its stored form.
struct StoreEncoder: Encoder {
  let node: EncodingNode
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let budget: Budget

  /// How many values one encoding may make: objects that share others can stand for more than any
  /// memory holds.
  final class Budget {
    private var values = 0
    /// The keys of the outermost value that could not be encoded, when those are not to fail the
    /// others; nil when they are.
    fileprivate var faults: [(key: String, fault: ValueFault)]?

    func spend(at path: [any CodingKey]) throws {
      values += 1
      guard values <= FormatLimits.nodes else {
        throw StoreEncoder.fault(
          path, FormatError(.tooManyValues).sentence)
      }
    }
  }

  static func encode(_ value: some Encodable) throws -> StoreValue {
    try encode(value, at: [], Budget()).value(at: [])
  }

  /// The stored form of each property of a value.
  ///
  /// - Returns: Also the properties that could not be encoded, or why none of them could be.
  static func encodeFields(
    of value: some Encodable
  ) -> (document: StoreDocument, faults: [(key: String, fault: ValueFault)], fault: ValueFault?) {
    let budget = Budget()
    budget.faults = []
    do {
      let encoded = try encode(value, at: [], budget).value(at: [])
      guard case .dictionary(let document) = encoded else {
        return (StoreDocument(), [], fault([], "it encodes itself as a \(encoded.kind)"))
      }
      return (document, budget.faults ?? [], nil)
    } catch {
      return (StoreDocument(), [], ValueFault(error))
    }
  }

  static func encode(
    _ value: some Encodable, at path: [any CodingKey], _ budget: Budget
  ) throws -> EncodingNode {
    try budget.spend(at: path)
    // Before the stack ends: a class may hold itself.
    guard path.count < FormatLimits.depth else {
      throw fault(path, FormatError(.tooDeep).sentence)
    }
    let form = (type(of: value) as? any SpeciallyCoded.Type)?.codingForm
    if form == .native, let value = value as? any StoreConvertible {
      return EncodingNode(value.storeValue)
    }
    let encoder = StoreEncoder(node: EncodingNode(), codingPath: path, budget: budget)
    do {
      try value.encode(to: encoder)
    } catch let fault as ValueFault {
      throw fault
    } catch EncodingError.invalidValue(_, let context) {
      throw fault(context.codingPath, context.debugDescription)
    } catch {
      // An error of the user's own, which does not know where it was thrown.
      if path.isEmpty { throw error }
      throw fault(path, "\(error)")
    }
    guard let form else { return encoder.node }
    let encoded = try encoder.node.value(at: path)
    guard form.hasEveryEntry(of: value, in: encoded) else {
      throw fault(path, ValueFault.equalKeys.sentence)
    }
    return EncodingNode(form.sorted(encoded))
  }

  static func fault(_ path: [any CodingKey], _ message: String) -> ValueFault {
    .encoding(path: path.map(\.stringValue), message: message)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeDictionary()
    return KeyedEncodingContainer(StoreKeyedEncoder<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return StoreUnkeyedEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// An encoder for a part of this value.
  func nested(_ key: any CodingKey, attach: (EncodingNode) -> Void) -> StoreEncoder {
    let nested = EncodingNode()
    guard codingPath.count < FormatLimits.depth else {
      // Not attached, and no deeper: neither this nor the release of the tree may end the stack.
      node.fail(FormatError(.tooDeep).sentence)
      return StoreEncoder(node: nested, codingPath: codingPath, budget: budget)
    }
    attach(nested)
    return StoreEncoder(node: nested, codingPath: codingPath + [key], budget: budget)
  }
}

extension StoreEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { node.set(.null) }
  func encode<Value: Encodable>(_ value: Value) throws {
    if let value = PrimitiveForm.storeValue(of: value) { return node.set(value) }
    node.set(try Self.encode(value, at: codingPath, budget).value(at: codingPath))
  }
}

private struct StoreKeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: StoreEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws {
    encoder.node.put(EncodingNode(.null), for: key.stringValue)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if let value = PrimitiveForm.storeValue(of: value) {
      return encoder.node.put(EncodingNode(value), for: key.stringValue)
    }
    do {
      let node = try StoreEncoder.encode(value, at: codingPath + [key], encoder.budget)
      encoder.node.put(node, for: key.stringValue)
    } catch {
      guard codingPath.isEmpty, encoder.budget.faults != nil else { throw error }
      encoder.budget.faults?.append((key.stringValue, ValueFault(error)))
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(StoreCodingKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> StoreEncoder {
    encoder.nested(key) { encoder.node.put($0, for: key.stringValue) }
  }
}

private struct StoreUnkeyedEncoder: UnkeyedEncodingContainer {
  let encoder: StoreEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }
  private var key: StoreCodingKey { StoreCodingKey(index: count) }

  func encodeNil() throws { encoder.node.append(EncodingNode(.null)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    let node =
      if let value = PrimitiveForm.storeValue(of: value) {
        EncodingNode(value)
      } else {
        try StoreEncoder.encode(value, at: codingPath + [key], encoder.budget)
      }
    encoder.node.append(node)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> StoreEncoder {
    encoder.nested(key) { encoder.node.append($0) }
  }
}
