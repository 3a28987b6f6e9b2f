import Foundation
import SimpleStore
import TestSupport
import Testing

/// What nesting costs on a thread with a small stack, in builds without optimisation too.
@Suite struct StackTests {
  /// The deepest that may be stored: the value is at depth 2 of its document.
  static func deepest(_ dictionaries: Bool) -> StoreDocument {
    ["value": Raw.nested(FormatLimits.depth - 1, dictionaries: dictionaries)]
  }

  @Test(arguments: BackendKind.files, [false, true])
  func `the deepest document is written and read on a small stack`(
    _ kind: BackendKind, _ dictionaries: Bool
  ) throws {
    let document = Self.deepest(dictionaries)
    let bytes = try kind.format.encode(document)
    let writing = stackUse {
      #expect(throws: Never.self) { try kind.format.encode(document) }
    }
    let reading = stackUse {
      #expect(throws: Never.self) { try kind.format.decode(bytes) }
    }
    print("stack use, \(kind.rawValue), dictionaries \(dictionaries): \(writing), \(reading)")
  }

  @Test(arguments: [false, true])
  func `the deepest documents are compared on a small stack`(_ dictionaries: Bool) {
    let (one, other) = (Self.deepest(dictionaries), Self.deepest(dictionaries))
    let use = stackUse { #expect(one == other) }
    print("stack use, ==, \(dictionaries): \(use)")
  }

  @Test(arguments: BackendKind.allCases)
  func `a store saves and reads the deepest value on a small stack`(_ kind: BackendKind) throws {
    let place = kind.place()
    let use = stackUse {
      let store = SimpleStore<RawItem>(place.backend)
      let value = Raw(Raw.nested(FormatLimits.depth - 1))
      #expect(throws: Never.self) { try store.set(\.value, to: value) }
      #expect(throws: Never.self) { try store.reload() }
      store.batchUpdate { $0.name = "sky" }
    }
    print("stack use, store on \(kind.rawValue): \(use)")
    #expect(try place.stored()?["value"] == Raw.nested(FormatLimits.depth - 1))
  }

  @Test(arguments: BackendKind.allCases)
  func `a value nested too deep is refused on every backend, and others are saved`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    let store = SimpleStore<RawItem>(place.backend)
    for depth in [FormatLimits.depth, 1000, 3000] {
      for dictionaries in [false, true] {
        #expect {
          try store.set(\.value, to: Raw(Raw.nested(depth, dictionaries: dictionaries)))
        } throws: { error in
          let error = error as? StoreError
          return error?.code == .invalidValue && error?.key == "value"
        }
      }
    }
    if kind == .memory {
      // The same part twice in each level: nothing is encoded, and still it ends.
      let bomb = (0..<60).reduce(StoreValue.integer(1)) { value, _ in .array([value, value]) }
      #expect(throws: StoreError.self) { try store.set(\.value, to: Raw(bomb)) }
    }
    #expect(store.value.storeValue == .null)
    try store.set(\.name, to: "sky")
    #expect(try place.stored()?["name"] == .string("sky"))
  }

  indirect enum Tree: StoreCodable, Hashable {
    case leaf(Int)
    case branch(Tree)
  }
  struct TreeItem: StoreItem {
    @StoreParam(key: "tree", default: Tree.leaf(0)) var tree
    @StoreParam(key: "forest", default: Forest(trees: [])) var forest
  }
  /// A set, which is stored sorted, so that its elements are compared.
  struct Forest: StoreCodable, Equatable {
    var trees: Set<Tree>
  }
  static func tree(_ depth: Int, _ leaf: Int) -> Tree {
    (0..<depth).reduce(.leaf(leaf)) { tree, _ in .branch(tree) }
  }

  @Test func `a type that encodes itself in itself is stored on a small stack`() throws {
    // Each case is two levels.
    let tree = Self.tree(FormatLimits.depth / 2 - 2, 1)
    let forest = Forest(trees: [
      Self.tree(FormatLimits.depth / 2 - 3, 1), Self.tree(FormatLimits.depth / 2 - 3, 2),
    ])
    let use = stackUse {
      let store = SimpleStore<TreeItem>(.memory)
      #expect(throws: Never.self) { try store.set(\.tree, to: tree) }
      #expect(throws: Never.self) { try store.set(\.forest, to: forest) }
      #expect(throws: Never.self) { try store.reload() }
      #expect(store.tree == tree)
      #expect(store.forest == forest)
    }
    print("stack use, Codable: \(use)")
  }
}
