import SimpleStore

/// What the probe keeps: `name` always says which `count` it was saved with, so that a mixture of
/// two saves is seen.
struct ProbeItem: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "count", default: 0) var count
  @StoreParam(key: "note", default: "") var note

  mutating func setCount(_ value: Int) {
    count = value
    name = "value \(value)"
  }
}

/// The item of a later version: its migrations must run once, since the second changes what it
/// finds.
struct MigratingItem: StoreItem {
  @StoreParam(key: "count", default: 0) var count
  @StoreParam(key: "note", default: "") var note
  @StoreParam(key: "name", default: "") var name

  static let migrations = [
    StoreMigration("the title is the name") { document in
      document["name"] = document["title"]
      document["title"] = nil
    },
    StoreMigration("twice the count") { document in
      guard case .integer(let count)? = document["count"] else { return }
      document["count"] = .integer(count * 2)
    },
  ]
}

/// An item with any number of keys: `PREFIX.0`, `PREFIX.1`, …
struct NumberedItem: StoreItem {
  /// Set once, before the first item is made.
  struct Shape: Sendable {
    let prefix: String
    let count: Int

    /// Of the arguments, so that an item can be made from nothing: `COMMAND FILE PREFIX COUNT`.
    static let ofArguments: Shape = {
      let arguments = CommandLine.arguments
      guard arguments.count > 4, let count = Int(arguments[4]) else {
        return Shape(prefix: "key", count: 1)
      }
      return Shape(prefix: arguments[3], count: count)
    }()
  }

  var values: [String]

  init() { values = Array(repeating: "", count: Shape.ofArguments.count) }

  mutating func mapValue<Mapper: DictMapper>(_ mapper: inout Mapper) {
    for position in values.indices {
      mapper.map(
        &values[position], key: "\(Shape.ofArguments.prefix).\(position)", default: "")
    }
  }
}
