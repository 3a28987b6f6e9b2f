import SimpleStore
import Testing

// A client that imports nothing but the library, with names of its own that clash.

struct StoreError: Error {}

enum Colour: String, StoreConvertible { case red, green }

struct Point: StoreConvertible, Equatable {
  var x: Int
  var y: Int

  var storeValue: StoreValue { .array([.integer(Int64(x)), .integer(Int64(y))]) }

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  init?(storeValue: StoreValue) {
    guard let pair = [Int](storeValue: storeValue), pair.count == 2 else { return nil }
    self.init(x: pair[0], y: pair[1])
  }
}

struct Drawing: StoreItem {
  @StoreParam(key: "title", default: "untitled") var title
  @StoreParam(key: "colour", default: Colour.red) var colour
  @StoreParam(key: "points", default: []) var points: [Point]
}

final class DrawingStore: SimpleStore<Drawing>, @unchecked Sendable {
  static let shared = DrawingStore(.memory)
  func clear() { self.points.removeAll() }
}

/// A place of the client's own.
struct DictionaryBackend: StoreBackend {
  let identity = StoreIdentity()
  let memory = MemoryBackend()

  func load() throws(SimpleStore::StoreError) -> StoreDocument? { try memory.load() }
  func save(_ document: StoreDocument) throws(SimpleStore::StoreError) {
    try memory.save(document)
  }
}

struct ConsumerTests {
  @Test func `a client declares, subclasses and stores with public names only`() throws {
    DrawingStore.shared[\.points].append(Point(x: 1, y: 2))
    #expect(DrawingStore.shared.points == [Point(x: 1, y: 2)])
    DrawingStore.shared.clear()
    #expect(DrawingStore.shared.points.isEmpty)

    let backend = DictionaryBackend()
    let store = SimpleStore<Drawing>(backend, defaults: .omitted)
    store.colour = .green
    #expect(try backend.load() == ["colour": .string("green")])
    #expect(store.saveError == nil)
  }

  @Test func `an error can be told from a client's own of the same name`() {
    let refused: SimpleStore::StoreError.Code = .unwritable
    let store = SimpleStore<Drawing>(.memory)
    do throws(SimpleStore::StoreError) {
      try store.set(\.title, to: "t")
    } catch {
      #expect(error.code == refused)
    }
    #expect(store.title == "t")
  }

  @Test func `a backend that is chosen while the program runs can be passed`() {
    let backends: [any StoreBackend] = [.memory, DictionaryBackend()]
    for backend in backends {
      let store = SimpleStore<Drawing>(backend)
      store.title = "t"
      #expect(store.title == "t")
    }
  }
}
