import Dispatch
import Foundation
import SimpleStore
import TestSupport
import Testing

/// Files that other programs write while a store watches them.
struct OtherProgramsTests {
  private func document(age: Int) -> StoreDocument {
    ["name": .string("sky"), "age": .integer(Int64(age))]
  }

  /// Has `write` set the age in a file from 1 to 2, and expects to hear of just that.
  private func expectOneChange(
    of kind: BackendKind, _ write: (BackendPlace) throws -> Void
  ) async throws {
    let place = kind.place()
    try place.put(document(age: 1))
    let store = SimpleStore<User>(place.backend, watching: true)
    let changes = Recorder<StoreChange<User>>()
    let observation = store.observe { changes.add($0) }
    try write(place)
    #expect(await eventually { store.age == 2 })
    #expect(await eventually { changes.all.map(\.keys) == [["age"]] })
    #expect(changes.all.map(\.origin) == [.outside])
    #expect(store.name == "sky")
    observation.cancel()
  }

  /// Runs a program on the place's file, and on another one that has the age 2 already.
  private func run(_ program: URL, _ arguments: [String], on place: BackendPlace) throws {
    let other = place.folder.file("other")
    try Data(place.kind.format.encode(document(age: 2))).write(to: other)
    let result = try TestSupport.run(
      program,
      arguments.map {
        switch $0 {
        case "FILE": place.file.systemPath
        case "OTHER": other.systemPath
        default: $0
        }
      })
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [
    ["sed", "-i", "s/1/2/", "FILE"], ["cp", "OTHER", "FILE"], ["mv", "OTHER", "FILE"],
    ["sh", "-c", "cat \"$0\" > \"$1\"", "OTHER", "FILE"],
  ])
  func `what programs do to a file is seen with the right keys`(_ command: [String]) async throws {
    let program = try #require(findProgram(command[0]), "POSIX systems have \(command[0])")
    try await expectOneChange(of: .json) { try run(program, Array(command.dropFirst()), on: $0) }
  }

  /// The `plutil` of Apple and of the Swift toolchain; the one of libplist can only convert.
  private static let plutil: URL? = {
    guard let program = findProgram("plutil") else { return nil }
    // Not lost: a program that does not run is not one to test with, and the test says so.
    guard let help = try? TestSupport.run(program, ["-help"]) else { return nil }
    return (help.output + help.errors).contains("-replace") ? program : nil
  }()

  @Test(.enabled(if: plutil != nil, "no plutil that can replace a value is on the PATH"))
  func `what plutil does to a file is seen with the right keys`() async throws {
    let program = try #require(Self.plutil)
    try await expectOneChange(of: .xmlPropertyList) {
      try run(program, ["-replace", "age", "-integer", "2", "FILE"], on: $0)
    }
  }

  /// How a program puts new bytes into a file: plutil does the first on Linux, the second on Apple
  /// platforms.
  enum Writing: CaseIterable { case inPlace, byRename }

  @Test(arguments: [BackendKind.xmlPropertyList, .binaryPropertyList], Writing.allCases)
  func `a property list that Foundation writes anew, as plutil does, is seen with the right keys`(
    _ kind: BackendKind, _ writing: Writing
  ) async throws {
    try await expectOneChange(of: kind) { place in
      let old = try PropertyListSerialization.propertyList(
        from: Data(contentsOf: place.file), options: [], format: nil)
      var list = try #require(old as? [String: Any])
      list["age"] = 2
      let data = try PropertyListSerialization.data(
        fromPropertyList: list, format: kind == .xmlPropertyList ? .xml : .binary, options: 0)
      switch writing {
      case .inPlace:
        let handle = try FileHandle(forWritingTo: place.file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
      case .byRename: try data.write(to: place.file, options: .atomic)
      }
    }
  }

  /// What the moments of two processes are measured by.
  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  @Test(arguments: ["settings.json", "settings.plist"], [false, true])
  func `edits of another process and own saves are told once each, in order`(
    _ name: String, whileSaving: Bool
  ) async throws {
    _ = try await lateEdits(200, name, whileSaving: whileSaving)
  }

  @Test(
    .disabled(
      if: Sanitizer.current != nil, "a program under a sanitizer is too slow to speak of 100 ms"),
    .serialized, arguments: ["settings.json", "settings.plist"], [false, true])
  func `a thousand edits of another process arrive within 100 ms, the last one always`(
    _ name: String, whileSaving: Bool
  ) async throws {
    // Once: this process has other tests to run, and may be too busy the first times.
    for _ in 0..<10 {
      let late = try await lateEdits(1000, name, whileSaving: whileSaving)
      if late.count <= 10 { return }
    }
    Issue.record("ten times, more than a hundredth of the edits came late")
  }

  /// Has another process make edits, and expects to hear of them.
  ///
  /// - Returns: The delays, in nanoseconds, of the edits that were told too late.
  private func lateEdits(
    _ count: Int, _ name: String, whileSaving: Bool
  ) async throws -> [Int64] {
    let folder = TemporaryFolder()
    let file = folder.file(name)
    let store = SimpleStore<User>(
      name.hasSuffix("json")
        ? .json(at: file, durability: .processCrash) : .plist(at: file, durability: .processCrash),
      watching: true)
    let changes = Recorder<(change: StoreChange<User>, time: UInt64)>()
    let observation = store.observe { changes.add(($0, Self.now)) }
    let editor = Task.detached {
      try TestSupport.run(productNamed: "SettingsEditor", [file.systemPath, "\(count)"])
    }
    let saves = whileSaving ? 100 : 0
    for save in 0..<saves {
      try store.set(\.name, to: "\(save)")
      await Task.yield()
    }
    let result = try await editor.value
    #expect(result.status == 0)
    #expect(await eventually { changes.all.contains { $0.change.new.age == count } })
    #expect(store.age == count)
    observation.cancel()
    let all = changes.all

    // No echo: what this store saved is told once, as its own, and nothing else is.
    let own = all.map(\.change).filter { $0.origin == .store }
    let outside = all.filter { $0.change.origin == .outside }
    #expect(own.map(\.new.name) == (0..<saves).map { "\($0)" })
    #expect(own.allSatisfy { $0.keys == ["name"] })
    #expect(outside.allSatisfy { $0.change.keys == ["age"] })
    #expect(own.count + outside.count == all.count)
    // In order, and each change begins where the one before ended.
    for (before, after) in zip(outside, outside.dropFirst()) {
      #expect(before.change.new.age == after.change.old.age)
      #expect(after.change.old.age < after.change.new.age)
    }
    // Each edit is told, by itself or with later ones, soon after the line that made it.
    let edits = result.output.split(separator: "\n").compactMap { UInt64($0) }
    #expect(edits.count == count)
    return edits.enumerated().compactMap { number, saved in
      guard let news = outside.first(where: { $0.change.new.age > number }) else {
        Issue.record("the edit \(number + 1) was never told")
        return nil
      }
      let delay = Int64(news.time) - Int64(saved)
      return delay > 100_000_000 ? delay : nil
    }
  }
}
