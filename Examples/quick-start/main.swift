// The settings of a user, changed step by step; the file is shown after each step. It works in a
// new temporary folder, which it removes at the end.

import Foundation
import SimpleStore

func walkThrough(_ file: URL, _ backend: FileBackend) {
  print("== \(file.lastPathComponent)\n")
  let store = SimpleStore<User>(backend)

  store[\.name] = "sky"
  show(file, after: #"store[\.name] = "sky""#)

  store.age += 1
  show(file, after: "store.age += 1")

  store.gender = .female
  show(file, after: "store.gender = .female")

  store.batchUpdate {
    $0.name = "yks"
    $0.age = 81
    $0.nickname = "y"
  }
  show(file, after: #"store.batchUpdate { $0.name = "yks"; $0.age = 81; $0.nickname = "y" }"#)

  store.reset()
  show(file, after: "store.reset()")

  store.nickname = "blue"
  show(file, after: #"store.nickname = "blue""#)
}

func reopen(_ backend: FileBackend) {
  let store = SimpleStore<User>(backend)
  print("a second store reads: \(store.age), \(store.gender), \(store.nickname ?? "nil")\n")
}

func show(_ file: URL, after step: String) {
  do {
    print("// \(step)\n\(try String(contentsOf: file, encoding: .utf8))")
  } catch {
    print("// \(step)\ncannot show the file: \(error)")
  }
}

let folder = FileManager.default.temporaryDirectory.appending(path: "quick-start-\(UUID())")
let plist = folder.appending(path: "user.plist")
let json = folder.appending(path: "user.json")

walkThrough(plist, .plist(at: plist))
reopen(.plist(at: plist))
walkThrough(json, .json(at: json))
reopen(.json(at: json))

print("== what a broken file does\n")
try Data(#"{"name": "sk"#.utf8).write(to: json)
let store = SimpleStore<User>(.json(at: json))
if case .damaged(let error) = store.loadState {
  print("damaged at line \(error.line ?? 0), column \(error.column ?? 0)")
}
print("the defaults are served: \(store.age)")
store.name = "sky"
if let path = store.loadReport.damagedFile {
  print("kept beside it: \(try String(contentsOfFile: path, encoding: .utf8))")
}

try FileManager.default.removeItem(at: folder)
