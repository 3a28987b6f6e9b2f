import Foundation
import SimpleStore
import Synchronization

/// Reading an item's fields into a document, as each save does.
func walkBenchmarks(_ bench: Bench) throws -> [Row] {
  var item = MediumItem()
  let twin = MediumTwin()
  let pairs = try bench.measure.pairs(
    { count in
      for _ in 0..<count {
        var mapper = EvalDictMapper()
        item.mapValue(&mapper)
        blackHole(mapper.document)
      }
    },
    { for _ in 0..<$0 { blackHole(twin.values) } })
  let count = Mutex(0)
  let lock = try bench.measure.pairs(
    { for _ in 0..<$0 { count.withLock { $0 &+= 1 } } }, { for _ in 0..<$0 { blackHole(0) } })
  return [
    // How fast the machine is just now: 5 ns where the goal was set.
    Row("a Mutex taken and given back", against: nil, Spread(lock.map(\.0)), .nanoseconds),
    Row(
      "EvalDictMapper, 30 fields", against: "30 struct fields into an array of enum values",
      Spread(pairs.map { $0 / $1 })),
    Row(
      "EvalDictMapper, 30 fields", against: nil, Spread(pairs.map { $0.0 / 30 }),
      .nanosecondsPerField, goal: .atMost(100)),
  ]
}

extension MediumTwin {
  /// The least that a reading of all fields can be: no keys, no lookup, one array.
  fileprivate var values: [StoreValue] {
    var values: [StoreValue] = []
    values.reserveCapacity(30)
    for text in [
      name, mail, city, street, language, theme, font, signature, lastFolder, lastSearch,
    ] {
      values.append(.string(text))
    }
    for number in [age, launches, fontSize, width, height, left, top, largest] {
      values.append(.integer(Int64(number)))
    }
    for flag in [isAdult, isMuted, showsTips, checksSpelling] { values.append(.bool(flag)) }
    for number in [volume, zoom, balance] { values.append(.double(number)) }
    values.append(.date(opened))
    values.append(.data(token))
    values.append(nickname.map { .string($0) } ?? .null)
    values.append(.array(tags.map { .string($0) }))
    values.append(.array(counts.map { .integer(Int64($0.value)) }))
    return values
  }
}
