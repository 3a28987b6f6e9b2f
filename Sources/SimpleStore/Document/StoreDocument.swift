/// What a store keeps: keys and values, in the order in which the file has them.
///
/// Order is kept so that a file that people edit by hand keeps its shape: a key that was found in
/// the file stays where it was, and a new one goes to the end. Keys are compared by their UTF-8
/// bytes; every text is a key, the empty one included.
///
/// ```swift
/// var document: StoreDocument = ["name": .string("sky"), "age": .integer(7)]
/// document["age"] = .integer(8)
/// document.keys  // ["name", "age"]
/// ```
public struct StoreDocument: Sendable {
  package struct Entry: Sendable {
    package let key: String
    package var value: StoreValue

    package init(key: consuming String, value: consuming StoreValue) {
      self.key = key
      self.value = value
    }
  }

  /// The entries in order. No two have the same key.
  package private(set) var entries: [Entry] = []
  /// Where each key is, once there are too many to look at one by one.
  private var index: KeyIndex?
  /// The same of a document that was made all at once, until it is changed.
  private var lateIndex: LateIndex?

  /// Below this many entries a look at each is faster than hashing the key.
  private static let linearLimit = 8

  /// A document without keys.
  public init() {}

  /// A document of entries, sorted by the bytes of their keys; of equal keys the last one counts.
  package init(sorting entries: [Entry]) {
    self.entries = KeyOrder.sorted(entries)
    if self.entries.count > Self.linearLimit { lateIndex = LateIndex() }
  }

  /// How many keys there are.
  public var count: Int { entries.count }
  /// Whether there are no keys.
  public var isEmpty: Bool { entries.isEmpty }
  /// The keys, in order.
  public var keys: [String] { entries.map(\.key) }

  /// The value of a key; nil when the key is absent (a stored null is ``StoreValue/null``).
  ///
  /// Setting replaces the value where it stands or appends it; setting nil removes the key.
  public subscript(key: String) -> StoreValue? {
    get { position(of: key).map { entries[$0].value } }
    set {
      makeIndex()
      switch (position(of: key), newValue) {
      case (let position?, let value?): entries[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): appendNew(Entry(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Makes room for this many keys.
  package mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    if count > Self.linearLimit, index == nil {
      index = KeyIndex(entries, capacity: count)
      lateIndex = nil
    }
  }

  /// Makes room in the list alone, for a reader that only guesses how many keys there are.
  package mutating func reserveEntries(_ count: Int) { entries.reserveCapacity(count) }

  package func position(of key: String) -> Int? {
    if let index = index ?? lateIndex?.index(of: entries) {
      return index.position(of: key, in: entries)
    }
    // By number: a closure would be given a copy of each entry.
    for position in entries.indices where entries[position].key.hasSameBytes(as: key) {
      return position
    }
    return nil
  }

  /// Takes the index over before the first change.
  private mutating func makeIndex() {
    guard let lateIndex else { return }
    index = lateIndex.index(of: entries)
    self.lateIndex = nil
  }

  /// Sets a key for a reader, which meets most keys for the first time: looks for it once. Of
  /// duplicate keys the last value counts, in the place of the first.
  package mutating func put(_ key: String, _ value: StoreValue) {
    makeIndex()
    if index == nil {
      if let position = position(of: key) {
        entries[position].value = value
      } else {
        appendNew(Entry(key: key, value: value))
      }
    } else if let position = index!.find(key, orPlace: entries.count, in: entries) {
      entries[position].value = value
    } else {
      entries.append(Entry(key: key, value: value))
    }
  }

  /// Gives a value another key, in its place. The other key must be absent.
  mutating func rename(_ key: String, to newKey: String) {
    makeIndex()
    guard !key.hasSameBytes(as: newKey), let position = position(of: key) else { return }
    entries[position] = Entry(key: newKey, value: entries[position].value)
    if index != nil { index = KeyIndex(entries, capacity: entries.count) }
  }

  /// Adds a key that is not there, without a look. ``endDistinct()`` has to follow before the next
  /// change of another kind; until then keys are found one by one.
  @inline(__always)
  mutating func append(distinct key: consuming String, _ value: consuming StoreValue) {
    entries.append(Entry(key: key, value: value))
  }

  /// Ends a run of ``append(distinct:_:)``.
  mutating func endDistinct() {
    index = nil
    lateIndex = entries.count > Self.linearLimit ? LateIndex() : nil
  }

  private mutating func appendNew(_ entry: Entry) {
    entries.append(entry)
    if index != nil {
      _ = index!.find(entry.key, orPlace: entries.count - 1, in: entries)
    } else if entries.count > Self.linearLimit {
      index = KeyIndex(entries, capacity: entries.count * 2)
    }
  }

  private mutating func remove(at position: Int) {
    entries.remove(at: position)
    index =
      entries.count > Self.linearLimit ? KeyIndex(entries, capacity: entries.count) : nil
  }
}

extension StoreDocument: Equatable {
  /// Whether both have equal values under the same keys in the same order.
  public static func == (left: StoreDocument, right: StoreDocument) -> Bool {
    left.entries == right.entries
  }
}

extension StoreDocument.Entry: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.value == right.value
  }
}

extension StoreDocument: ExpressibleByDictionaryLiteral {
  /// The keys and values of a literal, in its order; of equal keys the last one counts.
  public init(dictionaryLiteral elements: (String, StoreValue)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension StoreDocument: Sequence {
  /// Goes through keys and values in order.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: StoreValue)> {
    entries.lazy.map { (key: $0.key, value: $0.value) }.makeIterator()
  }
}
