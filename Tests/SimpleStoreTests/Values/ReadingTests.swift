import Foundation
import SimpleStore
import Testing

/// Which stored values a type takes for its own.
struct ReadingTests {
  @Test func `a number is taken only by a type that holds it exactly`() {
    #expect(Int(storeValue: .double(1)) == 1)
    #expect(Int(storeValue: .double(1.5)) == nil)
    #expect(Int(storeValue: .double(.nan)) == nil)
    #expect(Int64(storeValue: .unsigned(.max)) == nil)
    #expect(UInt64(storeValue: .unsigned(.max)) == .max)
    #expect(UInt8(storeValue: .integer(-1)) == nil)
    #expect(Int(storeValue: .number("123456789012345678901234567890")) == nil)
    #expect(Int128(storeValue: .number("123456789012345678901")) == 123_456_789_012_345_678_901)
    #expect(Double(storeValue: .integer(9_007_199_254_740_993)) == nil)
    #expect(Double(storeValue: .integer(9_007_199_254_740_992)) == 9_007_199_254_740_992)
    #expect(Double(storeValue: .unsigned(.max)) == nil)
    #expect(Double(storeValue: .number("1e400")) == nil)
    #expect(Double(storeValue: .number("3.14159265358979323846")) == .pi)
    #expect(Float(storeValue: .double(0.1)) == 0.1)
    #expect(Float(storeValue: .double(1e300)) == nil)
    #expect(Float(storeValue: .string("Infinity")) == .infinity)
  }

  @Test func `a Boolean, a number and a text are never taken for one another`() {
    #expect(Bool(storeValue: .integer(1)) == nil)
    #expect(Bool(storeValue: .string("true")) == nil)
    #expect(Int(storeValue: .bool(true)) == nil)
    #expect(Int(storeValue: .string("1")) == nil)
    #expect(Double(storeValue: .bool(true)) == nil)
    #expect(Double(storeValue: .string("1.5")) == nil)
    #expect(String(storeValue: .integer(1)) == nil)
  }

  @Test func `dates and data are read from the spellings of every format`() {
    let date = Date(timeIntervalSinceReferenceDate: 0.5)
    #expect(Date(storeValue: .date(date)) == date)
    #expect(Date(storeValue: .string("2001-01-01T00:00:00.5Z")) == date)
    #expect(Date(storeValue: .string("2001-01-01T02:00:00.5+02:00")) == date)
    #expect(Date(storeValue: .double(0.5)) == date)
    #expect(Date(storeValue: .integer(0)) == Date(timeIntervalSinceReferenceDate: 0))
    #expect(Date(storeValue: .string("yesterday")) == nil)
    #expect(Date(storeValue: .bool(true)) == nil)
    #expect(Data(storeValue: .string("AQI=")) == Data([1, 2]))
    #expect(Data(storeValue: .string("?")) == nil)
  }

  @Test func `half a list or dictionary is none`() {
    #expect([Int](storeValue: .array([.integer(1), .string("x")])) == nil)
    #expect([String: Int](storeValue: .dictionary(["a": .integer(1), "b": .null])) == nil)
    #expect([Int?](storeValue: .array([.integer(1), .null])) == [1, nil])
    #expect(Character(storeValue: .string("ab")) == nil)
    #expect(Gender(storeValue: .integer(9)) == nil)
  }

