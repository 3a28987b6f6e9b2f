import Foundation

/// `seeds FORMAT FOLDER`: writes every document of `DocumentSamples` in a format, one file each.
@main
enum Seeds {
  static func main() throws {
    let arguments = CommandLine.arguments
    let formats: [String: any DocumentFormat] = [
      "json": JSONFormat(), "xml": XMLPropertyListFormat(), "binary": BinaryPropertyListFormat(),
    ]
    guard arguments.count == 3, let format = formats[arguments[1]] else {
      FileHandle.standardError.write(Data("usage: seeds json|xml|binary FOLDER\n".utf8))
      exit(2)
    }
    let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
    var random = RandomDocument(seed: 1)
    let documents = DocumentSamples.extremes.map(\.document) + (0..<100).map { _ in random.next() }
    for (number, document) in documents.enumerated() {
      try Data(format.encode(document)).write(to: folder.appending(path: "sample-\(number)"))
    }
  }
}
