package import Foundation

/// What a program printed, and how it ended.
package struct ProgramResult: Sendable {
  package let output: String
  package let errors: String
  package let status: Int32

  package init(output: String, errors: String, status: Int32) {
    self.output = output
    self.errors = errors
    self.status = status
  }
}

/// Where the package's own programs and modules are: beside the program that runs the tests.
package var productsFolder: URL {
  URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
}

/// Runs one of the package's programs to its end.
package func run(
  productNamed name: String, _ arguments: [String] = [], environment: [String: String] = [:]
) throws -> ProgramResult {
  try run(productsFolder.appending(path: name), arguments, environment: environment)
}

/// Runs a program to its end.
///
/// - Parameter environment: Added to that of the tests.
package func run(
  _ program: URL, _ arguments: [String] = [], environment: [String: String] = [:]
) throws -> ProgramResult {
  // Into files and not pipes: a full pipe that nobody empties would stop the program.
  let folder = TemporaryFolder()
  for name in ["out", "err"] { try folder.file(name).write("") }
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = try FileHandle(forWritingTo: folder.file("out"))
  process.standardError = try FileHandle(forWritingTo: folder.file("err"))
  try process.run()
  process.waitUntilExit()
  return ProgramResult(
    output: try folder.file("out").text, errors: try folder.file("err").text,
    status: process.terminationStatus)
}

/// A program of the system, by its name; nil when it is not installed.
package func findProgram(_ name: String) -> URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  return path.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }
    .first { FileManager.default.isExecutableFile(atPath: $0.systemPath) }
}
