import Synchronization

/// What people write themselves, written to be quick: the entries in one array, their order of use in
/// another one as numbers of the entries before and after, a dictionary from the keys to the numbers, and
/// a mutex around it.
final class PlainLRU<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    var key: Key
    var value: Value
  }

  private struct Link {
    var newer: Int32 = -1
    var older: Int32 = -1
  }

  private struct State {
    var places: [Key: Int32] = [:]
    var entries: [Entry] = []
    var links: [Link] = []
    var newest: Int32 = -1
    var oldest: Int32 = -1

    mutating func unlink(_ place: Int32) {
      let link = links[Int(place)]
      if link.newer < 0 { newest = link.older } else { links[Int(link.newer)].older = link.older }
      if link.older < 0 { oldest = link.newer } else { links[Int(link.older)].newer = link.newer }
    }

    mutating func linkNewest(_ place: Int32) {
      links[Int(place)] = Link(newer: -1, older: newest)
      if newest < 0 { oldest = place } else { links[Int(newest)].newer = place }
      newest = place
    }

    mutating func use(_ place: Int32) {
      guard place != newest else { return }
      unlink(place)
      linkNewest(place)
    }
  }

  private let capacity: Int
  private let state: Mutex<State>

  init(capacity: Int) {
    self.capacity = capacity
    var state = State()
    state.places.reserveCapacity(capacity)
    state.entries.reserveCapacity(capacity)
    state.links.reserveCapacity(capacity)
    self.state = Mutex(state)
  }

  func get(_ key: Key) -> Value? {
    state.withLock { state in
      guard let place = state.places[key] else { return nil }
      state.use(place)
      return state.entries[Int(place)].value
    }
  }

  func set(_ value: Value, forKey key: Key) {
    state.withLock { state in
      if let place = state.places[key] {
        state.entries[Int(place)].value = value
        return state.use(place)
      }
      let place: Int32
      if state.entries.count < capacity {
        place = Int32(state.entries.count)
        state.entries.append(Entry(key: key, value: value))
        state.links.append(Link())
      } else {
        place = state.oldest
        state.unlink(place)
        state.places[state.entries[Int(place)].key] = nil
        state.entries[Int(place)] = Entry(key: key, value: value)
      }
      state.places[key] = place
      state.linkNewest(place)
    }
  }
}

/// What a cache of this package may take of the time of a plain one: the goals in nanoseconds (45, 30 and
/// 120) by what a plain one took in the same nanoseconds where they were set (69, 33, and 231 and 84 for a
/// set), because nanoseconds of two machines cannot be compared.
enum PlainLRUGoal {
  static let getText = Goal.atMost(0.65)
  static let getNumber = Goal.atMost(0.91)
  static let evictText = Goal.atMost(0.52)
  static let evictNumber = Goal.atMost(1.43)
}
