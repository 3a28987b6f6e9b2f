import Foundation

/// What the program was asked to do.
struct Arguments {
  var only: String?
  var jsonFile: String?
  var directory: String?
  var isQuick = false
  var wantsHelp = false
  /// Run one group and leave its rows in a file: how a group runs in a process of its own.
  var child: (group: String, file: String)?
  /// Do one operation so many times: what is counted by a tool that watches the whole process.
  var loop: (name: String, count: Int)?

  /// Why the arguments mean nothing.
  struct Fault: Error {
    let message: String
  }

  init(_ words: [String]) throws {
    var words = words[...]
    func next(_ option: String, _ what: String) throws -> String {
      guard let word = words.popFirst() else { throw Fault(message: "\(option) needs \(what)") }
      return word
    }
    while let option = words.popFirst() {
      switch option {
      case "--only": only = try next(option, "a word")
      case "--json": jsonFile = try next(option, "a file")
      case "--directory": directory = try next(option, "a directory")
      case "--quick": isQuick = true
      case "--help", "-h": wantsHelp = true
      case "--child": child = (try next(option, "a group"), try next(option, "a file"))
      case "--loop":
        let name = try next(option, "a name")
        guard let count = Int(try next(option, "a count")), count >= 0 else {
          throw Fault(message: "--loop needs a name and a count")
        }
        loop = (name, count)
      default: throw Fault(message: "unknown argument: \(option)")
      }
    }
  }

  static let help = """
    usage: benchmarks [--only WORD] [--quick] [--directory DIR] [--json FILE]

    Compares SimpleStore with the least that could do the same and with what Foundation offers.
    Figures are ratios of times taken in turn in one run: the median of all pairs, the lowest
    and the highest. Build it with optimisation: swift run -c release benchmarks

      --only WORD      run the groups whose name contains WORD
      --quick          fewer and shorter samples
      --directory DIR  save in a new folder in DIR, which decides the file system;
                       the current directory by default
      --json FILE      write the figures to FILE, too
      --help           show this
    """
}
