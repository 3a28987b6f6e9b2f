import CacheTestSupport
import FileSupport
import Foundation
import SimpleCache
import SimpleStore
import TestSupport
import Testing

/// The tally of a folder that several levels share, whatever comes between two of their steps.
@Suite struct DiskTallyTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `what a read removed is not taken off again after another's look`() async throws {
    let one = level(countLimit: 10)
    for n in 0..<10 { try await one.set("v", forKey: "\(n)", expiry: .seconds(1)) }
    time.advance(by: .seconds(2))
    for n in 0..<10 { #expect(one["\(n)"] == nil) }
    #expect(try await level(countLimit: 10).count == 0)
    for n in 0..<30 { one["n\(n)"] = "v" }
    #expect(try files.count <= 10)
  }

  @Test func `what another's read removed and one sets again counts once`() async throws {
    let (one, two) = (level(countLimit: 100), level(countLimit: 100))
    for n in 0..<99 { one["\(n)"] = "v" }
    try await one.set("v", forKey: "a", expiry: .seconds(1))
    #expect(try await two.count == 100)
    one["0"] = "w"  // the last that changed
    time.advance(by: .seconds(2))
    #expect(two["a"] == nil)
    one["a"] = "2"
    two["d"] = "v"
    #expect(try files.count <= 100)
  }

  @Test func `what is evicted and found expired at once is taken off once`() async throws {
    let hook = Guarded<(@Sendable () -> Void)?>(nil)
    var calls = DiskCalls.system
    calls.file.unlinkAt = { [system = calls.file.unlinkAt] directory, name, flags in
      let run = hook.withLock { h in
        let x = h; h = nil; return x
      }
      run?()
      return system(directory, name, flags)
    }
    let (one, two) = (level(countLimit: 5), level(countLimit: 5, calls: calls))
    try await one.set("v", forKey: "a", expiry: .seconds(1))
    for key in ["b", "c", "d", "e"] { one[key] = "v" }
    #expect(try await two.count == 5)
    time.advance(by: .seconds(2))
    hook.withLock { $0 = { _ = one["a"] } }
    two["f"] = "v"
    one["g"] = "v"
    #expect(try files.count <= 5)
  }

  @Test func `what a read removed makes room for others`() async throws {
    let (one, two) = (level(countLimit: 2), level(countLimit: 2))
    try await one.set("1", forKey: "a", expiry: .seconds(1))
    two["b"] = "1"
    #expect(try await one.count == 2)
    time.advance(by: .seconds(2))
    #expect(one["a"] == nil)
    two["c"] = "1"
    #expect(two["b"] == "1")
    #expect(two.statistics.evictions == 0)
  }

  @Test func `a process that was stopped does not hide what others did meanwhile`() async throws {
    let hook = Guarded<(@Sendable () -> Void)?>(nil)
    var calls = DiskCalls.system
    calls.file.renameAt = { [system = calls.file.renameAt] a, b, c in
      let run = hook.withLock { h in
        let x = h; h = nil; return x
      }
      run?()
      return system(a, b, c)
    }
    var quick = DiskCalls.system
    quick.pause = { _ in }
    let (one, two) = (level(countLimit: 5, calls: calls), level(countLimit: 5, calls: quick))
    one["a"] = "v"
    two["b"] = "v"
    hook.withLock { $0 = { for n in 0..<10 { two["t\(n)"] = "v" } } }
    one["c"] = "v"
    for n in 0..<10 {
      one["o\(n)"] = "v"
    }
    #expect(try files.count <= 5)
  }

  @Test func `what had to go before a set failed is taken off once`() async throws {
    let fails = Guarded<Int>(-1)
    var calls = DiskCalls.system
    calls.file.unlinkAt = { [system = calls.file.unlinkAt] directory, name, flags in
      let fail = fails.withLock { f in
        if f < 0 || name.hasPrefix(".") { return false }
        if f == 0 { return true }
        f -= 1
        return false
      }
      return fail ? -EACCES : system(directory, name, flags)
    }
    let one = level(sizeLimit: 100, calls: calls)
    for n in 0..<10 { one["\(n)"] = "0123456789" }
    fails.withLock { $0 = 5 }
    one["big"] = String(repeating: "x", count: 100)
    #expect(one.statistics.errors > 0)
    fails.withLock { $0 = -1 }
    // Another level's look sees what is gone.
    #expect(try await level(sizeLimit: 100).sizeInBytes == 50)
    for n in 0..<15 { one["n\(n)"] = "0123456789" }
    #expect(try files.count <= 10)
  }

