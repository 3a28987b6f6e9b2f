import SimpleStore
import TestSupport
import Testing

@Suite("A document keeps keys, values and order")
struct StoreDocumentTests {
  @Test
  func `keys stay in the order in which they came`() {
    var document: StoreDocument = ["b": .integer(1), "a": .integer(2)]
    document["c"] = .integer(3)
    document["a"] = .integer(4)
    #expect(document.keys == ["b", "a", "c"])
    #expect(document.map(\.value) == [.integer(1), .integer(4), .integer(3)])
    #expect(document.count == 3)
  }

  @Test
  func `the last of equal keys in a literal counts`() {
    let document: StoreDocument = ["a": .integer(1), "b": .null, "a": .integer(2)]
    #expect(document.keys == ["a", "b"])
    #expect(document["a"] == .integer(2))
  }

  @Test
  func `setting nil removes a key, a stored null stays`() {
    var document: StoreDocument = ["a": .null, "b": .integer(1)]
    #expect(document["a"] == .null)
    document["a"] = nil
    document["absent"] = nil
    #expect(document.keys == ["b"])
    #expect(document["a"] == nil)
    document["b"] = .null
    #expect(document["b"] == .null)
  }

  @Test
  func `keys that Unicode calls equal are two keys`() {
    for count in [0, 100] {
      var document = DocumentSamples.manyKeys(count)
      document["e\u{301}"] = .integer(1)
      document["\u{e9}"] = .integer(2)
      #expect(document.count == count + 2)
      #expect(document["e\u{301}"] == .integer(1))
      #expect(document["\u{e9}"] == .integer(2))
      document["\u{e9}"] = nil
      #expect(document["e\u{301}"] == .integer(1))
      #expect(document["\u{e9}"] == nil)
    }
  }

  @Test
  func `documents are equal when keys, values and order are`() {
    let document: StoreDocument = ["a": .integer(1), "b": .integer(2)]
    #expect(document == ["a": .integer(1), "b": .integer(2)])
    #expect(document != ["b": .integer(2), "a": .integer(1)])
    #expect(document != ["a": .integer(1)])
    #expect(document != ["a": .integer(1), "b": .double(2)])
    #expect(StoreDocument() == [:])
    #expect(["e\u{301}": .null] as StoreDocument != ["\u{e9}": .null])
  }

  @Test
  func `ten thousand keys are all found, set and removed`() {
    var document = DocumentSamples.manyKeys(10_000)
    #expect(document.count == 10_000)
    for number in 0..<10_000 {
      guard document["key \(number)"] == .integer(Int64(number)) else {
        Issue.record("key \(number)")
        break
      }
    }
    #expect(document["key 10000"] == nil)
    document["key 5000"] = nil
    document["key 0"] = nil
    #expect(document.count == 9_998)
    #expect(document["key 5000"] == nil)
    #expect(document["key 9999"] == .integer(9_999))
    document["key 5000"] = .null
    #expect(document.keys.last == "key 5000")
    #expect(document.keys.first == "key 1")
  }

  /// The same changes to a document and to a list of pairs, which is slow and obviously right.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `any sequence of changes does what it does to a list of pairs`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var document = StoreDocument()
    var pairs: [(key: String, value: StoreValue)] = []
    if seed.isMultiple(of: 2) { document.reserveCapacity(40) }
    for step in 0..<600 {
      let key = "k\(Int.random(in: 0..<40, using: &random))"
      let value = StoreValue.integer(Int64(step))
      let position = pairs.firstIndex { $0.key == key }
      #expect(document[key] == position.map { pairs[$0].value })
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        document[key] = nil
        if let position { pairs.remove(at: position) }
      case 1:
        document[key] = value
        if let position { pairs[position].value = value } else { pairs.append((key, value)) }
      default:
        document.put(key, value)
        if let position { pairs[position].value = value } else { pairs.append((key, value)) }
      }
      #expect(document.keys == pairs.map(\.key))
    }
    #expect(document.map(\.value) == pairs.map(\.value))
  }

  @Test
  func `a copy does not change with the original`() {
    var document = DocumentSamples.manyKeys(20)
    let copy = document
    document["key 3"] = nil
    document["new"] = .null
    #expect(copy == DocumentSamples.manyKeys(20))
    #expect(copy["new"] == nil)
    #expect(copy["key 3"] == .integer(3))
  }
}
