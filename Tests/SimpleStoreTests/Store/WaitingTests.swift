import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// Whoever would wait for ever gets an answer instead.
struct WaitingTests {
  /// Two stores whose path is one link, which leads to another file when the second one is opened.
  private func stores(
    _ kind: BackendKind
  ) throws -> (place: BackendPlace, first: SimpleStore<User>, second: SimpleStore<User>) {
    let place = kind.place()
    let link = place.folder.file("link." + place.file.pathExtension)
    let other = place.folder.file("other." + place.file.pathExtension)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: other)
    let first = SimpleStore<User>(kind.backend(at: link))
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place.file)
    return (place, first, SimpleStore<User>(kind.backend(at: link)))
  }

  @Test(arguments: BackendKind.files)
  func `a store whose link leads elsewhere now says so inside a change of that file`(
    _ kind: BackendKind
  ) throws {
    let (place, first, second) = try stores(kind)
    second.batchUpdate { user in
      user.name = "sky"
      #expect {
        try first.set(\.age, to: 1)
      } throws: { error in
        let error = error as? StoreError
        return error?.code == .unwritable && error?.systemError == EDEADLK
          && "\(error!)".contains("one after the other")
      }
      #expect(first.age == 0)
    }
    #expect(second.saveError == nil)
    // One after the other both are saved, though neither knows of the other.
    try first.set(\.age, to: 1)
    try second.set(\.name, to: "yks")
    #expect(try place.stored()?["age"] == .integer(1))
    #expect(try place.stored()?["name"] == .string("yks"))
  }

  @Test(arguments: BackendKind.files)
  func `such stores on several threads wait for each other and lose nothing`(
    _ kind: BackendKind
  ) async throws {
    let (place, first, second) = try stores(kind)
    await withTaskGroup { group in
      group.addTask { for _ in 0..<50 { first.age += 1 } }
      group.addTask { for _ in 0..<50 { second.batchUpdate { $0.age += 1 } } }
    }
    #expect(try place.stored()?["age"] == .integer(100))
  }

  @Test(arguments: BackendKind.allCases)
  func `a copy into the place that is being changed waits for nobody`(_ kind: BackendKind) throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    store.batchUpdate { user in
      #expect(throws: Never.self) {
        try StoreDocument.copy(from: MemoryBackend(["age": .integer(7)]), to: place.backend)
      }
      #expect(store.age == 7)
      user.name = "sky"
    }
    #expect(store.saveError == nil)
    #expect(try place.stored()?["age"] == .integer(7))
    #expect(try place.stored()?["name"] == .string("sky"))
    #expect(throws: StoreError.self) {
      try StoreDocument.copy(from: MemoryBackend(["age": .integer(8)]), to: place.backend)
    }
  }

  @Test func `two threads that change two stores crosswise end with a sentence, not never`()
    async throws
  {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (one, other) = (SimpleStore<User>(.memory), SimpleStore<User>(.memory))
        let inside = Counter()
        @Sendable func change(_ outer: SimpleStore<User>, _ inner: SimpleStore<User>) {
          outer.batchUpdate { _ in
            inside.add()
            while inside.value < 2 { sched_yield() }
            inner.age = 1
          }
        }
        await withTaskGroup { group in
          group.addTask { change(one, other) }
          group.addTask { change(other, one) }
        }
      })
    // In optimised builds too.
    let output = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("two threads would wait for each other for ever"), "\(output)")
  }

  @Test func `stores that are changed in one order never meet`() async {
    let (one, other) = (SimpleStore<User>(.memory), SimpleStore<User>(.memory))
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            one.batchUpdate { user in
              user.age += 1
              other.age += 1
            }
          }
        }
      }
    }
    #expect(one.age == 800 && other.age == 800)
  }

  @Test func `the end of a program waits for a change that never ends only so long`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      ExitSaving.limit.withLock { $0 = .milliseconds(100) }
      let store = SimpleStore<User>(.memory, saving: .coalesced(.seconds(1000)))
      store.age = 1
      let isInside = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        store.batchUpdate { _ in
          isInside.signal()
          DispatchSemaphore(value: 0).wait()
        }
      }
      isInside.wait()
      exit(7)
    }
  }

  @Test func `a program that ends inside a change saves what waited`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("settings.json").systemPath
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let store = SimpleStore<User>(
        .json(at: URL(filePath: path)), saving: .coalesced(.seconds(1000)))
      store.age = 1
      store.batchUpdate { _ in exit(7) }
    }
    let saved = try BackendKind.json.format.decode(folder.file("settings.json").bytes)
    #expect(saved["age"] == .integer(1))
  }
}
