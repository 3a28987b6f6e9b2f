import Foundation
import TestSupport

/// The package's folder.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A piece of Swift code in a document or a documentation comment.
struct CodeBlock {
  let file: String
  /// The line on which the code begins, from 1.
  let line: Int
  let code: String

  /// Every fence marked `swift` in a file, in order; in a Swift file those of its documentation
  /// comments.
  static func all(in url: URL) throws -> [CodeBlock] {
    let isSource = url.pathExtension == "swift"
    let file = url.systemPath.replacing(repository.systemPath, with: "")
    var blocks: [CodeBlock] = []
    var open: (line: Int, code: [Substring])?
    for (index, line) in try url.text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      var text = line
      if isSource {
        text = text.drop { $0 == " " }
        guard text.hasPrefix("///") else {
          open = nil
          continue
        }
        text = text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
      }
      if let block = open, text.hasPrefix("```") {
        blocks.append(
          CodeBlock(file: file, line: block.line, code: block.code.joined(separator: "\n")))
        open = nil
      } else if open != nil {
        open?.code.append(text)
      } else if text == "```swift" {
        open = (index + 2, [])
      }
    }
    return blocks
  }

  /// The files below some folders of the package whose name ends in one of the endings, sorted.
  static func files(below folders: [String], endings: [String]) throws -> [URL] {
    try folders.flatMap { folder -> [URL] in
      let url = repository.appending(path: folder)
      let names = try FileManager.default.subpathsOfDirectory(atPath: url.systemPath)
      return names.sorted().filter { name in endings.contains { name.hasSuffix($0) } }
        .map { url.appending(path: $0) }
    }
  }
}

extension String {
  /// Without comments, and with every run of white space, line ends and the semicolons that stand
  /// for them as one space.
  var squeezed: String {
    split(separator: "\n").map { line in
      line.firstRange(of: "// ").map { line[..<$0.lowerBound] } ?? line
    }
    .joined(separator: " ").replacing(";", with: " ")
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
