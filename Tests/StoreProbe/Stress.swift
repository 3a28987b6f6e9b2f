import Foundation
import SimpleStore

/// The same thing many times over; what the process uses is told before and after.
func stress(_ arguments: Arguments) throws {
  let count = try arguments.number(1)
  switch try arguments.text(0) {
  case "failing": try failingSaves(arguments, count)
  case "reloads": try reloads(arguments, count)
  case "mixed": try mixed(arguments, count)
  default: throw Arguments.Mistake(message: "stress failing, reloads or mixed")
  }
}

/// Saves that are larger than the shell that started this process lets a file become.
private func failingSaves(_ arguments: Arguments, _ count: Int) throws {
  let store = try arguments.open()
  let long = String(repeating: "x", count: 2000)
  var failed = 0
  try measured(arguments, count) { round in
    store.name = long + String(round)
    if store.saveError?.systemError == EFBIG { failed += 1 }
  }
  tell("failed \(failed)")
}

/// A damaged file that is read again and again, by one store and by new ones.
private func reloads(_ arguments: Arguments, _ count: Int) throws {
  let store = try arguments.open()
  var failed = 0
  try measured(arguments, count) { round in
    if round.isMultiple(of: 2) {
      do { try store.reload() } catch { failed += 1 }
    } else if case .damaged = try arguments.open().loadState {
      failed += 1
    }
  }
  tell("failed \(failed)")
}

/// Readers, writers and reloads on four threads; two fields are always saved together, so whoever
/// sees them differ has seen half a change.
private func mixed(_ arguments: Arguments, _ count: Int) throws {
  let store = try arguments.open()
  let other = try arguments.open()
  let halves = try withThreads(4, count) { thread, round in
    var item = store.item
    switch (thread + round) % 4 {
    case 0: store.batchUpdate { $0.setCount($0.count + 1) }
    case 1: other.note = "note \(round)"
    case 2: try store.reload()
    default: item = other.item
    }
    return item.count == 0 || item.name == "value \(item.count)" ? 0 : 1
  }
  tell("halves \(halves)")
}

private func withThreads(
  _ threads: Int, _ count: Int, _ body: @escaping @Sendable (Int, Int) throws -> Int
) throws -> Int {
  let results = Results()
  for thread in 0..<threads {
    Thread.detachNewThread {
      for round in 0..<count {
        results.add(Result { try body(thread, round) })
      }
      results.finish()
    }
  }
  return try results.wait(for: threads)
}

/// What the threads found.
///
/// `@unchecked Sendable`: everything is touched under the condition only.
private final class Results: @unchecked Sendable {
  private let condition = NSCondition()
  private var sum = 0
  private var finished = 0
  private var error: (any Error)?

  func add(_ result: Result<Int, any Error>) {
    condition.withLock {
      switch result {
      case .success(let number): sum += number
      case .failure(let failure): error = failure
      }
    }
  }

  func finish() {
    condition.withLock {
      finished += 1
      condition.signal()
    }
  }

  func wait(for threads: Int) throws -> Int {
    condition.lock()
    defer { condition.unlock() }
    while finished < threads { condition.wait() }
    if let error { throw error }
    return sum
  }
}

/// Runs a body, a tenth of the times to warm up, and tells what the process uses before and after
/// the rest.
private func measured(
  _ arguments: Arguments, _ count: Int, _ body: (Int) throws -> Void
) throws {
  for round in 0..<(count / 10) { try body(round) }
  // Looking takes memory too, the first time.
  _ = try uses(arguments)
  tell("before \(try uses(arguments))")
  for round in (count / 10)..<count { try body(round) }
  tell("after \(try uses(arguments))")
}

/// Resident kilobytes, open descriptors, entries of the file's directory.
private func uses(_ arguments: Arguments) throws -> String {
  let pages =
    try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    .split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  let directory = URL(filePath: arguments.file).deletingLastPathComponent()
  let entries = try FileManager.default.contentsOfDirectory(
    atPath: directory.path(percentEncoded: false)
  ).count
  return "\(pages * sysconf(Int32(_SC_PAGESIZE)) / 1024) \(descriptors) \(entries)"
}
