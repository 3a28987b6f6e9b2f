import SimpleCache
import SimpleStore
import Testing

/// Stores and caches in `async` functions, where optimised code took a lock for the thread that it was on
/// before an `await`.
struct AwaitingTests {
  private struct Person: StoreItem {
    @StoreParam(key: "age", default: 0) var age
  }

  private final class Reader: Sendable {
    let store = SimpleStore<Person>(.memory)
    let memory = MemoryLevel<Int, Int>()
    let count = Guarded(0)

    func read(_ flag: Bool) async -> Int {
      if flag {
        await Task.yield()
        return store.age
      } else {
        await Task.yield()
        return store.age
      }
    }

    func look(_ flag: Bool) async -> Int? {
      if flag {
        await Task.yield()
        return memory[1]
      } else {
        await Task.yield()
        return memory[1]
      }
    }

    func add(_ flag: Bool) async {
      if flag {
        await Task.yield()
        count.withLock { $0 += 1 }
      } else {
        await Task.yield()
        count.withLock { $0 += 1 }
      }
    }
  }

  @Test func `what is locked after an await is locked for the thread that goes on`() async {
    let reader = Reader()
    reader.memory[1] = 7
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for turn in 0..<2000 {
            let flag = (task + turn).isMultiple(of: 2)
            if await reader.read(flag) != 0 { Issue.record("a wrong age") }
            if await reader.look(flag) != 7 { Issue.record("a wrong value") }
            await reader.add(flag)
          }
        }
      }
    }
    #expect(reader.count.withLock { $0 } == 16_000)
  }
}
