import Foundation
import SimpleStore
import TestSupport
import Testing

/// Stores on one place know the same.
struct SharingTests {
  @Test(arguments: BackendKind.allCases)
  func `what one store saves another reads at once`(_ kind: BackendKind) throws {
    let place = kind.place()
    let users = SimpleStore<User>(place.backend)
    let accounts = SimpleStore<Account>(place.backend)
    users.name = "sky"
    #expect(accounts.name == "sky")
    accounts.quota = 5
    accounts.name = "yks"
    #expect(users.name == "yks")
    #expect(try place.stored()?["quota"] == .integer(5))
    #expect(try place.stored()?["name"] == .string("yks"))
  }

  @Test func `stores on one place show a change together`() async {
    let backend = MemoryBackend()
    let (one, other) = (SimpleStore<User>(backend), SimpleStore<User>(backend))
    let ends = Counter()
    let mistakes = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        // Both are the one that saves, and the one that is told.
        for _ in 0..<3000 {
          one.age += 1
          other.age += 1
        }
        ends.add()
        return 0
      }
      for _ in 0..<2 {
        group.addTask {
          var mistakes = 0
          while ends.value == 0 {
            // It only grows, so what is read later is never less.
            let first = one.age
            let second = other.age
            let third = one.age
            if second < first || third < second { mistakes += 1 }
          }
          return mistakes
        }
      }
      return await group.reduce(0, +)
    }
    #expect(mistakes == 0)
    #expect(one.age == 6000 && other.age == 6000)
  }

  @Test func `a hundred stores on one place all see a change`() {
    let backend = MemoryBackend()
    let stores = (0..<100).map { _ in SimpleStore<User>(backend) }
    stores[70].age = 7
    #expect(stores.allSatisfy { $0.age == 7 })
  }

  @Test(arguments: BackendKind.files)
  func `spellings of one path are one file`(_ kind: BackendKind) throws {
    let place = kind.place()
    let folder = place.folder
    let link = folder.file("link." + place.file.pathExtension)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place.file)
    let dotted = folder.file("x/../" + place.file.lastPathComponent)
    try FileManager.default.createDirectory(
      at: folder.file("x"), withIntermediateDirectories: true)
    let open = { (url: URL) in SimpleStore<User>(kind.backend(at: url)) }
    let stores = [open(place.file), open(link), open(dotted)]
    stores[0].age = 1
    #expect(stores.map { $0.age } == [1, 1, 1])
    stores[1].age += 1
    stores[2].age += 1
    #expect(stores.map { $0.age } == [3, 3, 3])
    #expect(try place.stored()?["age"] == .integer(3))
    let type = try FileManager.default.attributesOfItem(atPath: link.systemPath)[.type]
    #expect(type as? FileAttributeType == .typeSymbolicLink)
  }

  @Test func `one file cannot be open in two formats`() throws {
    let folder = TemporaryFolder()
    let json = SimpleStore<User>(.json(at: folder.file("a")))
    json.name = "sky"
    let plist = SimpleStore<User>(.plist(at: folder.file("a")))
    guard case .failed(let error) = plist.loadState, error.code == .formatConflict else {
      Issue.record("\(plist.loadState)")
      return
    }
    plist.name = "lost?"
    #expect(plist.saveError?.code == .formatConflict)
    #expect(try folder.file("a").text.contains("sky"))
  }

  @Test(arguments: BackendKind.allCases)
  func `threads lose no increment`(_ kind: BackendKind) async throws {
    let place = kind.place()
    let store = SimpleStore<User>(place.backend)
    let other = SimpleStore<Account>(place.backend)
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            if task.isMultiple(of: 2) {
              store.age += 1
            } else {
              store.batchUpdate { $0.age += 1 }
            }
            other.batchUpdate { $0.quota += 1 }
          }
        }
      }
    }
    #expect(store.age == 200)
    #expect(other.quota == 300)
    #expect(try place.stored()?["age"] == .integer(200))
    #expect(try place.stored()?["quota"] == .integer(300))
  }
}
