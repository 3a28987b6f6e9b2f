import Dispatch
import SimpleStore
import TestSupport
import Testing

/// Stores that are written inside a batch of another one: nothing is told while a lock is held.
struct NestedStoresTests {
  /// The ways to have the user's code run inside an edit.
  enum Edit: CaseIterable {
    case batch, update, modify, modifyItem

    func run(_ store: SimpleStore<User>, _ body: () -> Void) throws {
      switch self {
      case .batch:
        store.batchUpdate {
          $0.name += "x"
          body()
        }
      case .update:
        try store.update {
          $0.name += "x"
          body()
        }
      case .modify: change(&store.name, body)
      case .modifyItem: change(&store.item.name, body)
      }
    }

    private func change(_ name: inout String, _ body: () -> Void) {
      name += "x"
      body()
    }
  }

  @Test(arguments: BackendKind.allCases, Edit.allCases)
  func `a change inside a batch of another store is told after the batch`(
    _ kind: BackendKind, _ edit: Edit
  ) throws {
    let outer = SimpleStore<User>(kind.place().backend)
    let middle = SimpleStore<User>(kind.place().backend)
    let inner = SimpleStore<User>(kind.place().backend)
    let told = Recorder<String>()
    let observations = [
      outer.observe { _ in told.add("outer") }, middle.observe { _ in told.add("middle") },
      inner.observe { told.add("inner \($0.new.age)") },
    ]
    try edit.run(outer) {
      middle.batchUpdate {
        $0.age = 1
        inner.age = 1
        inner.age = 2
      }
      #expect(inner.age == 2)
      #expect(told.all == [])
    }
    #expect(told.all == ["inner 1", "inner 2", "middle", "outer"])
    // Nothing of it is left over.
    inner.age = 3
    #expect(told.all.last == "inner 3")
    observations.forEach { $0.cancel() }
  }

  @Test(arguments: BackendKind.allCases)
  func `an observer may wait for a thread that writes to the store of the batch`(
    _ kind: BackendKind
  ) {
    let outer = SimpleStore<User>(kind.place().backend)
    let inner = SimpleStore<User>(kind.place().backend)
    let mayWrite = DispatchSemaphore(value: 0)
    let hasWritten = DispatchSemaphore(value: 0)
    let writer = DispatchQueue(label: "writer")
    writer.async {
      mayWrite.wait()
      outer.name = "other thread"
      hasWritten.signal()
    }
    let results = Recorder<DispatchTimeoutResult>()
    let observation = inner.observe { _ in
      mayWrite.signal()
      results.add(hasWritten.wait(timeout: .now() + 10))
    }
    outer.batchUpdate {
      $0.age = 1
      inner.age = 1
    }
    #expect(results.all == [.success])
    #expect(outer.name == "other thread")
    #expect(outer.age == 1)
    observation.cancel()
    writer.sync {}
  }

  @Test func `a failed save inside a batch of another store is told after the batch`() {
    let outer = SimpleStore<User>(.memory)
    let backend = RecordingBackend()
    backend.saveError = .sample
    let told = Recorder<Int>()
    let inner = SimpleStore<User>(backend, onSaveError: { _ in told.add(outer.age) })
    outer.batchUpdate {
      $0.age = 1
      inner.age = 1
      #expect(inner.saveError != nil)
    }
    #expect(told.all == [1])
  }

  @Test func `a batch that throws still lets the changes of other stores be told`() {
    struct Stop: Error {}
    let outer = SimpleStore<User>(.memory)
    let inner = SimpleStore<User>(.memory)
    let told = Recorder<Int>()
    let observation = inner.observe { told.add($0.new.age) }
    #expect(throws: Stop.self) {
      try outer.batchUpdate { _ throws(Stop) in
        inner.age = 1
        throw Stop()
      }
    }
    #expect(told.all == [1])
    observation.cancel()
  }

  @Test func `a thread that is in no batch tells at once, whatever others hold`() {
    let outer = SimpleStore<User>(.memory)
    let inner = SimpleStore<User>(.memory)
    let told = Recorder<Int>()
    let observation = inner.observe { told.add($0.new.age) }
    let isIn = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let holder = DispatchQueue(label: "holder")
    holder.async {
      outer.batchUpdate { _ in
        isIn.signal()
        mayEnd.wait()
      }
    }
    isIn.wait()
    inner.age = 1
    #expect(told.all == [1])
    mayEnd.signal()
    holder.sync {}
    observation.cancel()
  }
}
