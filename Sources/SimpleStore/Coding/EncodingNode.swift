/// A value that is being encoded. An object, since containers may be filled in any order, also
/// after others have been begun.
final class EncodingNode {
  private enum Content {
    case nothing
    case value(StoreValue)
    case array([EncodingNode])
    case dictionary(StoreDocumentOfNodes)
    /// It cannot be encoded.
    case fault(String)
  }
  private struct StoreDocumentOfNodes {
    var keys: [String] = []
    var nodes: [ByteKey: EncodingNode] = [:]
  }
  /// A key as documents compare it, by its bytes; for a `String`, é and e with an accent are one.
  private struct ByteKey: Hashable {
    let text: String
    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }
    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
  private var content = Content.nothing
  private static let conflict = "it asks for two kinds of container at once"

  init() {}
  init(_ value: StoreValue) { content = .value(value) }

  var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

  func set(_ value: StoreValue) {
    if case .nothing = content { content = .value(value) } else { fail(Self.conflict) }
  }

  func fail(_ message: String) { content = .fault(message) }

  func becomeDictionary() {
    switch content {
    case .nothing: content = .dictionary(StoreDocumentOfNodes())
    case .dictionary: break
    default: fail(Self.conflict)
    }
  }

  func becomeArray() {
    switch content {
    case .nothing: content = .array([])
    case .array: break
    default: fail(Self.conflict)
    }
  }

  func append(_ node: EncodingNode) {
    guard case .array(var nodes) = content else { return }
    // Not two owners, so that appending does not copy.
    content = .nothing
    nodes.append(node)
    content = .array(nodes)
  }

  func put(_ node: EncodingNode, for key: String) {
    guard case .dictionary(var entries) = content else { return }
    content = .nothing
    if entries.nodes.updateValue(node, forKey: ByteKey(key)) == nil { entries.keys.append(key) }
    content = .dictionary(entries)
  }

  func value(at path: [any CodingKey]) throws -> StoreValue {
    switch content {
    // As a type without properties encodes itself.
    case .nothing: return .dictionary(StoreDocument())
    case .value(let value): return value
    case .array(let nodes):
      return .array(
        try nodes.enumerated().map {
          try $0.element.value(at: path + [StoreCodingKey(index: $0.offset)])
        })
    case .dictionary(let entries):
      var document = StoreDocument()
      document.reserveCapacity(entries.keys.count)
      for key in entries.keys {
        document[key] = try entries.nodes[ByteKey(key)]?.value(at: path + [StoreCodingKey(key)])
      }
      return .dictionary(document)
    case .fault(let message):
      throw ValueFault.encoding(path: path.map(\.stringValue), message: message)
    }
  }
}
