/// Calls that wait for their turn, first come first served. Leaving from the middle is as cheap as
/// from the front, so ten thousand cancellations are no burden.
struct WaitingLine {
  private var waiting: [UInt64: OneShot<Void>] = [:]
  private var first: UInt64 = 0
  private var next: UInt64 = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// Stands at the end.
  ///
  /// - Returns: The place, to leave by.
  mutating func join(_ call: OneShot<Void>) -> UInt64 {
    waiting[next] = call
    next += 1
    return next - 1
  }

  mutating func leave(_ place: UInt64) {
    waiting[place] = nil
  }

  /// Lets the first go that is still waiting.
  ///
  /// - Returns: Whether there was one.
  mutating func letOneGo() -> Bool {
    while !waiting.isEmpty {
      let call = waiting.removeValue(forKey: first)
      first += 1
      if let call, call.end(.success(())) { return true }
    }
    first = next
    return false
  }
}
