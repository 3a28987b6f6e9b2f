import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("Values are equal when they read back as the same")
struct StoreValueTests {
  static let distinct: [StoreValue] = [
    .null, .bool(false), .bool(true), .integer(0), .integer(1), .double(0), .double(-0.0),
    .double(1), .double(.nan), .unsigned(.max), .number("1"), .number("1.0"), .string(""),
    .string("1"), .string("e\u{301}"), .string("\u{e9}"), .data(Data()), .data(Data([1])),
    .date(Date(timeIntervalSinceReferenceDate: 0)),
    .date(Date(timeIntervalSinceReferenceDate: -0.0)),
    .date(Date(timeIntervalSinceReferenceDate: .nan)), .array([]), .array([.null]),
    .dictionary([:]), .dictionary(["": .null]),
  ]

  @Test
  func `values of different kind or bits differ, each equals itself`() {
    for (left, value) in Self.distinct.enumerated() {
      for (right, other) in Self.distinct.enumerated() {
        #expect((value == other) == (left == right), "\(value), \(other)")
      }
    }
  }

  @Test
  func `an unsigned number that Int64 holds is an integer`() {
    #expect(StoreValue(unsigned: 0) == .integer(0))
    #expect(StoreValue(unsigned: UInt64(Int64.max)) == .integer(.max))
    #expect(StoreValue(unsigned: UInt64(Int64.max) + 1) == .unsigned(UInt64(Int64.max) + 1))
  }

  @Test
  func `the kind of a value is one word`() {
    let kinds = Set(Self.distinct.map(\.kind))
    #expect(
      kinds == [
        "null", "bool", "integer", "number", "string", "data", "date", "array", "dictionary",
      ])
  }
}
