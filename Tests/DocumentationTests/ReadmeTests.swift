import Foundation
import SimpleStore
import TestSupport
import Testing

/// The program on README's first screen, word for word; see `ReadmeTests`.
enum ReadmeProgram {
  static func run(in folder: URL, print: (String, Int, String) -> Void) {
    struct User: StoreItem {
      @StoreParam(key: "name", default: "") var name
      @StoreParam(key: "age", default: 0) var age
      @StoreParam(key: "nickname") var nickname: String?
    }

    let store = SimpleStore<User>(.json(at: folder.appending(path: "user.json")))
    store[\.name] = "sky"
    store.age += 1
    store.batchUpdate {
      $0.name = "yks"
      $0.age = 81
    }
    print(store.name, store.age, store.nickname ?? "no nickname")
  }
}

/// README's program prints what README says, and leaves the file that it shows.
struct ReadmeTests {
  let readme: String
  let folder = TemporaryFolder()

  init() throws { readme = try repository.appending(path: "README.md").text }

  @Test func `the program prints what README says and leaves the file that it shows`() throws {
    ReadmeProgram.run(in: folder.url) { name, age, nickname in
      #expect(readme.contains("It prints `\(name) \(age) \(nickname)`"))
    }
    let file = try folder.file("user.json").text
    #expect(readme.contains("```json\n\(file)```"))
  }

  @Test func `README shows the program that was run`() throws {
    let source = try URL(filePath: #filePath).text
    let blocks = try CodeBlock.all(in: repository.appending(path: "README.md"))
    let shown = try #require(blocks.first).code.squeezed
    let body = try #require(source.firstRange(of: "struct User: StoreItem {"))
    let end = try #require(source.firstRange(of: #""no nickname")"#))
    let run = String(source[body.lowerBound..<end.upperBound])
      .replacing(#"folder.appending(path: "user.json")"#, with: #"URL(filePath: "user.json")"#)
    #expect(shown == "import Foundation import SimpleStore " + run.squeezed)
  }

  @Test func `a broken file is reported and kept as README says`() throws {
    let file = folder.file("user.json")
    try file.write("{\n  \"name\": \"yks\",\n  \"age\": }\n")
    let store = SimpleStore<User>(.json(at: file))
    guard case .damaged(let error) = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    let said = error.description.replacing(file.systemPath, with: "user.json")
    #expect(readme.squeezed.contains(said.prefix { $0 != "." }.description.squeezed))
    #expect(said.hasPrefix("'user.json' is damaged"))
    store.age = 1
    let kept = try #require(try folder.names.first { $0.contains("damaged") })
    #expect(kept.hasPrefix("user.json.damaged-"))
    #expect(try folder.file(kept).text == "{\n  \"name\": \"yks\",\n  \"age\": }\n")
  }
}

struct User: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "age", default: 0) var age
  @StoreParam(key: "nickname") var nickname: String?
}
