import Foundation
import SimpleStore

// A process that uses a store and does nothing else: tests start it, kill it, trace it, fail its
// system calls, and have several of it.
//
// Exit codes: 0 done, 1 the store said no (its error is on the standard error), 2 bad arguments.

let usage = """
  usage: store-probe get       FILE KEY
         store-probe set       FILE KEY VALUE
         store-probe batch     FILE N               N changes, one save
         store-probe loop      FILE N               counts on, one save each, tells each
         store-probe hold      FILE                 saves while its lock is held until input ends
         store-probe increment FILE THREADS N
         store-probe keys      FILE PREFIX N ROUNDS one save for each key and round
         store-probe migrate   FILE NAME            a save that runs migrations
         store-probe stress    FILE failing|reloads|mixed N
         store-probe cache     DIRECTORY COUNT SIZE fills a cache until input ends
  FILE ends in .json, .plist or .bplist
  --durability processCrash|consistent|durable   --on-damage moveAside|refuse   --between OTHER
  """

func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// One line, and it is out when this returns: there is no buffer that a kill could empty.
func tell(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

do {
  try run(Arguments(CommandLine.arguments))
} catch let mistake as Arguments.Mistake {
  complain("store-probe: \(mistake.message)\n\(usage)")
  exit(2)
} catch let error as StoreError {
  var step = "none"
  if case .system(let name, _, _) = error.detail { step = name }
  complain("code=\(error.code) step=\(step) errno=\(error.systemError ?? 0) \(error)")
  exit(1)
} catch {
  complain("store-probe: \(error)")
  exit(1)
}
