import CacheTestSupport
import Foundation
import SimpleCache
import Testing

@Suite struct TransformationTests {
  private let number = TwoWayClosureTransformer<String, Int>(
    transform: { text in
      guard let number = Int(text) else { throw TestFailure("no number") }
      return number
    },
    inverseTransform: { number in
      guard number >= 0 else { throw TestFailure("negative") }
      return String(number)
    })

  @Test func `a value that cannot be converted back fails the set and changes nothing`()
    async throws
  {
    let shelf = ShelfLevel(["a": "1"])
    let level = shelf.transformValues(number)
    let error = await #expect(throws: CacheError.self) { try await level.set(-1, forKey: "a") }
    #expect(error?.code == .untransformable && error?.key == "a")
    #expect(error?.level == "ShelfLevel" && error?.underlying as? TestFailure != nil)
    #expect(await shelf.values == ["a": "1"])
    #expect(await shelf.calls.isEmpty)
  }

  @Test func `a value that cannot be converted is a typed error, and is asked for once`()
    async throws
  {
    let source = SlowSource { _, _ in "no number" }
    let cache = MemoryLevel<String, Int>().compose(source.transformValues(number)).pooled()
    let error = await #expect(throws: CacheError.self) { try await cache.get("a") }
    #expect(error?.code == .untransformable)
    #expect(source.calls == 1)
  }

  @Test func `a key that cannot be converted is a typed error, and nothing is asked`() async throws
  {
    let source = SlowSource { key, _ in key }
    let byNumber = source.transformKeys { (key: Int) -> String in
      if key < 0 { throw TestFailure() }
      return "k\(key)"
    }
    #expect(try await byNumber.get(1) == "k1")
    let error = await #expect(throws: CacheError.self) { try await byNumber.get(-1) }
    #expect(error?.code == .untransformable && error?.key == "-1")
    #expect(source.calls == 1)
  }

  @Test func `a condition that says no is a miss, one that throws an error`() async throws {
    let source = SlowSource { key, _ in key }
    let conditioned = source.conditioned { key in
      if key == "bad" { throw TestFailure() }
      return key.hasPrefix("a")
    }
    #expect(try await conditioned.get("abc") == "abc")
    #expect(try await conditioned.get("xyz") == nil)
    let error = await #expect(throws: CacheError.self) { try await conditioned.get("bad") }
    #expect(error?.code == .refused)
    #expect(source.calls == 1)
  }

  @Test func `postprocessing touches what is read, not what is set`() async throws {
    let shelf = ShelfLevel()
    let level = shelf.postProcess { $0.uppercased() }.conditionedPostProcess { "\($1): \($0)" }
    try await level.set("x", forKey: "a")
    #expect(await shelf.values == ["a": "x"])
    #expect(try await level.get("a") == "a: X")
  }

  @Test func `a conditioned value transformation knows the key, both ways`() async throws {
    let shelf = ShelfLevel()
    let transformer = TwoWayConditionedTransformer<String, String, Int>(
      transform: { text, key in (Int(text) ?? 0) - key.count },
      inverseTransform: { number, key in String(number + key.count) })
    let level = shelf.conditionedValueTransformation(transformer)
    try await level.set(5, forKey: "abc")
    #expect(await shelf.values == ["abc": "8"])
    #expect(try await level.get("abc") == 5)
  }

  @Test func `transformers compose, invert and take conditions`() async throws {
    let text = StringTransformer()
    let both = text.compose(number)
    #expect(try await both.transform(Data("42".utf8)) == 42)
    #expect(try await both.inverseTransform(7) == Data("7".utf8))
    #expect(try await both.invert().transform(7) == Data("7".utf8))
    let short = text.conditioned { $0.count < 3 }
    #expect(try await short.transform(Data("ab".utf8)) == "ab")
    await #expect(throws: CacheError.self) { try await short.transform(Data("abc".utf8)) }
    await #expect(throws: CacheError.self) { try await short.inverseTransform("abc") }
    #expect(throws: CacheError.self) { try text.transform(Data([0xFF])) }
    let small = text.conditioned {
      $0.count < 3
    } inverseCondition: {
      !$0.isEmpty
    }
    #expect(try await small.inverseTransform("abc") == Data("abc".utf8))
    await #expect(throws: CacheError.self) { try await small.inverseTransform("") }
    await #expect(throws: CacheError.self) { try await small.transform(Data("abc".utf8)) }
  }

  @Test func `JSON and other Codable forms go both ways`() async throws {
    struct Page: Codable, Equatable, Sendable {
      var title: String
      var date: Date
    }
    let page = Page(title: "ä", date: Date(timeIntervalSince1970: 12.5))
    let json = JSONTransformer<Page>()
    #expect(try json.transform(json.inverseTransform(page)) == page)
    let plist = CodableTransformer<Page>(
      encode: { try PropertyListEncoder().encode($0) },
      decode: { try PropertyListDecoder().decode(Page.self, from: $0) })
    #expect(try plist.transform(plist.inverseTransform(page)) == page)
    #expect(throws: (any Error).self) { try json.transform(Data("{".utf8)) }
  }
}