  @Test func `a tally that is removed under running levels comes back`() async throws {
    let one = level(countLimit: 10)
    for n in 0..<5 { one["\(n)"] = "v" }
    try FileManager.default.removeItem(at: folder.file("cache/.tally"))
    let two = level(countLimit: 10)
    for n in 0..<10 {
      one["o\(n)"] = "v"
      two["t\(n)"] = "v"
    }
    #expect(try files.count <= 10)
  }

  @Test func `a file that has got the number of an older one counts as what it is`() async throws {
    let (one, two) = (level(sizeLimit: 100), level(sizeLimit: 100))
    one["k"] = String(repeating: "x", count: 60)
    time.advance(by: .seconds(-10))
    two["k"] = "y"
    two["k"] = "z"
    for n in 0..<4 { two["f\(n)"] = String(repeating: "x", count: 24) }
    for n in 0..<8 {
      one["g\(n)"] = String(repeating: "x", count: 24)
      let s = try files.count
      #expect(s <= 5)
    }
  }

  @Test func `entries that cannot be opened count all the same`() async throws {
    let one = level(countLimit: 10)
    for n in 0..<10 { one["\(n)"] = "v" }
    let fail = Guarded(true)
    var calls = DiskCalls.system
    calls.file.openAt = { [system = calls.file.openAt] d, name, f, m in
      fail.withLock { $0 } && isEntry(name) ? -EMFILE : system(d, name, f, m)
    }
    let two = level(countLimit: 10, calls: calls)
    two["x"] = "v"
    fail.withLock { $0 = false }
    for n in 0..<5 { one["n\(n)"] = "v" }
    #expect(try files.count <= 10)
  }

  @Test func `what another has removed counts when it is set again`() async throws {
    let (one, two) = (level(countLimit: 5), level(countLimit: 5))
    for n in 0..<5 { one["\(n)"] = "v" }
    #expect(try await two.count == 5)
    for n in 0..<3 { two["\(n)"] = nil }
    one["4"] = "w"
    for n in 0..<3 { one["\(n)"] = "v" }
    for n in 0..<5 { one["n\(n)"] = "v" }
    #expect(try files.count <= 5)
  }

  @Test func `what another has emptied does not make more room than it took`() throws {
    let (one, two) = (level(sizeLimit: 100), level(sizeLimit: 100))
    one["a"] = String(repeating: "x", count: 90)
    two["a"] = ""
    one["b"] = "1"
    one["a"] = "0123456789"
    for n in 0..<15 { one["n\(n)"] = "0123456789" }
    #expect(try files.count <= 11)
  }

  @Test func `what another has set and one replaces counts once`() throws {
    let (one, two) = (level(countLimit: 3), level(countLimit: 3))
    one["a"] = "1"
    two["b"] = "1"
    one["c"] = "1"
    one["b"] = "2"
    two["a"] = "2"
    #expect(one.statistics.evictions + two.statistics.evictions == 0)
  }

  @Test func `where the tally cannot be written the limits hold by looks`() async throws {
    let looks = Guarded(0)
    var calls = DiskCalls.system
    calls.writeAt = { _, _, _, _ in -Int(ENOSPC) }
    calls.list = { [system = calls.list] d, n in
      looks.withLock { $0 += 1 }
      return system(d, &n)
    }
    let one = level(countLimit: 10, calls: calls)
    for n in 0..<20 {
      one["\(n)"] = "v"
      #expect(try files.count <= 10)
    }
    #expect(looks.withLock { $0 } > 0)
  }
}

private func isEntry(_ name: String) -> Bool { name.utf8.count == 32 }
