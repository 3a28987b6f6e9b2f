import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("Foundation and Python agree with how JSON is read and written")
struct JSONSecondOpinionTests {
  /// What every reader of JSON can hold. Foundation and Python read `1e400` as infinity.
  private static let kinds: [RandomDocument.Kind] = [
    .null, .bool, .integer, .unsigned, .double, .string, .data, .date,
  ]

  private static func documents(count: Int, seed: UInt64) -> [StoreDocument] {
    var random = RandomDocument(seed: seed, kinds: kinds)
    return (0..<count).map { _ in random.next() }
  }

  /// Documents without U+FEFF, which Foundation on Linux drops from the start of a string.
  private static func documentsForFoundation(seed: UInt64) throws -> [StoreDocument] {
    try documents(count: 1_000, seed: seed).filter { document in
      !String(decoding: try JSONFormat().encode(document), as: UTF8.self).unicodeScalars
        .contains("\u{feff}")
    }
  }

  @Test
  func `JSONSerialization reads what we write`() throws {
    for document in try Self.documentsForFoundation(seed: 31) {
      let bytes = try JSONFormat().encode(document)
      let found = try JSONSerialization.jsonObject(with: Data(bytes))
      let expected = try #require(JSONProjection.of(document))
      #expect(Self.difference(found, .dictionary(expected)) == nil)
    }
  }

  @Test
  func `we read what JSONSerialization writes`() throws {
    for document in try Self.documentsForFoundation(seed: 32) {
      let object = Self.object(.dictionary(try #require(JSONProjection.of(document))))
      for options in [[], [.prettyPrinted], [.fragmentsAllowed, .withoutEscapingSlashes]]
        as [JSONSerialization.WritingOptions]
      {
        let data = try JSONSerialization.data(withJSONObject: object, options: options)
        let found = try JSONFormat().decode(Array(data))
        // As an object again, since Foundation does not keep the order of keys.
        #expect(Self.difference(object, .dictionary(found)) == nil)
      }
    }
  }

  @Test(.enabled(if: Python.path != nil, "python3 is not on the PATH"))
  func `Python reads what we write and we read what Python writes`() throws {
    let documents = Self.documents(count: 1_000, seed: 33)
    // Python reads each line as a string that holds a document, and answers with what it read,
    // written in its own ways: all ASCII, as it is, and without spaces.
    let script = """
      import json, sys
      for line in sys.stdin.buffer:
          text = json.loads(line)["text"]
          value = json.loads(text)
          ways = [json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1),
                  json.dumps(value, separators=(",", ":"))]
          sys.stdout.write(json.dumps({"ways": ways}) + "\\n")
      """
    var input: [UInt8] = []
    for document in documents {
      let text = String(decoding: try JSONFormat().encode(document), as: UTF8.self)
      let line = try JSONFormat().encode(["text": .string(text)])
      // Only the layout has line ends: those of the text are escaped.
      input += line.filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
    }
    let output = try Python.run(script, input: input)
    let lines = output.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == documents.count)
    for (document, line) in zip(documents, lines) {
      let expected = JSONProjection.of(document)
      guard case .array(let ways)? = try JSONFormat().decode(Array(line))["ways"] else {
        Issue.record("no answer")
        continue
      }
      #expect(ways.count == 3)
      for case .string(let text) in ways {
        #expect(try JSONFormat().decode(Array(text.utf8)) == expected)
      }
    }
  }

  @Test(.enabled(if: Python.path != nil, "python3 is not on the PATH"))
  func `Python accepts the same damaged files as we do, and no others`() throws {
    let original = #"{"é\u00e9\ud83d\ude00":[-1.5e+3, true,{"a" :null,"":"\n"}] }"#
    let files = Array(Mutations(of: Array(original.utf8)))
    // Python's own additions to JSON are taken away: NaN, other roots, halves of surrogate pairs.
    let script = """
      import json, sys
      def refuse(word): raise ValueError(word)
      for line in sys.stdin:
          try:
              text = bytes.fromhex(line.strip()).decode("utf-8")
              value = json.loads(text, parse_constant=refuse)
              json.dumps(value, ensure_ascii=False).encode("utf-8")
              print("yes" if isinstance(value, dict) else "no")
          except (ValueError, RecursionError):
              print("no")
      """
    let digits = Array("0123456789abcdef".utf8)
    let input = files.flatMap { file in
      file.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
    }
    let answers = String(decoding: try Python.run(script, input: input), as: UTF8.self)
      .split(separator: "\n")
    #expect(answers.count == files.count)
    var accepted = 0
    for (file, answer) in zip(files, answers) {
      // Only whether it is refused counts here, not why.
      let isAccepted = (try? JSONFormat().decode(file)) != nil
      if isAccepted { accepted += 1 }
      if isAccepted != (answer == "yes") {
        Issue.record("\(String(decoding: file, as: UTF8.self).debugDescription): \(answer)")
      }
    }
    #expect(accepted > 500)
  }

  /// Where Foundation's object is not this value; nil when it is. Numbers are compared as numbers,
  /// since `JSONSerialization` gives 1.0 and 1 as the same, and doubles but for their last bits,
  /// which it gets wrong on Linux (Python's are compared exactly).
  private static func difference(_ object: Any, _ value: StoreValue) -> String? {
    let isSame: Bool
    switch value {
    case .null: isSame = object is NSNull
    case .bool(let isTrue): isSame = (object as? Bool) == isTrue
    case .integer(let number): isSame = (object as? NSNumber)?.int64Value == number
    case .unsigned(let number): isSame = (object as? NSNumber)?.uint64Value == number
    case .double(let number):
      let found = (object as? NSNumber)?.doubleValue ?? .nan
      isSame = abs(found - number) <= abs(number) * 1e-14
    case .string(let text): isSame = (object as? String)?.utf8.elementsEqual(text.utf8) == true
    case .array(let elements):
      guard let found = object as? [Any], found.count == elements.count else {
        return "\(object) is not \(elements)"
      }
      return zip(found, elements).lazy.compactMap { difference($0, $1) }.first
    case .dictionary(let document):
      guard let found = object as? [String: Any] else { return "\(object) is no dictionary" }
      return document.lazy.compactMap { (key, value) -> String? in
        // A dictionary of Foundation's cannot have two keys that Unicode calls equal.
        guard document.keys.count(where: { $0 == key }) == 1 else { return nil }
        guard let object = found[key] else { return "\(key.debugDescription) is missing" }
        return difference(object, value)
      }.first
    case .number, .data, .date: isSame = false
    }
    return isSame ? nil : "\(object) is not \(value)"
  }

  private static func object(_ value: StoreValue) -> Any {
    switch value {
    case .bool(let isTrue): isTrue
    case .integer(let number): number
    case .unsigned(let number): number
    case .double(let number): number
    case .string(let text): text
    case .array(let elements): elements.map { object($0) }
    case .dictionary(let document):
      Dictionary(document.map { ($0.key, object($0.value)) }, uniquingKeysWith: { $1 })
    default: NSNull()
    }
  }
}
