import Foundation
import SimpleStore

func run(_ arguments: Arguments) throws {
  switch arguments.command {
  case "get": try get(arguments)
  case "set": try set(arguments)
  case "batch":
    let count = try arguments.number(0)
    try arguments.open().update { item in
      for value in 0..<count { item.setCount(value + 1) }
    }
    tell("saved")
  case "loop":
    let store = try arguments.open()
    for _ in 0..<(try arguments.number(0)) {
      try store.update { $0.setCount($0.count + 1) }
      tell("\(store.count)")
    }
  case "hold":
    try arguments.open().update { item in
      item.note = "held"
      tell("holding")
      while readLine() != nil {}
    }
    tell("saved")
  case "increment": try increment(arguments)
  case "keys": try setKeys(arguments)
  case "stress": try stress(arguments)
  case "cache": try fillCache(arguments)
  case "migrate":
    let name = try arguments.text(0)
    try arguments.open(MigratingItem.self).set(\.name, to: name)
    tell("saved")
  default: throw Arguments.Mistake(message: "unknown command \(arguments.command)")
  }
}

private func get(_ arguments: Arguments) throws {
  let key = try arguments.text(0)
  let store = try arguments.open()
  let value: String
  switch key {
  case "name": value = store.name
  case "count": value = String(store.count)
  case "note": value = store.note
  default: throw Arguments.Mistake(message: "the keys are name, count and note")
  }
  switch store.loadState {
  case .failed(let error), .damaged(let error): throw error
  case .absent, .loaded: tell(value)
  }
}

private func set(_ arguments: Arguments) throws {
  let (key, value) = (try arguments.text(0), try arguments.text(1))
  let store = try arguments.open()
  if let other = arguments.between, rename(other, arguments.file) != 0 {
    throw Arguments.Mistake(message: "\(other) cannot be renamed")
  }
  switch key {
  case "name": try store.set(\.name, to: value)
  case "note": try store.set(\.note, to: value)
  case "count":
    guard let number = Int(value) else { throw Arguments.Mistake(message: "count is a number") }
    try store.set(\.count, to: number)
  default: throw Arguments.Mistake(message: "the keys are name, count and note")
  }
  tell("saved")
}

private func increment(_ arguments: Arguments) throws {
  let (threads, count) = (try arguments.number(0), try arguments.number(1))
  let store = try arguments.open()
  DispatchQueue.concurrentPerform(iterations: threads) { _ in
    for _ in 0..<count { store.batchUpdate { $0.count += 1 } }
  }
  if let error = store.saveError { throw error }
  tell("\(store.count)")
}

private func setKeys(_ arguments: Arguments) throws {
  let (count, rounds) = (try arguments.number(1), try arguments.number(2))
  let store = try arguments.open(NumberedItem.self, defaults: .omitted)
  for round in 1...max(1, rounds) {
    for position in 0..<count {
      try store.update { $0.values[position] = "round \(round)" }
    }
  }
  tell("saved")
}
