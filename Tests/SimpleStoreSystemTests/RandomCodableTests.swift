import Foundation
import SimpleStore
import SimpleStoreSystem
import TestSupport
import Testing

/// Generated values of a `Codable` type come back equal from every backend.
///
/// `SIMPLESTORE_RANDOM_VALUES=100000` tries that many; the suite a few hundred.
struct RandomCodableTests {
  /// Everything that a `Codable` type may be made of, up to six levels deep.
  indirect enum Tree: StoreCodable, Equatable {
    case nothing
    case flag(Bool)
    case number(Int64, unsigned: UInt64, small: Int8)
    case fraction(Double, Float)
    case text(String)
    case natives(Data, Date, URL, UUID, Decimal)
    case maybe(Tree?)
    case list([Tree])
    case named([String: Tree])
    case counted([Int: Tree])
    case paired([Kind: Tree])
    case words(Set<String>)
    case record(Record)
  }
  enum Kind: String, Codable, Sendable { case a, b, c }
  struct Record: Codable, Equatable, Sendable {
    var left: Tree
    var right: Tree?
    var kind: Kind?
    var range: Range<Int>
    var duration: Duration
    enum CodingKeys: String, CodingKey {
      case left = "l.e/f t"
      case right = "$null"
      case kind = ""
      case range, duration
    }
  }
  struct Holder: StoreItem {
    @StoreParam(key: "trees", default: []) var trees: [Tree]
  }

  static let count =
    ProcessInfo.processInfo.environment["SIMPLESTORE_RANDOM_VALUES"].flatMap { Int($0) } ?? 400

  @Test(arguments: EveryBackend.allCases)
  func `generated values read back equal`(_ kind: EveryBackend) throws {
    var random = SplitMix64(seed: 20_261_130)
    var left = Self.count
    var refused = 0
    while left > 0 {
      let trees = (0..<min(left, kind.isSmall ? 10 : 100)).map { _ in Self.tree(6, &random) }
      left -= trees.count
      let backend = try kind.place()
      do {
        try SimpleStore<Holder>(backend()).set(\.trees, to: trees)
      } catch {
        // A secret holds little, and says so.
        let document: StoreDocument = ["trees": trees.storeValue]
        try #require(try kind.isSmall && document.isLarge, "\(error)")
        refused += trees.count
        continue
      }
      let fresh = SimpleStore<Holder>(backend())
      guard fresh.trees == trees else {
        let position = zip(fresh.trees, trees).enumerated().first { $0.element.0 != $0.element.1 }
        Issue.record("\(kind): \(String(describing: position)) \(fresh.loadReport)")
        return
      }
    }
    #expect(refused < Self.count / 2)
  }

  static func tree(_ depth: Int, _ random: inout SplitMix64) -> Tree {
    func size() -> Int { Int.random(in: 0...3, using: &random) }
    switch Int.random(in: 0..<(depth > 1 ? 14 : 7), using: &random) {
    case 0: return .nothing
    case 1: return .flag(.random(using: &random))
    case 2:
      return .number(
        Int64(truncatingIfNeeded: random.next()), unsigned: random.next(),
        small: Int8(truncatingIfNeeded: random.next()))
    case 3: return .fraction(double(&random), float(&random))
    case 4: return .text(text(&random))
    case 5:
      return .natives(
        Data((0..<size()).map { _ in UInt8.random(in: 0...255, using: &random) }),
        Date(timeIntervalSinceReferenceDate: double(&random)),
        URL(string: "https://example.test/\(random.next())?a=%20#b")!,
        UUID(), Decimal(Int64(truncatingIfNeeded: random.next())) / 1024)
    case 6: return .words(Set((0..<size()).map { _ in text(&random) }))
    case 7: return .maybe(.random(using: &random) ? nil : tree(depth - 1, &random))
    case 8: return .list((0..<size()).map { _ in tree(depth - 1, &random) })
    case 9:
      var entries: [String: Tree] = [:]
      for _ in 0..<size() { entries[text(&random)] = tree(depth - 1, &random) }
      return .named(entries)
    case 10:
      var entries: [Int: Tree] = [:]
      for _ in 0..<size() {
        entries[Int(truncatingIfNeeded: random.next())] = tree(depth - 1, &random)
      }
      return .counted(entries)
    case 11: return .paired([.b: tree(depth - 1, &random), .a: tree(depth - 1, &random)])
    default:
      return .record(
        Record(
          left: tree(depth - 1, &random),
          right: .random(using: &random) ? nil : tree(depth - 1, &random),
          kind: .random(using: &random) ? nil : .c,
          range: 0..<Int.random(in: 0...(.max), using: &random),
          duration: Duration(
            secondsComponent: Int64(truncatingIfNeeded: random.next()) / 4,
            attosecondsComponent: Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random))))
    }
  }

  /// Any bits but NaN's, which is not equal to itself.
  static func double(_ random: inout SplitMix64) -> Double {
    let value = Double(bitPattern: random.next())
    return value.isNaN ? 0.1 : value
  }
  static func float(_ random: inout SplitMix64) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    return value.isNaN ? -0.0 : value
  }
  static func text(_ random: inout SplitMix64) -> String {
    let letters = [
      "a", "Z", "é", "e\u{301}", "🙂", "\u{0}", "\r\n", "$", ".", "/", "\u{FFFE}", "\"",
    ]
    return (0..<Int.random(in: 0...5, using: &random)).map { _ in
      letters.randomElement(using: &random) ?? ""
    }.joined()
  }
}
