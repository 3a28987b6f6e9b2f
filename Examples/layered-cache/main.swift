// Memory over disk over the network, and who was asked at each step. The network is a server on
// 127.0.0.1 that this program starts; the disk is a new temporary folder, removed at the end.

import Foundation
import LoopbackServer
import SimpleCache

/// The levels of one run of a program, one over the other.
struct Layers {
  let memory = MemoryLevel<URL, Data>(countLimit: 100)
  let disk: DiskLevel<URL, Data>
  let pages: any CacheLevel<URL, Data>

  init(_ folder: URL) {
    disk = DiskLevel(directory: folder, sizeLimit: 1_000_000, expiry: .days(7))
    pages =
      memory
      .compose(disk)
      .compose(NetworkFetcher())
      .pooled()
  }
}

/// Does one step, and prints what each level was asked meanwhile.
func step(_ title: String, _ layers: Layers, _ body: () async throws -> String) async {
  let (memory, disk) = (layers.memory.statistics, layers.disk.statistics)
  let requests = server.requests.count
  let outcome: String
  do { outcome = try await body() } catch let error as CacheError {
    outcome = "error \(error.code) from \(error.level)"
  } catch {
    outcome = "error: \(error)"
  }
  let (memoryNow, diskNow) = (layers.memory.statistics, layers.disk.statistics)
  print(
    """
    \(title)
      \(outcome)
      memory \(memoryNow.hits - memory.hits), disk \(diskNow.hits - disk.hits), \
    server \(server.requests.count - requests)
    """)
}

func text(_ data: Data?) -> String { data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }

let folder = FileManager.default.temporaryDirectory.appending(path: "layered-cache-\(UUID())")
let server = try LoopbackServer { request, connection in
  connection.answer(body: "the page \(request.path)")
}
let (first, second, third) = (server.url("/1"), server.url("/2"), server.url("/3"))

print("Values found in memory, found on disk, and requests that reached the server:\n")
print("== first run\n")
let layers = Layers(folder)
await step("get /1", layers) { text(try await layers.pages.get(first)) }
await step("get /1 again", layers) { text(try await layers.pages.get(first)) }
await step("get /1 after memory was emptied", layers) {
  layers.memory.removeAll()
  return text(try await layers.pages.get(first))
}
await step("get /2 and /3", layers) {
  let found = try await layers.pages.batchGetSome([second, third])
  return [second, third].map { text(found.values[$0]) }.joined(separator: ", ")
}
await step("set /3, and get it", layers) {
  try await layers.pages.set(Data("a page of our own".utf8), forKey: third)
  return text(try await layers.pages.get(third))
}
await step("remove /2, and get it", layers) {
  try await layers.pages.remove(second)
  return text(try await layers.pages.get(second))
}

print("\n== second run: a new memory level, the same folder\n")
let later = Layers(folder)
await step("get /1", later) { text(try await later.pages.get(first)) }
await step("get /1 again", later) { text(try await later.pages.get(first)) }
await step("get /3", later) { text(try await later.pages.get(third)) }

print("\n== offline\n")
server.stop()
await step("get /1", later) { text(try await later.pages.get(first)) }
await step("get /4, which nobody has", later) { text(try await later.pages.get(server.url("/4"))) }

print("\n== fifty at once ask for one page\n")
let other = try LoopbackServer { request, connection in
  connection.answer(body: "the page \(request.path)")
}
let page = other.url("/5")
let answers = try await withThrowingTaskGroup(of: Data?.self) { group in
  for _ in 0..<50 { group.addTask { try await later.pages.get(page) } }
  var count = 0
  for try await data in group where data == Data("the page /5".utf8) { count += 1 }
  return count
}
print("\(answers) answers, \(other.requests.count) request")
other.stop()

try FileManager.default.removeItem(at: folder)
