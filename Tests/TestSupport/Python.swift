#if canImport(Glibc) || canImport(Musl) || os(macOS)
  import Foundation

  /// The machine's Python, whose libraries are a second opinion on formats. Tests that need it are
  /// skipped where there is none.
  package enum Python {
    /// Where `python3` is on the `PATH`.
    package static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
      .split(separator: ":")
      .map { "\($0)/python3" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    package struct Failure: Error {
      package let status: Int32
      package let message: String
    }

    /// What a program writes to its standard output, given `input` on its standard input.
    ///
    /// - Throws: ``Failure`` with what it wrote to its standard error, when it fails.
    package static func run(_ program: String, input: [UInt8]) throws -> [UInt8] {
      guard let path else { throw Failure(status: -1, message: "python3 is not on the PATH") }
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "python-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A folder of temporary files that stays is the system's to clear.
      defer { try? FileManager.default.removeItem(at: folder) }
      // Files, not pipes: both sides may write more than a pipe holds.
      let files = try ["input", "output", "errors"].map { name in
        let url = folder.appending(path: name)
        try Data(name == "input" ? input : []).write(to: url)
        return try FileHandle(forUpdating: url)
      }
      let process = Process()
      process.executableURL = URL(filePath: path)
      process.arguments = ["-c", program]
      process.standardInput = files[0]
      process.standardOutput = files[1]
      process.standardError = files[2]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        let errors = try Data(contentsOf: folder.appending(path: "errors"))
        throw Failure(
          status: process.terminationStatus, message: String(decoding: errors, as: UTF8.self))
      }
      return Array(try Data(contentsOf: folder.appending(path: "output")))
    }
  }
#endif
