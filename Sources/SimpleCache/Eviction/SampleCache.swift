/// A cache of hashes under one rule: what the level would have had, on a sample of its keys.
final class SampleCache {
  var capacity = 0
  /// Reads that were hits, the older the less they count.
  var hits = 0.0
  private let rule: EvictionRule
  private var order = EvictionOrder()
  private var index = SlotIndex()
  private var free: [UInt32] = []
  private var used = 0
  private var room = 0
  private var count = 0

  init(rule: EvictionRule) { self.rule = rule }

  func read(_ hash: UInt32) {
    guard let slot = find(hash) else { return }
    hits += 1
    order.use(slot, by: rule)
  }

  func write(_ hash: UInt32) {
    if let slot = find(hash) { return order.use(slot, by: rule) }
    while count > 0, count >= capacity { evict() }
    if free.isEmpty {
      if used == room { grow() }
      free.append(UInt32(used))
      used += 1
    }
    guard let slot = free.popLast() else { return }
    order.insert(slot, by: rule)
    index.insert(slot, hash: hash, count: count)
    count += 1
  }

  /// Two keys whose hashes agree in 32 bits are one: it is only a sample.
  private func find(_ hash: UInt32) -> UInt32? {
    var position = index.home(hash)
    while let slot = index.next(hash, after: &position) {
      if index.hashes.base[Int(slot)] == hash { return slot }
    }
    return nil
  }

  private func evict() {
    let slot = order.victim(by: rule)
    order.remove(slot)
    index.remove(slot)
    free.append(slot)
    count -= 1
  }

  private func grow() {
    room = max(16, room * 2)
    order.grow(to: room, used: used)
    index.grow(to: room, used: used)
  }
}
