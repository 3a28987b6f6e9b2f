import SimpleStore
import Synchronization

/// What a reader would write without a store: fields behind a lock.
private final class LockedFields: Sendable {
  struct Fields: Sendable {
    var name = "Ann Example"
    var age = 42
    var isAdult = true
  }
  let fields = Mutex(Fields())
}

/// One field of a store, read from another module than the store's own.
func readBenchmarks(_ bench: Bench) throws -> [Row] {
  let store = SimpleStore<SmallItem>(.memory)
  // Longer than the 15 bytes that a `String` holds in itself, so that copying one counts a reference.
  store.name = "a name that is longer than fifteen bytes"
  let locked = LockedFields()
  locked.fields.withLock { $0.name = "a name that is longer than fifteen bytes" }

  let lockedString: Measure.Body = { count in
    for _ in 0..<count { blackHole(locked.fields.withLock { $0.name }) }
  }
  let lockedInteger: Measure.Body = { count in
    for _ in 0..<count { blackHole(locked.fields.withLock { $0.age }) }
  }
  func row(_ what: String, _ body: Measure.Body, to reference: Measure.Body) throws -> Row {
    Row(
      what, against: "a struct's field behind a Mutex",
      try bench.measure.ratio(body, to: reference),
      goal: what.hasPrefix("store.item") ? nil : .atMost(2))
  }
  return [
    try row(
      #"store[\.name], a String"#,
      { for _ in 0..<$0 { blackHole(store[\.name]) } }, to: lockedString),
    try row(
      #"store[\.age], an Int"#,
      { for _ in 0..<$0 { blackHole(store[\.age]) } }, to: lockedInteger),
    try row(
      "store.name, a String",
      { for _ in 0..<$0 { blackHole(store.name) } }, to: lockedString),
    try row(
      "store.age, an Int",
      { for _ in 0..<$0 { blackHole(store.age) } }, to: lockedInteger),
    // These copy the whole item, with a reference to count for every text in it.
    try row(
      "store.item.name, a String",
      { for _ in 0..<$0 { blackHole(store.item.name) } }, to: lockedString),
    try row(
      "store.item.age, an Int",
      { for _ in 0..<$0 { blackHole(store.item.age) } }, to: lockedInteger),
  ]
}
