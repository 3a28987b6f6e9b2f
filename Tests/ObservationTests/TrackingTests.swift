import Observation
import SimpleStore
import TestSupport
import Testing

/// The Observation framework.
struct TrackingTests {
  @Test(arguments: BackendKind.allCases)
  func `a tracked read is woken once, with the new value readable`(_ kind: BackendKind) {
    let store = SimpleStore<User>(kind.place().backend)
    let seen = Recorder<String>()
    let track = { (read: () -> Void) in
      withObservationTracking(read) { seen.add(store.name) }
    }
    track { _ = store.name }
    store.name = "a"
    store.name = "b"
    #expect(seen.all == ["a"])
    track { _ = store[\.name] }
    store.name = "c"
    track { _ = store.item }
    store.name = "d"
    #expect(seen.all == ["a", "c", "d"])
  }

  @Test func `nothing wakes a reader that is not on disk or changes nothing`() {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    let seen = Recorder<String>()
    withObservationTracking {
      _ = store.name
    } onChange: {
      seen.add(store.name)
    }
    backend.saveError = .sample
    store.name = "lost"
    backend.saveError = nil
    store.batchUpdate {
      $0.name = "x"
      $0.name = ""
    }
    #expect(seen.all == [])
    store.name = "sky"
    #expect(seen.all == ["sky"])
  }

  @Test func `writing inside a tracked scope is no read`() {
    let store = SimpleStore<User>(.memory)
    let seen = Recorder<Int>()
    withObservationTracking {
      store.name = "a"
      store.age += 1
      store.reset(\.$age)
    } onChange: {
      seen.add(1)
    }
    store.name = "b"
    #expect(seen.all == [])
  }

  @Test func `changes of other stores and from outside wake a reader`() throws {
    let place = BackendKind.json.place()
    let store = SimpleStore<User>(place.backend)
    let other = SimpleStore<User>(place.backend)
    let seen = Recorder<String>()
    withObservationTracking {
      _ = store.name
    } onChange: {
      seen.add(store.name)
    }
    other.name = "a"
    withObservationTracking {
      _ = store.name
    } onChange: {
      seen.add(store.name)
    }
    try place.put(["name": .string("b")])
    try store.reload()
    #expect(seen.all == ["a", "b"])
  }

  @Test @MainActor func `Observations follow a store`() async {
    let store = SimpleStore<User>(.memory)
    let values = Observations<Int, Never> { store.age }
    var reader = values.makeAsyncIterator()
    #expect(await reader.next() == 0)
    for age in 1...20 {
      store.age = age
      #expect(await reader.next() == age)
    }
  }
}
