// A list of news: what was archived the last time is shown at once, then the feed is fetched, shown
// and archived.
//
// usage: news-list              three starts, with a feed that this program serves on 127.0.0.1 and
//                               that is offline the last time; the archive is a temporary folder
//        news-list --feed URL   one start with a JSON Feed; the archive is `news-list` in the
//                               caches folder, so that the next start shows it at once

import Foundation
import LoopbackServer
import SimpleCache
import Synchronization

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("news-list: \(message)\n".utf8))
  exit(2)
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case (nil, _): try await threeStarts()
case ("--feed", let address?) where arguments.count == 2:
  guard let url = URL(string: address) else { fail("\(address) is no URL") }
  await NewsList(feed: url, archive: DiskLevel(named: "articles", coding: .json)).show()
default: fail("usage: news-list [--feed URL]")
}

/// Yesterday, today, and on the train.
func threeStarts() async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "news-list-\(UUID())")
  let today = String(decoding: PackageResources.feed_json, as: UTF8.self)
  // Yesterday the newest article was not there.
  let yesterday = today.split(separator: "\n").filter { !$0.contains(#""id": "4""#) }
    .joined(separator: "\n")
  let night = Night()
  let server = try LoopbackServer { _, connection in
    connection.answer(body: night.isOver ? today : yesterday)
  }
  // Each start has levels of its own; what they share is the folder.
  let start = {
    await NewsList(
      feed: server.url("/feed.json"), archive: DiskLevel(directory: folder, coding: .json)
    ).show()
  }
  print("== first start: nothing is archived\n")
  await start()
  print("== second start, the next day\n")
  night.end()
  await start()
  print("== third start, offline\n")
  server.stop()
  await start()
  try FileManager.default.removeItem(at: folder)
}

/// What lies between yesterday and today.
final class Night: Sendable {
  private let hasEnded = Atomic(false)
  var isOver: Bool { hasEnded.load(ordering: .relaxed) }
  func end() { hasEnded.store(true, ordering: .relaxed) }
}
