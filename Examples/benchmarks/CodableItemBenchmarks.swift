import Foundation
import SimpleStore

/// A plain `Codable` item against the same settings as `@StoreParam` fields.
func codableItemBenchmarks(_ bench: Bench) throws -> [Row] {
  try rows(bench, Size.small, SmallTwin.self, \.age, SmallItem.self, \.age)
    + rows(bench, Size.medium, MediumTwin.self, \.age, MediumItem.self, \.age)
}

private func rows<Plain: CodableStoreItem, Stamped: StoreItem>(
  _ bench: Bench, _ size: String,
  _ plain: Plain.Type, _ plainField: WritableKeyPath<Plain, Int>,
  _ stamped: Stamped.Type, _ stampedField: WritableKeyPath<Stamped, Int>
) throws -> [Row] {
  func row(_ what: String, _ body: Measure.Body, to reference: Measure.Body) throws -> Row {
    Row(
      "\(what), \(size), CodableStoreItem", against: "@StoreParam fields",
      try bench.measure.ratio(body, to: reference))
  }
  let inMemory = (
    try Subject(.memory, Plain(), changing: plainField),
    try Subject(.memory, Stamped(), changing: stampedField)
  )
  let folders = (try bench.newFolder(), try bench.newFolder())
  let inFiles = (
    try Subject(FileKind.json.backend(folders.0, .processCrash), Plain(), changing: plainField),
    try Subject(FileKind.json.backend(folders.1, .processCrash), Stamped(), changing: stampedField)
  )
  // Files that no store has open: each opening reads.
  let files = (try bench.newFolder(), try bench.newFolder())
  try SimpleStore<Plain>(FileKind.json.backend(files.0, .processCrash)).save()
  try SimpleStore<Stamped>(FileKind.json.backend(files.1, .processCrash)).save()
  func open<Item: StoreItem>(_ type: Item.Type, _ folder: URL) -> Measure.Body {
    { count in
      for _ in 0..<count {
        blackHole(SimpleStore<Item>(FileKind.json.backend(folder, .processCrash)).loadState)
      }
    }
  }
  return [
    try row(
      "read a field", { for _ in 0..<$0 { blackHole(inMemory.0.store[plainField]) } },
      to: { for _ in 0..<$0 { blackHole(inMemory.1.store[stampedField]) } }),
    try row(
      "save a field in memory", { try inMemory.0.save($0) }, to: { try inMemory.1.save($0) }),
    try row(
      "save a field, JSON, .processCrash", { try inFiles.0.save($0) },
      to: { try inFiles.1.save($0) }),
    try row("open a JSON file", open(Plain.self, files.0), to: open(Stamped.self, files.1)),
  ]
}
