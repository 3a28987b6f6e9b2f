import Foundation
import Testing

/// What does not work says so when it is compiled, with what to do instead.
struct CompileTimeTests {
  /// The built modules, beside the program that runs the tests.
  static let modules: URL? = {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<5 {
      let modules = folder.appending(path: "Modules")
      let module = modules.appending(path: "SimpleStore.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return modules }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  static let program = """
    import SimpleStore
    struct Plain: Sendable {}
    struct User: StoreItem {
      @StoreParam(key: "name", default: "") var name
      // TEST
    }
    """

  /// The messages of the compiler about a line in an item.
  static func messages(_ line: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-swift-version", "6", "-typecheck", "-I", try #require(modules).path, "-",
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardError = output
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(
      Data(program.replacing("// TEST", with: line).utf8))
    try input.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  @Test(
    .enabled(if: modules != nil, "the built modules are not beside the tests"),
    arguments: [
      (#"@StoreParam(key: "plain", default: Plain()) var plain"#, "this type cannot be stored"),
      (#"@StoreParam(key: "age") var age: Int"#, "a field that is not optional needs a default"),
      (#"@StoreParam(key: "map", default: [:]) var map: [Double: Int]"#, "cannot be stored"),
      (#"@StoreParam(key: "plain") var plain: Plain?"#, "inside this optional cannot be stored"),
      (#"@StoreParam(key: "plain", default: nil) var plain: Plain?"#, "this type cannot be stored"),
      (#"@StoreParam(key: "tags", default: []) var tags"#, "An empty literal needs its type"),
      (#"@StoreParam(key: "n") var n = 3"#, "the default stands with the key"),
      ("enum Mood: StoreConvertible { case calm }", "enum Mood: String, StoreConvertible"),
      ("struct Part: StoreConvertible { var x = 1 }", "a Codable type declares StoreCodable"),
      (#"@UDMapperParam(key: "age", default: 0) var age: Int"#, "renamed to 'StoreParam'"),
      // When these compile, the documentation of `Stored` has to be changed.
      ("enum Shared { @Stored(.memory) static var user: User }", "not concurrency-safe"),
      (
        "enum Shared { @Stored(.memory) nonisolated(unsafe) static var user: User }",
        "not concurrency-safe"
      ),
      ("typealias Old = UDMapperStoreItem", "renamed to 'StoreItem'"),
      ("typealias Old = CodableDictStoreItem", "renamed to 'CodableStoreItem'"),
      ("var old: StoreDictUD<User> { fatalError() }", ".userDefaults(suite:key:)"),
      ("var old: StoreDictUDW<User> { fatalError() }", "@Stored(.userDefaults(suite:key:))"),
      ("var old: StoreKeychainW<User> { fatalError() }", "@Stored(.keychain(service:account:))"),
    ])
  func `a mistake is refused with a sentence`(_ line: String, _ sentence: String) throws {
    let messages = try Self.messages(line)
    #expect(messages.contains("error:"))
    #expect(messages.contains(sentence), "\(messages)")
  }

  @Test(
    .enabled(if: modules != nil, "the built modules are not beside the tests"),
    arguments: [
      #"@StoreParam(key: "age", default: 0, in: 0...120) var age"#,
      "@MainActor enum Shared { @Stored(.memory) static var user: User }",
      "enum Shared { static let user = SimpleStore<User>(.memory) }",
      #"@StoreParam(key: "age", default: 0, in: 1..., formerly: ["a", "b"]) var age: Int"#,
      #"@StoreParam(key: "age", formerly: "a") var age: Int?"#,
      #"@StoreParam(key: "age") var age: Int?"#,
      "enum Mood: String, StoreConvertible { case calm }",
      """
      static func typed(_ store: SimpleStore<User>) throws(StoreError) {
        try store.update { $0.name = "a" }
        try store.update { $0.name = "a"; $0.name += "b" }
      }
      """,
      """
      static func other(_ store: SimpleStore<User>) throws {
        struct Trouble: Error {}
        let count = try store.update { user in
          if user.name.isEmpty { throw Trouble() }
          return user.name.count
        }
        _ = count + 1
      }
      """,
      #"@StoreParam(key: "age", in: 0...3) var age: Int?"#,
      #"@StoreParam(key: "x", default: 0.5, as: ClosureConversion({ "\($0)" }, { Double($0) })) var x: Double"#,
    ])
  func `what is right compiles`(_ line: String) throws {
    #expect(try !Self.messages(line).contains("error:"))
  }
}
