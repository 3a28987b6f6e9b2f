import FileSupport
import Foundation
import SimpleStore
import Synchronization
import TestSupport
import Testing

/// What a save that returned survives, when the disk makes trouble.
@Suite struct DurabilityTests {
  /// A disk on which directories cannot be synchronized while it says so.
  private final class Disk: Sendable {
    private let state = Mutex((isBroken: true, synchronizations: 0))

    var isBroken: Bool {
      get { state.withLock { $0.isBroken } }
      set { state.withLock { $0.isBroken = newValue } }
    }
    /// How often a directory was synchronized.
    var synchronizations: Int { state.withLock { $0.synchronizations } }

    var calls: FileCalls {
      var calls = FileCalls.system
      calls.synchronize = { [self] descriptor in
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return 0 }
        return state.withLock { state in
          if state.isBroken { return -EIO }
          state.synchronizations += 1
          return 0
        }
      }
      return calls
    }
  }

  @Test(arguments: [false, true])
  func `a save whose directory could not be synchronized is not called done by the next one`(
    inNewDirectory: Bool
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.file(inNewDirectory ? "new/settings.json" : "settings.json")
    let disk = Disk()
    let store = SimpleStore<Settings>(
      FileBackend(
        path: file.systemPath, format: .json, durability: .durable, calls: disk.calls))
    for _ in 0..<2 {
      let error = failure { () throws(StoreError) in try store.set(\.name, to: "x") }
      #expect(error?.code == .unwritable)
      #expect(error?.systemError == EIO)
      // It is in place, which is why nothing would be left to write.
      #expect(try BackendKind.json.document(in: file)?["name"] == .string("x"))
    }
    #expect(disk.synchronizations == 0)
    disk.isBroken = false
    try store.set(\.name, to: "x")
    #expect(disk.synchronizations == (inNewDirectory ? 2 : 1))
    #expect(store.name == "x")
  }

  @Test func `a save that may not survive a power cut is not shown before the store looks again`()
    throws
  {
    let folder = TemporaryFolder()
    let file = folder.file("settings.json")
    let disk = Disk()
    let store = SimpleStore<Settings>(
      FileBackend(
        path: file.systemPath, format: .json, durability: .durable, calls: disk.calls))
    let told = Mutex<[String]>([])
    let observation = store.observe(\.name) { _, new in told.withLock { $0.append(new) } }
    defer { observation.cancel() }
    let error = failure { () throws(StoreError) in try store.set(\.name, to: "new") }
    #expect(error?.isAfterTheFact == true)
    // As after every save that failed: the value is the old one, and nobody was told.
    #expect(store.name == "")
    #expect(store.saveError != nil)
    #expect(told.withLock { $0 } == [])
    // But the file has the new one, and that is what the next look finds.
    #expect(try BackendKind.json.document(in: file)?["name"] == .string("new"))
    try store.reload()
    #expect(store.name == "new")
    #expect(told.withLock { $0 } == ["new"])
  }
}
