import Foundation
import SimpleStore

/// A save of one changed field against what Foundation offers for it: encoding a struct and
/// `Data.write(.atomic)`, which synchronises the file as `.consistent` does.
func peerBenchmarks(_ bench: Bench) throws -> [Row] {
  func rows<Item: StoreItem, Twin: Codable>(
    _ size: String, _ item: Item, _ field: WritableKeyPath<Item, Int>, _ twin: Twin,
    _ twinField: WritableKeyPath<Twin, Int>
  ) throws -> [Row] {
    try FileKind.allCases.map { kind in
      let folder = try bench.newFolder()
      let subject = try Subject(kind.backend(folder, .consistent), item, changing: field)
      let file = folder.appending(path: "peer")
      let encode = encoder(kind, Twin.self)
      var twin = twin
      return Row(
        "save \(size), \(kind.rawValue), .consistent",
        against: "\(kind == .json ? "JSONEncoder" : "PropertyListEncoder") + Data.write(.atomic)",
        try bench.measure.ratio(
          { try subject.save($0) },
          to: { count in
            for _ in 0..<count {
              twin[keyPath: twinField] ^= 1
              try encode(twin).write(to: file, options: .atomic)
            }
          }))
    }
  }
  return try rows(Size.small, SmallItem(), \.age, SmallTwin(), \.age)
    + rows(Size.medium, MediumItem(), \.age, MediumTwin(), \.age)
    + rows(Size.large, LargeItem.filled, \.age, LargeTwin(), \.age)
}

private func encoder<Twin: Encodable>(
  _ kind: FileKind, _ type: Twin.Type
) -> (Twin) throws -> Data {
  switch kind {
  case .json:
    let encoder = JSONEncoder()
    return { try encoder.encode($0) }
  case .xml, .binary:
    let encoder = PropertyListEncoder()
    encoder.outputFormat = kind == .xml ? .xml : .binary
    return { try encoder.encode($0) }
  }
}

/// The name of the suite that `defaultsBenchmarks` writes to.
private let suite = "simplestore-benchmarks"

/// A save against `UserDefaults`: setting one field and `synchronize()`, without which nothing is
/// saved on Linux.
///
/// In a process of its own with a home folder of its own, so that nothing of the user's is touched.
func defaultsBenchmarks(_ bench: Bench) throws -> [Row] {
  let home = try bench.newFolder()
  let file = bench.folder.appending(path: "rows.json")
  try bench.run(
    try Bench.executable,
    ["--child", "defaults", file.path, "--directory", home.path]
      + (bench.isQuick ? ["--quick"] : []),
    environment: [
      "HOME": home.path, "XDG_CONFIG_HOME": home.appending(path: ".config").path,
      "CFFIXED_USER_HOME": home.path,
    ])
  return try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
}

/// What the other process does.
func defaultsBenchmarksInside(_ bench: Bench) throws -> [Row] {
  guard let defaults = UserDefaults(suiteName: suite) else {
    throw Bench.Fault(description: "no UserDefaults for the suite")
  }
  func row<Item: StoreItem>(
    _ size: String, _ item: Item, _ field: WritableKeyPath<Item, Int>
  ) throws -> Row {
    let folder = try bench.newFolder()
    let subject = try Subject(
      FileKind.xml.backend(folder, .consistent), item, changing: field)
    defaults.removePersistentDomain(forName: suite)
    var mapper = EvalDictMapper()
    var item = item
    item.mapValue(&mapper)
    for (key, value) in mapper.document { defaults.set(value.object, forKey: key) }
    var next = 42
    return Row(
      "save \(size), XML, .consistent", against: "UserDefaults set + synchronize",
      try bench.measure.ratio(
        { try subject.save($0) },
        to: { count in
          for _ in 0..<count {
            next ^= 1
            defaults.set(next, forKey: "age")
            guard defaults.synchronize() else {
              throw Bench.Fault(description: "synchronize() answered false")
            }
          }
        }))
  }
  let rows = [
    try row(Size.small, SmallItem(), \.age),
    try row(Size.medium, MediumItem(), \.age),
    try row(Size.large, LargeItem.filled, \.age),
  ]
  defaults.removePersistentDomain(forName: suite)
  _ = defaults.synchronize()
  return rows
}

extension StoreValue {
  /// The value as Foundation's untyped interfaces take it.
  var object: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): value
    case .unsigned(let value): value
    case .double(let value): value
    case .number(let text): text
    case .string(let text): text
    case .data(let data): data
    case .date(let date): date
    case .array(let values): values.map(\.object)
    case .dictionary(let document): document.object
    }
  }
}

extension StoreDocument {
  var object: [String: Any] {
    Dictionary(uniqueKeysWithValues: map { ($0.key, $0.value.object) })
  }
}
