import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A named part of the benchmarks.
struct Group: Sendable {
  typealias Run = @Sendable (Bench) async throws -> [Row]

  let name: String
  let about: String
  let run: Run

  init(_ name: String, _ about: String, _ run: @escaping Run) {
    self.name = name
    self.about = about
    self.run = run
  }
}

/// What a group is given: how to measure, and a folder to work in.
struct Bench {
  let isQuick: Bool
  /// An empty folder of this run, which is removed at its end.
  let folder: URL

  var measure: Measure {
    isQuick
      ? Measure(samples: 21, longest: .milliseconds(200))
      : Measure(samples: 201, longest: .seconds(2))
  }

  /// A folder of its own for a part that needs one.
  func newFolder() throws -> URL {
    let folder = folder.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Why a benchmark cannot be run or means nothing.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs another program, or this one again.
  ///
  /// - Returns: What it wrote to standard error.
  @discardableResult
  func run(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    let errors = folder.appending(path: "\(UUID().uuidString).txt")
    guard FileManager.default.createFile(atPath: errors.path, contents: nil) else {
      throw Fault(description: "cannot create \(errors.path)")
    }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw Fault(
        description:
          "\(executable.lastPathComponent) ended with \(process.terminationStatus): \(text)")
    }
    return text
  }

  /// This program's own executable.
  static var executable: URL {
    get throws {
      guard let url = Bundle.main.executableURL else {
        throw Fault(description: "the path of this program is not known")
      }
      return url
    }
  }
}

/// Ends the measuring when the program is interrupted.
struct Interruption: Error {
  static let isRequested = Atomic<Bool>(false)

  static func check() throws {
    if isRequested.load(ordering: .relaxed) { throw Interruption() }
  }
}

/// A new folder that is removed at the end, also when the program is interrupted.
final class Workplace {
  let folder: URL
  private let interruption: any DispatchSourceSignal

  init(in directory: String) throws {
    let folder = URL(filePath: directory).absoluteURL
      .appending(path: "benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    self.folder = folder
    // The default action would end the process before anything is removed.
    signal(SIGINT, SIG_IGN)
    interruption = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    // Not removed here: a save under way would make its directory again.
    interruption.setEventHandler { Interruption.isRequested.store(true, ordering: .relaxed) }
    interruption.resume()
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }

  /// The name of the file system that the folder is on.
  var fileSystem: String {
    #if os(Linux)
      // Nothing is lost without it: the name is only shown. Of the mounts above the folder the
      // longest one counts, of equal ones the last, which hides the others.
      guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else {
        return "unknown"
      }
      let path = folder.resolvingSymlinksInPath().path
      var best = (place: "", type: "unknown")
      for line in mounts.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        guard words.count > 2, words[1].utf8.count >= best.place.utf8.count else { continue }
        let place = words[1] == "/" ? "/" : words[1] + "/"
        if path.hasPrefix(place) { best = (words[1], words[2]) }
      }
      return best.type
    #else
      var status = statfs()
      guard statfs(folder.path, &status) == 0 else { return "unknown" }
      return withUnsafeBytes(of: &status.f_fstypename) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    #endif
  }
}
