import Foundation
import TestSupport
import Testing

/// The examples run, and print what is written down.
struct ExampleTests {
  @Test(arguments: ["quick-start", "layered-cache", "news-list"])
  func `an example prints what is written down and leaves nothing behind`(name: String) throws {
    let folder = TemporaryFolder()
    let result = try run(productNamed: name, environment: ["TMPDIR": folder.url.systemPath])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == (try expectedOutput(of: name)))
    #expect(try folder.allNames == [])
  }

  private func expectedOutput(of example: String) throws -> String {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Expected/\(example).txt")
    return try url.text
  }
}
