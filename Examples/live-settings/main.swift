// Shows settings and follows what others make of them.
//
//     live-settings show FILE            shows the settings, and each change as it comes
//     live-settings edit FILE KEY VALUE  changes one of them
//
// Start `show` in one terminal, and in another one `edit` the file, or open it in an editor. What is
// half written or damaged is passed over; the next whole file is shown. Ctrl-C ends it.

import Foundation
import SimpleStore

let usage = """
  usage: live-settings show FILE
         live-settings edit FILE KEY VALUE
  FILE ends in .json or .plist; KEY is theme (light, dark), volume (0 to 100) or greeting

  """

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

func fail(_ message: String, code: Int32) -> Never {
  FileHandle.standardError.write(Data("live-settings: \(message)\n".utf8))
  exit(code)
}

func open(_ path: String, watching: Bool) -> SimpleStore<Settings> {
  let url = URL(filePath: path)
  switch url.pathExtension {
  case "json": return SimpleStore(.json(at: url), watching: watching)
  case "plist": return SimpleStore(.plist(at: url), watching: watching)
  default: fail("FILE ends in .json or .plist\n\(usage)", code: 64)
  }
}

func show(_ path: String) async {
  let store = open(path, watching: true)
  let changes = store.changes
  switch store.loadState {
  case .absent: say("\(path) is not there yet")
  case .damaged(let error), .failed(let error): say("\(error)")
  case .loaded: break
  }
  say(store.item.description)
  sayProblems(of: store)
  for await change in changes {
    say("\(change.origin): \(change.keys.joined(separator: ", ")) → \(change.new.description)")
    sayProblems(of: store)
  }
}

/// Says which values could not be used, so that nobody wonders where a default comes from.
func sayProblems(of store: SimpleStore<Settings>) {
  for problem in store.loadReport.wrongTypes { say("  \(problem)") }
}

func edit(_ path: String, _ key: String, _ value: String) {
  let store = open(path, watching: false)
  do {
    switch key {
    case "theme":
      guard let theme = Theme(rawValue: value) else {
        fail("theme is light or dark", code: 64)
      }
      try store.set(\.theme, to: theme)
    case "volume":
      guard let volume = Int(value), Settings.volumes.contains(volume) else {
        fail("volume is a number from 0 to 100", code: 64)
      }
      try store.set(\.volume, to: volume)
    case "greeting": try store.set(\.greeting, to: value)
    default: fail("there is no key \(key)\n\(usage)", code: 64)
    }
  } catch {
    fail("\(error)", code: 1)
  }
  say(store.item.description)
  if let file = store.loadReport.damagedFile { say("the damaged file is now \(file)") }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("show", 2): await show(arguments[1])
case ("edit", 4): edit(arguments[1], arguments[2], arguments[3])
default: fail("it is show or edit\n\(usage)", code: 64)
}
