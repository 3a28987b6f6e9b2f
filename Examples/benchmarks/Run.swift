import Foundation

/// The figures of a group, as `--json` writes them.
struct Section: Encodable {
  let group: String
  let rows: [Row]
}

/// Does what was asked for.
func run(
  _ groups: [Group], _ arguments: Arguments, _ bench: Bench, fileSystem: String
) async throws {
  if let loop = arguments.loop {
    return try Loops.run(loop.name, loop.count, bench)
  }
  if let child = arguments.child {
    guard child.group == "defaults" else {
      throw Arguments.Fault(message: "no group \(child.group) runs in a process of its own")
    }
    let rows = try defaultsBenchmarksInside(bench)
    return try JSONEncoder().encode(rows).write(to: URL(filePath: child.file))
  }
  let wanted = groups.filter { arguments.only.map($0.name.contains) ?? true }
  if wanted.isEmpty {
    let names = groups.map(\.name).joined(separator: ", ")
    throw Arguments.Fault(message: "--only matches none of the groups \(names)")
  }
  say("Files are saved on \(fileSystem).")
  var sections: [Section] = []
  for group in wanted {
    say("\n\(group.name): \(group.about)")
    let rows = try await group.run(bench)
    if !rows.isEmpty { say(table(rows)) }
    sections.append(Section(group: group.name, rows: rows))
  }
  let missed = sections.flatMap(\.rows).filter { $0.isMet == false }.count
  let goals = sections.flatMap(\.rows).filter { $0.isMet != nil }.count
  if goals > 0 { say("\n\(goals - missed) of \(goals) goals met.") }
  if let file = arguments.jsonFile {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(sections).write(to: URL(filePath: file), options: .atomic)
  }
}

/// Prints a line at once: a pipe or a file would see nothing of `print` until the end.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

/// Says why nothing was measured, and ends.
func fail(_ message: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  exit(status)
}
