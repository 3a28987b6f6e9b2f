import Foundation
import SimpleStore

/// How a store's file is written, as the report calls it.
enum FileKind: String, CaseIterable {
  case json = "JSON"
  case xml = "XML"
  case binary = "binary"

  func backend(_ folder: URL, _ durability: Durability) -> FileBackend {
    switch self {
    case .json: .json(at: file(in: folder), durability: durability)
    case .xml: .plist(at: file(in: folder), format: .xml, durability: durability)
    case .binary: .plist(at: file(in: folder), format: .binary, durability: durability)
    }
  }

  func file(in folder: URL) -> URL {
    folder.appending(path: self == .json ? "store.json" : "store.plist")
  }
}

/// A store of any item, and how to change one small field of it.
final class Subject<Item: StoreItem> {
  let store: SimpleStore<Item>
  private let field: WritableKeyPath<Item, Int>
  private let start: Int
  /// What is stored, so that it need not be read, which is no part of a save.
  private var value: Int

  init(
    _ backend: some StoreBackend, _ item: Item, changing field: WritableKeyPath<Item, Int>
  ) throws {
    self.field = field
    store = SimpleStore(backend)
    try store.update { $0 = item }
    // Also when the item is all defaults, which changes nothing.
    try store.save()
    start = store[field]
    value = start
  }

  /// Saves a change of one field so many times; every one differs from what is stored.
  func save(_ count: Int) throws {
    for _ in 0..<count {
      // Between two numbers of as many digits, so that the file keeps its size.
      value = value == start ? start + 1 : start
      try store.set(field, to: value)
    }
  }
}

/// A save of one changed field against the raw system calls that write the same bytes.
func saveBenchmarks(_ bench: Bench) throws -> [Row] {
  var rows: [Row] = []
  let levels: [(Durability, String)] = [
    (.processCrash, ".processCrash"), (.consistent, ".consistent"), (.durable, ".durable"),
  ]
  for (durability, name) in levels {
    for kind in FileKind.allCases {
      var goal: Goal?
      if kind == .json, durability == .processCrash { goal = .atMost(1.3) }
      if kind == .json, durability == .consistent { goal = .atMost(1.2) }
      func row<Item: StoreItem>(
        _ size: String, _ item: Item, _ field: WritableKeyPath<Item, Int>, _ goal: Goal?
      ) throws -> Row {
        let folder = try bench.newFolder()
        let subject = try Subject(kind.backend(folder, durability), item, changing: field)
        let bytes = [UInt8](try Data(contentsOf: kind.file(in: folder)))
        let raw = try RawReplacement(folder, durability)
        return Row(
          "save \(size), \(kind.rawValue), \(name)", against: "raw system calls, the same bytes",
          try bench.measure.ratio(
            { try subject.save($0) }, to: { for _ in 0..<$0 { try raw.write(bytes) } }),
          goal: goal)
      }
      rows.append(try row(Size.small, SmallItem(), \.age, goal))
      rows.append(try row(Size.medium, MediumItem(), \.age, nil))
      rows.append(try row(Size.large, LargeItem.filled, \.age, nil))
    }
  }
  rows.append(try sameValueRow(bench))
  return rows
}

/// Setting a field to the value that it has.
private func sameValueRow(_ bench: Bench) throws -> Row {
  let folder = try bench.newFolder()
  let subject = try Subject(
    FileKind.json.backend(folder, .consistent), SmallItem(), changing: \.age)
  let store = subject.store
  let path = FileKind.json.file(in: folder).path
  return Row(
    #"store[\.age] = the value it has, 3 fields"#, against: "one stat of the file",
    try bench.measure.ratio(
      { for _ in 0..<$0 { store[\.age] = 42 } },
      to: { for _ in 0..<$0 { blackHole(rawStatus(of: path)) } }))
}
