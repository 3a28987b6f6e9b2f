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
}
