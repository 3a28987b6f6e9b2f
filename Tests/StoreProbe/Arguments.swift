import Foundation
import SimpleStore

/// `COMMAND FILE VALUE… [--durability LEVEL] [--on-damage POLICY] [--between OTHER]`.
struct Arguments {
  let command: String
  let file: String
  let values: [String]
  private(set) var durability = Durability.consistent
  private(set) var onDamage = DamagePolicy.moveAside
  /// A file that takes the place of FILE between opening and saving, as another program's save
  /// does.
  private(set) var between: String?

  struct Mistake: Error { let message: String }

  init(_ arguments: [String]) throws(Mistake) {
    var plain: [String] = []
    var rest = arguments.dropFirst()
    while let next = rest.popFirst() {
      guard next.hasPrefix("--") else {
        plain.append(next)
        continue
      }
      guard let value = rest.popFirst() else { throw Mistake(message: "\(next) needs a value") }
      switch (next, value) {
      case ("--durability", "processCrash"): durability = .processCrash
      case ("--durability", "consistent"): durability = .consistent
      case ("--durability", "durable"): durability = .durable
      case ("--on-damage", "moveAside"): onDamage = .moveAside
      case ("--on-damage", "refuse"): onDamage = .refuse
      case ("--between", _): between = value
      default: throw Mistake(message: "unknown option \(next) \(value)")
      }
    }
    guard plain.count >= 2 else { throw Mistake(message: "a command and a file are needed") }
    command = plain[0]
    file = plain[1]
    values = Array(plain.dropFirst(2))
  }

  /// A store on the file, in the format that its suffix says.
  func open<Item: StoreItem>(
    _ type: Item.Type = ProbeItem.self, defaults: DefaultsPolicy = .written
  ) throws(Mistake) -> SimpleStore<Item> {
    let url = URL(filePath: file)
    let backend: FileBackend =
      switch url.pathExtension {
      case "json": .json(at: url, durability: durability)
      case "plist": .plist(at: url, durability: durability)
      case "bplist": .plist(at: url, format: .binary, durability: durability)
      default: throw Mistake(message: "FILE ends in .json, .plist or .bplist")
      }
    return SimpleStore<Item>(backend, onDamage: onDamage, defaults: defaults)
  }

  func number(_ position: Int) throws(Mistake) -> Int {
    guard position < values.count, let number = Int(values[position]), number >= 0 else {
      throw Mistake(message: "\(command) needs a number in place \(position + 1) after FILE")
    }
    return number
  }

  func text(_ position: Int) throws(Mistake) -> String {
    guard position < values.count else {
      throw Mistake(message: "\(command) needs a value in place \(position + 1) after FILE")
    }
    return values[position]
  }
}
