import Foundation
import TestSupport

/// `fault-shim.c`, built at run time: makes the Nth file call of another process go wrong.
enum FaultShim {
  static let sentence =
    "needs Linux and a C compiler (cc or clang) for the library that makes system calls fail"

  private static let folder = TemporaryFolder()

  /// The library; nil where it cannot be built.
  static let path: String? = {
    #if os(Linux)
      guard let compiler = Tool.path("cc") ?? Tool.path("clang") else { return nil }
      let source = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fault-shim.c")
      let library = folder.file("fault-shim.so").systemPath
      // A compiler that cannot be started is as good as none.
      let built = try? ChildProcess(
        [compiler, "-shared", "-fPIC", "-o", library, source.systemPath], folder: folder
      ).wait()
      return built?.status == 0 ? library : nil
    #else
      return nil
    #endif
  }()

  enum Fault: CaseIterable, CustomStringConvertible {
    case inputOutput, noSpace, interrupted, notPermitted, quota, short, kill, killAfter, lie

    /// After a kill nothing more goes wrong, and a call that is interrupted for ever is rightly made
    /// for ever.
    var canLast: Bool { self != .kill && self != .killAfter && self != .interrupted }

    var argument: String {
      switch self {
      case .inputOutput: "\(EIO)"
      case .noSpace: "\(ENOSPC)"
      case .interrupted: "\(EINTR)"
      case .notPermitted: "\(EACCES)"
      case .quota: "\(EDQUOT)"
      case .short: "short"
      case .kill: "kill"
      case .killAfter: "after-kill"
      case .lie: "lie"
      }
    }

    var description: String {
      switch self {
      case .short: "half"
      case .kill: "killed before"
      case .killAfter: "killed after"
      case .lie: "not done but reported done"
      default: Int32(argument).map { String(cString: strerror($0)) } ?? argument
      }
    }
  }

  /// Environment variables that make calls on files below a folder go wrong.
  static func environment(_ what: String, at: String, below folder: URL, log: URL) -> [String:
    String]
  {
    [
      "LD_PRELOAD": path ?? "", "FAULT_PATH": folder.systemPath, "FAULT_AT": at, "FAULT_DO": what,
      "FAULT_LOG": log.systemPath,
    ]
  }
}
