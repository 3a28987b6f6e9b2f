import Foundation
import SimpleCache

/// Fills a cache until it is killed: every value says which key it belongs to.
///
/// `cache DIRECTORY COUNTLIMIT SIZELIMIT`
func fillCache(_ arguments: Arguments) throws {
  let (count, size) = (try arguments.number(0), try arguments.number(1))
  let cache = DiskLevel<String, Data>(
    directory: URL(filePath: arguments.file, directoryHint: .isDirectory),
    countLimit: count, sizeLimit: size)
  var random = SystemRandomNumberGenerator()
  tell("begins")
  while true {
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
