import Foundation
import SimpleCache
import SimpleStore

/// Operations that a tool can watch: `benchmarks --loop NAME COUNT` does one COUNT times.
enum Loops {
  static var all: [(name: String, make: (Bench) throws -> Measure.Body)] {
    fixed + FileKind.allCases.flatMap(coding)
  }

  private static var fixed: [(name: String, make: (Bench) throws -> Measure.Body)] {
    [
      ("nothing", { _ in { _ in } }),
      (
        "read-string",
        { _ in
          let store = SimpleStore<SmallItem>(.memory)
          return { for _ in 0..<$0 { blackHole(store[\.name]) } }
        }
      ),
      (
        "read-integer",
        { _ in
          let store = SimpleStore<SmallItem>(.memory)
          return { for _ in 0..<$0 { blackHole(store[\.age]) } }
        }
      ),
      (
        "walk-30",
        { _ in
          let item = MediumItem()
          return { for _ in 0..<$0 { blackHole(item.document) } }
        }
      ),
      (
        "walk-10000",
        { _ in
          let item = LargeItem.filled
          return { for _ in 0..<$0 { blackHole(item.document) } }
        }
      ),
      (
        "set-same-3",
        { bench in
          let backend = FileKind.json.backend(try bench.newFolder(), .processCrash)
          let store = try Subject(backend, SmallItem(), changing: \.age).store
          return { for _ in 0..<$0 { store[\.age] = 42 } }
        }
      ),
      ("cache-get-string", { _ in cacheGet(CacheSubjects()) }),
      ("cache-get-integer", { _ in cacheGetInteger(CacheSubjects()) }),
      ("cache-evict-string", { _ in cacheEvictString(CacheSubjects()) }),
      ("cache-evict-integer", { _ in cacheEvict(CacheSubjects()) }),
      ("cache-disk-set", { bench in try diskSet(bench.newFolder()) }),
      ("cache-disk-get", { bench in try diskGet(bench.newFolder()) }),
      ("save-3", { try saving(SmallItem(), \.age, .processCrash, $0) }),
      ("save-3-consistent", { try saving(SmallItem(), \.age, .consistent, $0) }),
      ("save-30", { try saving(MediumItem(), \.age, .processCrash, $0) }),
      ("save-10000", { try saving(LargeItem.filled, \.age, .processCrash, $0) }),
    ]
  }

  private static func cacheGet(_ subjects: CacheSubjects) -> Measure.Body {
    let level = subjects.texts()
    return subjects.inOrder { keep(level[subjects.keys[$0]]) }
  }

  private static func cacheGetInteger(_ subjects: CacheSubjects) -> Measure.Body {
    let level = subjects.numbers()
    return subjects.inOrder { keep(level[$0]) }
  }

  private static func cacheEvictString(_ subjects: CacheSubjects) -> Measure.Body {
    let level = subjects.texts(countLimit: CacheSubjects.count)
    let fresh = subjects.newKeys
    let value = subjects.values[0]
    var place = 0
    return { times in
      for _ in 0..<times {
        place = place + 1 == fresh.count ? 0 : place + 1
        level[fresh[place]] = value
      }
    }
  }

  private static func cacheEvict(_ subjects: CacheSubjects) -> Measure.Body {
    let level = subjects.numbers(countLimit: CacheSubjects.count)
    var number = CacheSubjects.count
    return { times in
      for _ in 0..<times {
        number += 1
        level[number] = number
      }
    }
  }

  private static let diskKeys = (0..<100).map { "https://example.com/1024/\($0 &* 7_919)" }

  private static func diskSet(_ folder: URL) throws -> Measure.Body {
    let level = DiskLevel<String, Data>(directory: folder)
    let value = Data(repeating: 7, count: 1_024)
    let keys = diskKeys
    return { for number in 0..<$0 { level[keys[number % keys.count]] = value } }
  }

  private static func diskGet(_ folder: URL) throws -> Measure.Body {
    let level = DiskLevel<String, Data>(directory: folder)
    let keys = diskKeys
    for key in keys { level[key] = Data(repeating: 7, count: 1_024) }
    return { for number in 0..<$0 { blackHole(level[keys[number % keys.count]]) } }
  }

  private static func saving<Item: StoreItem>(
    _ item: Item, _ field: WritableKeyPath<Item, Int>, _ durability: Durability,
    _ bench: Bench
  ) throws -> Measure.Body {
    let backend = FileKind.json.backend(try bench.newFolder(), durability)
    let subject = try Subject(backend, item, changing: field)
    return { try subject.save($0) }
  }

  /// Coding a document of 30 fields and one of 10,000 entries.
  private static func coding(
    _ kind: FileKind
  ) -> [(name: String, make: (Bench) throws -> Measure.Body)] {
    let format = kind.format
    let documents = [("30", { MediumItem().document }), ("10000", { LargeItem.filled.document })]
    return documents.flatMap { size, document in
      [
        (
          "encode-\(kind.rawValue.lowercased())-\(size)",
          { _ in
            let document = document()
            return { for _ in 0..<$0 { blackHole(try format.encode(document)) } }
          }
        ),
        (
          "decode-\(kind.rawValue.lowercased())-\(size)",
          { _ in
            let bytes = try format.encode(document())
            return { for _ in 0..<$0 { blackHole(try format.decode(bytes)) } }
          }
        ),
      ]
    }
  }

  static func run(_ name: String, _ count: Int, _ bench: Bench) throws {
    guard let loop = all.first(where: { $0.name == name }) else {
      throw Arguments.Fault(
        message: "no loop \(name); there are \(all.map(\.name).joined(separator: ", "))")
    }
    try loop.make(bench)(count)
  }
}

/// How many instructions an operation takes, which no other load on the machine changes.
///
/// Counted by callgrind for two numbers of operations; the difference is theirs alone.
func instructionCounts(_ bench: Bench) throws -> [Row] {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  let valgrind = path.split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "valgrind") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  guard let valgrind else {
    say("  skipped: valgrind is not installed (Debian: apt-get install valgrind)")
    return []
  }
  func count(_ name: String, _ times: Int) throws -> Double {
    let folder = try bench.newFolder()
    let output = try bench.run(
      valgrind,
      [
        "--tool=callgrind", "--callgrind-out-file=\(folder.appending(path: "out").path)",
        try Bench.executable.path, "--loop", name, "\(times)", "--directory", folder.path,
      ],
      // Else the hashes, and with them the collisions, are others in each run.
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
    // ==123== Collected : 123456
    guard let line = output.split(separator: "\n").last(where: { $0.contains("Collected :") }),
      let word = line.split(separator: " ").last, let number = Double(word)
    else { throw Bench.Fault(description: "no count in what callgrind said: \(output)") }
    return number
  }
  return try Loops.all.dropFirst().map { loop in
    // Starting the program takes a few thousand instructions more or less each time, so that a
    // small operation is done often.
    let (few, many) =
      if ["read", "cache-get", "cache-evict"].contains(where: loop.name.hasPrefix) {
        (1_000, 101_000)
      } else if loop.name.hasSuffix("10000") {
        (2, 12)
      } else {
        (100, bench.isQuick ? 300 : 1100)
      }
    let instructions =
      (try count(loop.name, many) - count(loop.name, few)) / Double(many - few)
    return Row(loop.name, against: nil, Spread([instructions]), .instructions)
  }
}
