import Foundation
import SimpleStore
import Synchronization
import TestSupport
import Testing

/// Changes inside changes: of fields inside fields, and of stores inside their own batches.
struct NestedChangeTests {
  struct Window: StoreItem {
    @StoreParam(key: "width", default: 800) var width
    @StoreParam(key: "title", default: "") var title
  }
  struct Screen: StoreItem {
    @StoreParam(key: "width", default: 1) var width
    @StoreParam(key: "window", default: Window()) var window
    @StoreParam(key: "name", default: "") var name
  }

  @Test(arguments: BackendKind.allCases)
  func `resetting a declaration inside an item resets that one, not its namesake`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<Screen>(place.backend)
    store.batchUpdate {
      $0.width = 2
      $0.window.width = 300
      $0.window.title = "t"
    }
    store.reset(\.window.$width)
    #expect(store.window.width == 800)
    #expect(store.window.title == "t")
    #expect(store.width == 2)
    #expect(try place.stored()?["width"] == .integer(2))
    store.reset(\.$width)
    #expect(try place.stored()?["width"] == .integer(1))
  }

  @Test(arguments: BackendKind.allCases)
  func `setting a field back to what the batch began with is a change if an inner save set it`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<Screen>(place.backend)
    store.width = 7
    store.batchUpdate { screen in
      store.width = 5
      screen.width = 7
    }
    #expect(store.width == 7)
    #expect(try place.stored()?["width"] == .integer(7))
    // And what the batch does not set stays.
    store.batchUpdate { screen in
      store.width = 9
      screen.name = "n"
    }
    #expect(store.width == 9)
    #expect(try place.stored()?["width"] == .integer(9))
    #expect(try place.stored()?["name"] == .string("n"))
  }

  @Test(arguments: BackendKind.files)
  func `a store that works again inside a batch saves under the lock`(_ kind: BackendKind) throws {
    let place = kind.place()
    try place.put(["name": .string("old"), "width": .integer(3)])
    let good = try Data(contentsOf: place.file)
    // A directory there is not absent and not damaged: it cannot be read.
    try FileManager.default.removeItem(at: place.file)
    try FileManager.default.createDirectory(at: place.file, withIntermediateDirectories: false)
    let store = SimpleStore<Screen>(place.backend)
    guard case .failed = store.loadState else {
      Issue.record("\(store.loadState)")
      return
    }
    try FileManager.default.removeItem(at: place.file)
    try good.write(to: place.file)
    try store.update { screen in
      try store.reload()
      // Another program, which the lock would have kept waiting had the batch been able to take it.
      try place.put(["name": .string("theirs"), "width": .integer(4)])
      screen.window.width = 5
    }
    let stored = try place.stored()
    #expect(stored?["name"] == .string("theirs"))
    #expect(stored?["width"] == .integer(4))
    #expect(store.name == "theirs")
    #expect(SimpleStore<Screen>(kind.backend(at: place.file)).window.width == 5)
  }

  /// Reads a store when it ends, as a helper object may.
  private final class Reader: Sendable {
    let store: SimpleStore<Holder>
    init(_ store: SimpleStore<Holder>) { self.store = store }
    deinit { _ = store.count }
  }
  struct Holder: StoreItem {
    @StoreParam(key: "count", default: 0) var count
    var helper: (any Sendable)?
  }

  @Test func `what a plain property holds may read the store when it ends`() {
    let store = SimpleStore<Holder>(.memory)
    for _ in 0..<3 {
      store.helper = Reader(store)
      store.helper = nil
    }
    #expect(store.helper == nil)
    #expect(store.saveError == nil)
  }

  @Test(arguments: BackendKind.allCases)
  func `a report of wrong values inside items says only what is so now`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    // No key is missing, so nothing else keeps the report alive.
    try place.put([
      "width": .integer(1),
      "window": .dictionary(["width": .string("wide"), "title": .string("t")]),
      "name": .string("a"),
    ])
    let store = SimpleStore<Screen>(place.backend)
    #expect(store.loadReport.nestedWrongTypes.map(\.path) == ["window.width"])
    for number in 0..<3 { store.window.title = "t\(number)" }
    #expect(store.loadReport.nestedWrongTypes.map(\.path) == ["window.width"])
    store.window.width = 5
    #expect(store.loadReport.nestedWrongTypes.isEmpty)
  }
}
