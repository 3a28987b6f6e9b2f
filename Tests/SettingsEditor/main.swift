// `SettingsEditor FILE COUNT`: sets `age` to 1, 2, … COUNT, one save each, and then prints when each
// was saved, in nanoseconds since the machine was started.
// `SettingsEditor FILE later`: sets `age` to 7 with delayed saving, and returns from main.

import Dispatch
import Foundation
import SimpleStore

struct Settings: StoreItem {
  @StoreParam(key: "age", default: 0) var age
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(64) }
let url = URL(filePath: arguments[1])
let backend: FileBackend =
  url.pathExtension == "json"
  ? .json(at: url, durability: .processCrash) : .plist(at: url, durability: .processCrash)

let kept: SimpleStore<Settings>
if let count = Int(arguments[2]) {
  kept = SimpleStore<Settings>(backend)
  var times: [UInt64] = []
  for age in 1...count {
    try kept.set(\.age, to: age)
    times.append(DispatchTime.now().uptimeNanoseconds)
  }
  for time in times { print(time) }
} else {
  kept = SimpleStore<Settings>(backend, saving: .coalesced(.seconds(3600)))
  kept.age = 7
}
