import Foundation
import TestSupport
import Testing

/// The executable `store-probe`, which SwiftPM puts beside the test bundle.
enum Probe {
  static let path: String = {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #if !canImport(Darwin)
      if let own = Bundle.main.executableURL { folder = own.deletingLastPathComponent() }
    #else
      for bundle in Bundle.allBundles where bundle.bundleURL.pathExtension == "xctest" {
        folder = bundle.bundleURL.deletingLastPathComponent()
      }
    #endif
    return folder.appending(path: "store-probe").systemPath
  }()

  /// Runs the probe to its end.
  ///
  /// - Parameter wrapper: A program, with its arguments, that runs the probe: `strace -o FILE`.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], wrapper: [String] = []
  ) throws -> ChildProcess.Outcome {
    let folder = TemporaryFolder()
    return try start(
      arguments, environment: environment, wrapper: wrapper, folder: folder
    ).wait()
  }

  /// Starts the probe; its output goes into the folder.
  static func start(
    _ arguments: [String], environment: [String: String] = [:], wrapper: [String] = [],
    folder: TemporaryFolder, hasInput: Bool = false
  ) throws -> ChildProcess {
    try ChildProcess(
      wrapper + [path] + arguments,
      // A crash is to be seen as a signal, at once.
      environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own },
      folder: folder, hasInput: hasInput)
  }
}

/// Permission tests prove nothing when run as root, who passes every check: the probe is then run
/// as nobody.
enum Nobody {
  static let isRoot = geteuid() == 0
  /// What runs a program without the rights of root; nil where that cannot be done.
  static let wrapper: [String]? = {
    if !isRoot { return [] }
    guard let setpriv = Tool.path("setpriv") else { return nil }
    return [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
  }()
  static let sentence = "run as root without setpriv, permission tests would prove nothing"

  /// Gives files to nobody.
  static func own(_ urls: URL...) {
    for url in urls where isRoot { _ = lchown(url.systemPath, 65534, 65534) }
  }
}

let threadSanitizerAndLimit: Comment =
  "ThreadSanitizer's own memory is a file, which a limit on files cuts off"
