import Foundation
import SimpleCache

/// Fills a cache until it is killed or its input ends: every value says which key it belongs to.
///
/// The input ends also when whoever started it is gone. A loop without end outlived the tests that
/// were interrupted, and kept a processor busy for good.
///
/// `cache DIRECTORY COUNTLIMIT SIZELIMIT`
func fillCache(_ arguments: Arguments) throws {
  let (count, size) = (try arguments.number(0), try arguments.number(1))
  let cache = DiskLevel<String, Data>(
    directory: URL(filePath: arguments.file, directoryHint: .isDirectory),
    countLimit: count, sizeLimit: size)
  var random = SystemRandomNumberGenerator()
  tell("begins")
  while !inputHasEnded() {
    let key = "key \(Int.random(in: 0..<(count * 2), using: &random))"
    switch Int.random(in: 0..<8, using: &random) {
    case 0: cache[key] = nil
    case 1...3:
      if let value = cache[key], value.prefix(key.utf8.count + 1) != Data("\(key):".utf8) {
        throw Arguments.Mistake(message: "\(key) has a wrong value")
      }
    default:
      let filler = String(repeating: "x", count: Int.random(in: 0..<3_000, using: &random))
      cache[key] = Data("\(key):\(filler)".utf8)
    }
    if cache.statistics.errors > 0 { throw Arguments.Mistake(message: "the cache failed") }
    if cache.statistics.sets % 16 == 1 { tell("\(cache.statistics.sets)") }
  }
}

/// Nothing is ever sent, so that there is something to read means that the end is.
private func inputHasEnded() -> Bool {
  var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  return poll(&input, 1, 0) != 0
}
