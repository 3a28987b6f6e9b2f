import Foundation
import SimpleStore
import TestSupport
import Testing

/// Programs outside of this package and of Foundation that read and write property lists.
@Suite("Other tools and this package read each other's property lists")
struct PropertyListToolTests {
  private static let kinds: [RandomDocument.Kind] = [
    .null, .bool, .integer, .unsigned, .double, .string, .data,
  ]

  private static func documents(_ count: Int) -> [StoreDocument] {
    var random = RandomDocument(seed: 21, kinds: kinds)
    return (0..<count).map { number in
      var document = random.next()
      let seconds = Double((number - count / 2) * 86_399_111)
      document["a date"] = .date(Date(timeIntervalSinceReferenceDate: seconds))
      return document
    }
  }

  @Test(
    .enabled(if: Tool.python3 != nil, "python3 is not on PATH, so plistlib is not asked"),
    arguments: PropertyListForm.allCases)
  func `Python's plistlib reads what is written, and what it writes is read`(
    form: PropertyListForm
  ) throws {
    let python = try #require(Tool.python3)
    let documents = Self.documents(300).map { form == .xml ? $0.plain(for: .python) : $0 }
    let folder = try TemporaryFolder()
    for (number, document) in documents.enumerated() {
      try Data(form.format.encode(document)).write(to: folder.url(number))
    }
    // One process for all. Binary holds every string; plistlib's XML does not keep CR.
    let script = """
      import plistlib, sys
      for number in range(int(sys.argv[2])):
          path = f"{sys.argv[1]}/{number}"
          with open(path, "rb") as file: value = plistlib.load(file)
          with open(path + ".binary", "wb") as file:
              plistlib.dump(value, file, fmt=plistlib.FMT_BINARY, sort_keys=False)
          with open(path, "rb") as file: text = file.read()
          if text.startswith(b"<") and b"&#13;" not in text:
              with open(path + ".xml", "wb") as file:
                  plistlib.dump(value, file, sort_keys=False)
      """
    let output = try Tool.run(
      python, ["-c", script, folder.url.path, String(documents.count)])
    #expect(output == "")
    var xmlCount = 0
    for (number, document) in documents.enumerated() {
      let expected = form == .xml ? XMLProjection.of(document) : document
      let binary = try [UInt8](Data(contentsOf: folder.url(number, "binary")))
      #expect(try BinaryPropertyListFormat().decode(binary).sameNaN == expected?.sameNaN)
      // Absent where the document has a CR.
      guard FileManager.default.fileExists(atPath: folder.url(number, "xml").path) else { continue }
      let xml = try Data(contentsOf: folder.url(number, "xml"))
      xmlCount += 1
      #expect(try XMLPropertyListFormat().decode([UInt8](xml)) == expected)
    }
    #expect(form == .binary || xmlCount > 100)
  }

  @Test(.enabled(if: Tool.plutil != nil, "plutil is not on PATH"))
  func `plutil finds no fault in what is written, and what it converts is read`() throws {
    let plutil = try #require(Tool.plutil)
    let folder = try TemporaryFolder()
    let document: StoreDocument = [
      "name": .string("sky <&> é😀"), "age": .integer(-7), "big": .unsigned(.max),
      "ratio": .double(0.1), "on": .bool(true), "none": .null, "empty": .dictionary([:]),
      "born": .date(Date(timeIntervalSinceReferenceDate: 700_000_000)),
      "list": .array([.data(Data([1, 2, 3])), .array([])]),
    ]
    for (form, other) in [(PropertyListForm.xml, "binary1"), (.binary, "xml1")] {
      let file = folder.url(0)
      try Data(form.format.encode(document)).write(to: file)
      #expect(try Tool.run(plutil, ["-lint", file.path]).contains("OK"))
      let converted = folder.url(0, other)
      _ = try Tool.run(plutil, ["-convert", other, "-o", converted.path, file.path])
      let bytes = try [UInt8](Data(contentsOf: converted))
      let reread = try #require(PropertyListForm(of: bytes)).format.decode(bytes)
      #expect(PropertyListForm(of: bytes) != form)
      #expect(
        FoundationValue.difference(FoundationValue.object(of: reread), document.spelled) == nil)
    }
  }
}

extension StoreDocument {
  /// The document with the usual NaN, which is what Python writes.
  fileprivate var sameNaN: StoreDocument { XMLNaN.of(self) }

  /// The document with null as a property list spells it.
  fileprivate var spelled: StoreDocument {
    var result = self
    for (key, value) in self where value == .null {
      result[key] = .dictionary(["$null": .bool(true)])
    }
    return result
  }
}

private enum XMLNaN {
  static func of(_ document: StoreDocument) -> StoreDocument {
    var result = StoreDocument()
    for (key, value) in document { result[key] = of(value) }
    return result
  }

  private static func of(_ value: StoreValue) -> StoreValue {
    switch value {
    case .double(let number) where number.isNaN: .double(.nan)
    case .array(let elements): .array(elements.map { of($0) })
    case .dictionary(let inner): .dictionary(of(inner))
    default: value
    }
  }
}

private enum Tool {
  static let python3 = find("python3")
  static let plutil = find("plutil")

  private static func find(_ name: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// What the program prints, errors included.
  static func run(_ tool: URL, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self)
  }
}

/// A folder that is gone with the last use of the value.
private final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  // Nobody needs to notice: what stays is in the system's temporary folder.
  deinit { try? FileManager.default.removeItem(at: url) }

  func url(_ number: Int, _ suffix: String? = nil) -> URL {
    url.appending(path: suffix.map { "\(number).\($0)" } ?? "\(number)")
  }
}