  @Test func `a decimal or a duration is taken only when it fits exactly`() {
    #expect(Decimal(storeValue: .double(0.1)) == Decimal(string: "0.1"))
    #expect(Decimal(storeValue: .number(String(repeating: "1", count: 38))) != nil)
    #expect(Decimal(storeValue: .number(String(repeating: "1", count: 40))) == nil)
    #expect(Decimal(storeValue: .number("1e400")) == nil)
    #expect(Decimal(storeValue: .number("1e-400")) == nil)
    #expect(Decimal(storeValue: .number("1e99999999999999999999")) == nil)
    #expect(Decimal(storeValue: .string("1")) == nil)
    #expect(Decimal(storeValue: .bool(true)) == nil)
    #expect(Decimal(storeValue: .double(.infinity)) == nil)
    #expect(Duration(storeValue: .double(1.5)) == .milliseconds(1500))
    #expect(Duration(storeValue: .integer(-2)) == .seconds(-2))
    #expect(Duration(storeValue: .double(1e-19)) == nil)
    #expect(Duration(storeValue: .double(1e300)) == nil)
    #expect(Duration(storeValue: .double(.nan)) == nil)
    #expect(Duration(storeValue: .string("PT1S")) == nil)
    #expect(Duration.milliseconds(1500).storeValue == .double(1.5))
    #expect(Duration.seconds(2).storeValue == .integer(2))
  }

  @Test func `a range that is none is not one`() {
    #expect(Range<Int>(storeValue: .dictionary(["from": .integer(2), "upTo": .integer(1)])) == nil)
    #expect(
      Range<Int>(storeValue: .dictionary(["from": .integer(2), "through": .integer(3)])) == nil)
    #expect(
      ClosedRange<Double>(storeValue: .dictionary(["from": .double(.nan), "through": .double(1)]))
        == nil)
    #expect(PartialRangeFrom<Double>(storeValue: .dictionary(["from": .double(.nan)])) == nil)
    #expect(
      PartialRangeFrom<Int>(storeValue: .dictionary(["from": .integer(1), "upTo": .integer(2)]))
        == nil)
    #expect(Range<Int>(storeValue: .array([.integer(1), .integer(2)])) == nil)
  }

  @Test func `a key that is none, or is there twice, is not taken`() {
    #expect([Int: Int](storeValue: .dictionary(["1": .integer(1), "x": .integer(2)])) == nil)
    #expect([Int: Int](storeValue: .dictionary(["1": .integer(1), "01": .integer(2)])) == nil)
    #expect([Character: Int](storeValue: .dictionary(["ab": .integer(1)])) == nil)
    #expect([Character: Int](storeValue: .dictionary(["": .integer(1)])) == nil)
    #expect([Gender: Int](storeValue: .dictionary(["1": .integer(1)])) == [.male: 1])
    #expect([Gender: Int](storeValue: .dictionary(["9": .integer(1)])) == nil)
  }

  @Test func `equal sets and dictionaries are stored as equal bytes`() {
    let words = (0..<100).map { "word \($0)" }
    #expect(Set(words).storeValue == Set(words.reversed()).storeValue)
    let numbers: Set<Double> = [3, -0.0, .nan, 1, -.infinity]
    #expect(
      numbers.storeValue
        == .array([.double(-.infinity), .double(-0.0), .double(1), .double(3), .double(.nan)]))
    let left = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0) })
    let right = Dictionary(uniqueKeysWithValues: (0..<100).reversed().map { ($0, $0) })
    #expect(left.storeValue == right.storeValue)
  }

  /// A key that breaks its law: all are the same text.
  struct Nameless: StoreKey {
    let number: Int
    init(_ number: Int) { self.number = number }
    var storeKey: String { "x" }
    init?(storeKey: String) { self.init(0) }
  }
  struct Registry: StoreItem {
    @StoreParam(key: "entries", default: [:]) var entries: [Nameless: Int]
  }

  @Test func `keys with the same text are refused, not merged`() throws {
    let backend = MemoryBackend()
    let store = SimpleStore<Registry>(backend)
    try store.set(\.entries, to: [Nameless(1): 1])
    let error = #expect(throws: StoreError.self) {
      try store.set(\.entries, to: [Nameless(1): 1, Nameless(2): 2])
    }
    #expect(error?.code == .invalidValue)
    #expect(try backend.load() == ["entries": .dictionary(["x": .integer(1)])])
  }
}
