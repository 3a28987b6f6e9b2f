import Foundation
import TestSupport
import Testing

/// Every piece of Swift code in README, in the documentation pages and in documentation comments
/// compiles.
struct SnippetTests {
  /// What the pieces may use without saying so.
  static let prelude = """
    import Foundation
    import Observation
    import SimpleCache
    import SimpleStore
    import SimpleStoreSystem

    enum Gender: Int, StoreConvertible { case unknown, male, female }

    struct User: StoreItem {
      @StoreParam(key: "name", default: "") var name
      @StoreParam(key: "age", default: 0) var age
      @StoreParam(key: "gender", default: Gender.unknown) var gender
      @StoreParam(key: "nickname") var nickname: String?
      @StoreParam(key: "tags", default: []) var tags: [String]
    }

    let url = URL(filePath: "user.json")
    let store = SimpleStore<User>(.memory)

    struct Article: Codable, Sendable { var title: String }
    struct Page: Codable, Sendable { var title: String }
    let feed = url
    let articles = MemoryLevel<URL, [Article]>()
      .compose(NetworkFetcher().transformValues(JSONTransformer<[Article]>()))
    let data = Data()
    let memory = MemoryLevel<URL, Data>()
    let disk = DiskLevel<URL, Data>(named: "disk")
    let pictures = memory
    let pages = memory.compose(NetworkFetcher())
    func show(_ articles: [Article]) {}
    func fetch(_ url: URL) async throws -> Data { data }

    """

  @Test func `every piece of code in the documents compiles`() throws {
    guard let compiler = findProgram("swiftc") else {
      Issue.record("swiftc is not on the PATH, although the toolchain has it")
      return
    }
    let files =
      [repository.appending(path: "README.md")]
      + (try CodeBlock.files(below: ["Sources"], endings: [".swift", ".md"]))
    let blocks = try files.flatMap(CodeBlock.all).filter { !$0.code.contains(".package(url:") }
    #expect(blocks.count >= 20)

    let folder = TemporaryFolder()
    let source = folder.file("Snippets.swift")
    let pieces = blocks.enumerated().map { Self.wrap($1, number: $0) }
    try source.write(Self.prelude + pieces.joined(separator: "\n"))
    let result = try run(
      compiler,
      [
        "-typecheck", "-swift-version", "6", "-parse-as-library", "-suppress-warnings",
        "-I", productsFolder.appending(path: "Modules").systemPath,
        "-I", repository.appending(path: "Sources/ChecksumFolding/include").systemPath,
        source.systemPath,
      ])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// A piece as a function, which may throw and wait; a piece that can only stand in a file stays
  /// one. Compiler messages name the document.
  private static func wrap(_ block: CodeBlock, number: Int) -> String {
    let code = block.code.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") }
      .joined(separator: "\n")
      .replacing("{ … }", with: "{ fatalError() }")
    let removed = block.code.split(separator: "\n").count { $0.hasPrefix("import ") }
    let location = "#sourceLocation(file: \"\(block.file)\", line: \(block.line + removed))\n"
    let isForFile = code.contains("\nextension ") || code.hasPrefix("extension ")
    return isForFile
      ? "\(location)\(code)\n#sourceLocation()\n"
      : "func snippet\(number)() async throws {\n\(location)\(code)\n#sourceLocation()\n}\n"
  }
}
