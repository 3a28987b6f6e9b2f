import Foundation
import SimpleStore

/// Encoding and decoding, without a file.
///
/// Foundation's coders are compared from item to bytes and back, since a struct is what they start
/// from; the *Serialization classes from document to bytes and back, since they start from a tree.
func formatBenchmarks(_ bench: Bench) throws -> [Row] {
  var rows: [Row] = []
  for kind in FileKind.allCases {
    rows += try formatRows(bench, kind, Size.small, SmallItem(), SmallTwin())
    rows += try formatRows(bench, kind, Size.medium, MediumItem(), MediumTwin())
    rows += try formatRows(
      bench, kind, Size.large, LargeItem.filled, LargeTwin(),
      goal: kind == .json ? .atLeast(3) : nil)
  }
  return rows
}

private func formatRows<Item: StoreItem, Twin: Codable>(
  _ bench: Bench, _ kind: FileKind, _ size: String, _ item: Item, _ twin: Twin, goal: Goal? = nil
) throws -> [Row] {
  let format = kind.format
  let document = item.document
  let bytes = try format.encode(document)
  let (encode, decode) = coders(kind, Twin.self)
  let (write, read) = serializers(kind)
  let tree = document.tree(for: kind)
  let twinData = try encode(twin)
  let treeData = try write(tree)

  func row(
    _ what: String, _ against: String, goal: Goal? = nil, _ body: Measure.Body,
    _ peer: Measure.Body
  ) throws -> Row {
    // Their time by ours: how many times as fast ours is.
    Row(
      "\(kind.rawValue), \(size): \(what)", against: against,
      try bench.measure.ratio(peer, to: body), .timesAsFast, goal: goal)
  }
  let coder = kind == .json ? "JSON" : "PropertyList"
  return [
    try row(
      "item to bytes", "\(coder)Encoder", goal: goal,
      { for _ in 0..<$0 { blackHole(try format.encode(item.document)) } },
      { for _ in 0..<$0 { blackHole(try encode(twin)) } }),
    try row(
      "bytes to item", "\(coder)Decoder", goal: goal,
      { for _ in 0..<$0 { blackHole(Item(filledFrom: try format.decode(bytes))) } },
      { for _ in 0..<$0 { blackHole(try decode(twinData)) } }),
    try row(
      "document to bytes", "\(coder)Serialization",
      { for _ in 0..<$0 { blackHole(try format.encode(document)) } },
      { for _ in 0..<$0 { blackHole(try write(tree)) } }),
    try row(
      "bytes to document", "\(coder)Serialization",
      { for _ in 0..<$0 { blackHole(try format.decode(bytes)) } },
      { for _ in 0..<$0 { blackHole(try read(treeData)) } }),
  ]
}

extension StoreItem {
  /// The item as a document, as a save makes it.
  var document: StoreDocument {
    var item = self
    var mapper = EvalDictMapper()
    item.mapValue(&mapper)
    return mapper.document
  }

  /// An item as a store fills it.
  init(filledFrom document: StoreDocument) {
    self.init()
    var mapper = AssignDictMapper(document)
    mapValue(&mapper)
  }
}

extension FileKind {
  var format: any DocumentFormat {
    switch self {
    case .json: JSONFormat()
    case .xml: XMLPropertyListFormat()
    case .binary: BinaryPropertyListFormat()
    }
  }
}

private func coders<Twin: Codable>(
  _ kind: FileKind, _ type: Twin.Type
) -> (encode: (Twin) throws -> Data, decode: (Data) throws -> Twin) {
  if kind == .json {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    return ({ try encoder.encode($0) }, { try decoder.decode(Twin.self, from: $0) })
  }
  let (encoder, decoder) = (PropertyListEncoder(), PropertyListDecoder())
  encoder.outputFormat = kind == .xml ? .xml : .binary
  return ({ try encoder.encode($0) }, { try decoder.decode(Twin.self, from: $0) })
}

private func serializers(
  _ kind: FileKind
) -> (write: (Any) throws -> Data, read: (Data) throws -> Any) {
  if kind == .json {
    return (
      { try JSONSerialization.data(withJSONObject: $0) },
      { try JSONSerialization.jsonObject(with: $0) }
    )
  }
  return (
    {
      try PropertyListSerialization.data(
        fromPropertyList: $0, format: kind == .xml ? .xml : .binary, options: 0)
    },
    { try PropertyListSerialization.propertyList(from: $0, format: nil) }
  )
}

extension StoreDocument {
  /// A tree that the *Serialization class takes: JSON's knows neither dates nor data.
  fileprivate func tree(for kind: FileKind) -> [String: Any] {
    guard kind == .json else { return object }
    return object.mapValues { value in
      switch value {
      case let date as Date: date.timeIntervalSinceReferenceDate
      case let data as Data: data.base64EncodedString()
      default: value
      }
    }
  }
}
