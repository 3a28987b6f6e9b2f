import Foundation
import TestSupport
import Testing

/// The examples run, and print what is written down.
struct ExampleTests {
  @Test func `quick-start prints what is written down and leaves nothing behind`() throws {
    let folder = TemporaryFolder()
    let result = try run(
      productNamed: "quick-start", environment: ["TMPDIR": folder.url.systemPath])
    #expect(result.status == 0)
    #expect(result.output == (try expectedOutput(of: "quick-start")))
    #expect(try folder.allNames == [])
  }

  private func expectedOutput(of example: String) throws -> String {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Expected/\(example).txt")
    return try url.text
  }
}
