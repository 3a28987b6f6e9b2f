import Foundation
import SimpleStore
import Synchronization
import TestSupport
import Testing

/// What a change leaves in the store and in what is stored, on every backend.
struct WritingTests {
  @Test(arguments: BackendKind.allCases)
  func `an assignment is stored when it returns`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    store[\.name] = "sky"
    #expect(store[\.name] == "sky")
    #expect(store.name == "sky")
    #expect(try place.stored()?["name"] == .string("sky"))
    #expect(store.saveError == nil)
  }

  @Test(arguments: BackendKind.allCases)
  func `a save writes every field in order of declaration, except nil that means nil`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    SimpleStore<User>(place.backend)[\.age] = 7
    #expect(try place.stored()?.keys == ["name", "age", "gender", "tags"])
  }

  @Test(arguments: BackendKind.allCases)
  func `a fresh store reads what another one wrote`(_ kind: BackendKind) throws {
    let place = kind.place()
    do {
      let store = SimpleStore<User>(place.backend)
      store.batchUpdate {
        $0.name = "yks"
        $0.age = 81
        $0.gender = .female
        $0.nickname = "y"
        $0.tags = ["a", "b"]
      }
    }
    let fresh = SimpleStore<User>(place.backend)
    #expect(fresh.name == "yks")
    #expect(fresh.age == 81)
    #expect(fresh.gender == .female)
    #expect(fresh.nickname == "y")
    #expect(fresh.tags == ["a", "b"])
    #expect(fresh.greeting == "Hello, yks")
    #expect(fresh[\.greeting] == "Hello, yks")
  }

  @Test func `a change in place is one save`() {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    store.age += 1
    store[\.tags].append("x")
    store.item.name = "sky"
    #expect(backend.saves == 3)
    #expect(backend.document?["age"] == .integer(1))
    #expect(backend.document?["tags"] == .array([.string("x")]))
    #expect(store.item.name == "sky")
  }

  @Test func `a batch is one save`() {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    let result = store.batchUpdate { user in
      user.name = "yks"
      user.age = 81
      return "done"
    }
    #expect(result == "done")
    #expect(backend.saves == 1)
  }

  @Test func `nothing is saved when nothing changes`() throws {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    store.name = ""
    store.item = User()
    store.batchUpdate { _ in }
    store.reset()
    store.reset(\.$age)
    #expect(backend.saves == 0)
    store.name = "sky"
    store.name = "sky"
    try store.set(\.name, to: "sky")
    store.batchUpdate {
      $0.name = "other"
      $0.name = "sky"
    }
    try store.update { $0.age += 0 }
    try store.save()
    #expect(backend.saves == 1)
  }

  @Test func `a closure that throws changes nothing`() {
    struct Stop: Error {}
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    #expect(throws: Stop.self) {
      try store.batchUpdate { user throws(Stop) in
        user.name = "half"
        throw Stop()
      }
    }
    #expect(throws: Stop.self) {
      try store.update { user in
        user.name = "half"
        throw Stop()
      }
    }
    #expect(store.name == "")
    #expect(backend.saves == 0)
    store.name = "whole"
    #expect(store.name == "whole")
  }

  @Test func `a failed save changes nothing and is reported`() throws {
    let backend = RecordingBackend()
    let reported = Mutex<[StoreError]>([])
    let store = SimpleStore<User>(backend) { error in reported.withLock { $0.append(error) } }
    store.name = "old"
    backend.saveError = StoreError(.unwritable, "no room")

    store.name = "new"
    #expect(store.name == "old")
    #expect(store.saveError?.code == .unwritable)
    #expect(reported.withLock { $0.count } == 1)
    #expect(throws: StoreError.self) { try store.set(\.name, to: "new") }
    #expect(throws: StoreError.self) { try store.update { $0.age = 3 } }
    #expect(throws: Never.self) { try store.save() }
    #expect(store.item.age == 0)
    #expect(backend.document?["name"] == .string("old"))

    backend.saveError = nil
    store.name = "new"
    #expect(store.name == "new")
    #expect(store.saveError == nil)
  }

  @Test func `a batch runs although the store cannot be locked, and says that it was not saved`() {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    backend.lockError = StoreError(.unwritable, "locked out")
    let result = store.batchUpdate { user in
      user.name = "sky"
      return 42
    }
    #expect(result == 42)
    #expect(store.name == "")
    #expect(store.saveError?.code == .unwritable)
    store.batchUpdate { _ in }
    #expect(backend.saves == 0)
  }

  @Test(arguments: BackendKind.allCases)
  func `reset brings back the defaults`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    store.batchUpdate {
      $0.name = "sky"
      $0.age = 7
      $0.nickname = "s"
    }
    store.reset(\.$name)
    #expect(store.name == "")
    #expect(store.age == 7)
    store.reset()
    #expect(store.age == 0)
    #expect(store.nickname == nil)
    #expect(try place.stored()?["age"] == .integer(0))
    #expect(try place.stored()?["nickname"] == nil)
  }

  @Test(arguments: BackendKind.allCases)
  func `omitted defaults are written only over what was there, and reset removes them`(
    _ kind: BackendKind
  ) throws {
    let place = kind.place()
    try place.put(["age": .integer(0), "future": .bool(true)])
    let store = SimpleStore<User>(place.backend, defaults: .omitted)
    store.name = "sky"
    #expect(try place.stored()?.keys == ["age", "future", "name"])
    store.name = ""
    #expect(try place.stored()?.keys == ["age", "future", "name"])
    store.reset(\.$age)
    #expect(try place.stored()?.keys == ["future", "name"])
    store.reset()
    #expect(try place.stored()?.keys == ["future"])
  }

  @Test(arguments: BackendKind.allCases)
  func `save writes a store that is not there`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    #expect(try place.stored() == nil)
    try store.save()
    #expect(try place.stored()?.keys == ["name", "age", "gender", "tags"])
  }

  @Test func `a store can be used from inside its own batch`() {
    let backend = RecordingBackend()
    let store = SimpleStore<User>(backend)
    store.age = 1
    store.batchUpdate { user in
      user.name = "outer"
      store.age = 5
      store.batchUpdate { $0.nickname = "inner" }
      #expect(store.name == "")
      #expect(store.age == 5)
      #expect(user.age == 1)
    }
    #expect(store.name == "outer")
    #expect(store.age == 5)
    #expect(store.nickname == "inner")
    #expect(backend.document?["age"] == .integer(5))
  }

  @Test func `a subclass with a shared instance is a store`() {
    UserManager.shared.celebrateBirthday()
    #expect(UserManager.shared.age == 1)
  }
}

final class UserManager: SimpleStore<User>, @unchecked Sendable {
  static let shared = UserManager(.memory)
  func celebrateBirthday() { self.age += 1 }
}
