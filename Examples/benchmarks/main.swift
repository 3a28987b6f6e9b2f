// How fast a store is, as ratios: see `Arguments.help`, or run it with --help.

import Foundation
import SimpleStore

let groups: [Group] = [
  Group("read", "one field of a store, from another module", readBenchmarks),
  Group("observe", "telling of changes, and tracked reads", observationBenchmarks),
  Group("walk", "an item's fields into a document", walkBenchmarks),
  Group("save", "one changed field, against the system calls alone", saveBenchmarks),
  Group("codable", "plain Codable items, against @StoreParam fields", codableItemBenchmarks),
  Group("peers", "one changed field, against Foundation's encoders", peerBenchmarks),
  Group("defaults", "one changed field, against UserDefaults", defaultsBenchmarks),
  Group("formats", "bytes and back, without a file", formatBenchmarks),
  Group("disk", "a cache on disk, against the system calls alone", diskCacheBenchmarks),
  Group("cache", "a cache in memory: the price of a call, and hits", cacheBenchmarks),
  Group("instructions", "instructions of one operation, by callgrind", instructionCounts),
]

do {
  let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
  if arguments.wantsHelp {
    say(Arguments.help)
    exit(0)
  }
  let workplace = try Workplace(
    in: arguments.directory ?? FileManager.default.currentDirectoryPath)
  let result: Result<Void, any Error>
  do {
    let bench = Bench(isQuick: arguments.isQuick, folder: workplace.folder)
    result = .success(try await run(groups, arguments, bench, fileSystem: workplace.fileSystem))
  } catch {
    result = .failure(error)
  }
  try workplace.remove()
  try result.get()
} catch let fault as Arguments.Fault {
  fail("\(fault.message) (--help shows what there is)", 2)
} catch is Interruption {
  fail("interrupted", 130)
} catch {
  fail("\(error)", 1)
}
