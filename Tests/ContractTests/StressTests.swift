import Foundation
import SimpleStore
import TestSupport
import Testing

/// Everything at once on one file.
struct StressTests {
  /// The probe's fields and some that only this process changes. `own` and `twin` are always set
  /// together, and so are `count` and `name`: whoever sees them differ has seen half a change.
  struct Tally: StoreItem {
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "count", default: 0) var count
    @StoreParam(key: "note", default: "") var note
    @StoreParam(key: "own", default: 0) var own
    @StoreParam(key: "twin", default: 0) var twin
    @StoreParam(key: "scratch", default: "clean") var scratch

    var isWhole: Bool { (count == 0 || name == "value \(count)") && own == twin }

    mutating func add(_ number: Int) {
      count += number
      name = "value \(count)"
    }

    /// What a file has that was written with it.
    var document: StoreDocument {
      [
        "name": .string(name), "count": .integer(Int64(count)), "note": .string(note),
        "own": .integer(Int64(own)), "twin": .integer(Int64(twin)), "scratch": .string(scratch),
      ]
    }
  }

  /// What an observer was told: the changes have to add up to the last value.
  private final class Ledger: Sendable {
    private struct State {
      var counted = 0
      var last = Tally()
      var broken: [String] = []
    }
    private let state = Guarded(State())

    func add(_ change: StoreChange<Tally>) {
      state.withLock { state in
        if change.old.document != state.last.document {
          state.broken.append("\(change.old.document) after \(state.last.document)")
        }
        if !change.new.isWhole { state.broken.append("half a change: \(change.new.document)") }
        state.counted += change.new.count - change.old.count
        state.last = change.new
      }
    }

    var counted: Int { state.withLock { $0.counted } }
    var last: StoreDocument { state.withLock { $0.last }.document }
    var broken: [String] { state.withLock { $0.broken } }
  }

  private struct Refusal: Error {}

  @Test(.timeLimit(.minutes(2)), arguments: BackendKind.files)
  func `everything at once on one file ends with exactly the sum`(_ kind: BackendKind) async throws
  {
    let folder = TemporaryFolder()
    let file = folder.file("settings." + kind.suffix)
    let (rounds, theirs) = (120, 120)
    let open: @Sendable (Bool) -> SimpleStore<Tally> = {
      SimpleStore(kind.backend(at: file), watching: $0)
    }
    let (store, other, watching) = (open(false), open(false), open(true))
    let ledgers = [Ledger(), Ledger(), Ledger()]
    let observations = zip([store, other, watching], ledgers).map { store, ledger in
      store.observe { ledger.add($0) }
    }
    // Two threads count, one by one.
    let sum = 2 * rounds + theirs
    let reader = Task {
      for await count in store.values(\.count) where count == sum { return count }
      return -1
    }

    let output = TemporaryFolder()
    let process = try Probe.start(
      [
        "stress", file.systemPath, "mixed", "\(theirs)", "--durability", "processCrash",
      ], folder: output)
    let faults = await together(
      rounds,
      [
        { _ in store.batchUpdate { $0.add(1) } },
        { _ in try other.update { $0.add(1) } },
        { round in
          watching.batchUpdate { item in
            item.own += round
            item.twin = item.own
          }
        },
        // Changes that come to nothing: one taken back, one that throws.
        { round in
          other.scratch = "round \(round)"
          if round.isMultiple(of: 2) { other.reset(\.$scratch) } else { other.scratch = "clean" }
          do {
            try store.update { item in
              item.add(1_000)
              throw Refusal()
            }
          } catch is Refusal {}
        },
        { _ in try store.reload() },
        // Stores, observers and watches that come and go.
        { _ in
          let short = open(true)
          let observation = short.observe { _ in _ = store.count }
          try short.reload()
          observation.cancel()
          other.watch().cancel()
        },
      ], watchedBy: [store, other, watching])
    #expect(faults == [])
    let outcome = process.wait()
    #expect(outcome.status == 0 && outcome.output == "halves 0\n", "\(outcome)")

    // Nobody is asked to look: the watch brings what the other process wrote last.
    let written = try #require(try kind.document(in: file))
    #expect(written["count"] == .integer(Int64(sum)))
    #expect(written["name"] == .string("value \(sum)"))
    #expect(written["own"] == .integer(Int64(rounds * (rounds - 1) / 2)))
    #expect(written["twin"] == written["own"])
    #expect(written["scratch"] == .string("clean"))
    #expect(written.count == 6)
    for (store, ledger) in zip([store, other, watching], ledgers) {
      #expect(await eventually { store.item.document == Self.sorted(written) })
      #expect(await eventually { ledger.last == Self.sorted(written) })
      #expect(ledger.counted == sum)
      #expect(ledger.broken == [])
      #expect(store.saveError == nil)
    }
    #expect(await reader.value == sum)
    for observation in observations { observation.cancel() }

    // What stays is the file and its lock, and what a new store reads is what all have seen.
    #expect(open(false).item.document == Self.sorted(written))
    #expect(try folder.names == [file.lastPathComponent])
    #expect(try kind.document(in: file) == written)
  }

  /// The document in the order of ``Tally/document``: a file keeps the order in which keys came.
  private static func sorted(_ document: StoreDocument) -> StoreDocument {
    var result = StoreDocument()
    for key in Tally().document.keys { result[key] = document[key] }
    return result
  }

  /// Runs each job on a thread of its own, `rounds` times, and two threads that read all the
  /// while.
  ///
  /// - Returns: What was thrown, and what the readers saw that must not be.
  private func together(
    _ rounds: Int, _ jobs: [@Sendable (Int) throws -> Void],
    watchedBy stores: [SimpleStore<Tally>]
  ) async -> [String] {
    let faults = Guarded<[String]>([])
    let report: @Sendable (String) -> Void = { text in faults.withLock { $0.append(text) } }
    let working = Guarded(jobs.count)
    let running = Guarded(jobs.count + 2)
    await withCheckedContinuation { continuation in
      let end: @Sendable () -> Void = {
        if running.withLock({ left in
          left -= 1; return left == 0
        }) {
          continuation.resume()
        }
      }
      for job in jobs {
        Thread.detachNewThread {
          for round in 0..<rounds {
            do { try job(round) } catch { report("\(error)") }
          }
          working.withLock { $0 -= 1 }
          end()
        }
      }
      for _ in 0..<2 {
        Thread.detachNewThread {
          var seen = Array(repeating: Tally(), count: stores.count)
          while working.withLock({ $0 }) > 0 {
            for (place, store) in stores.enumerated() {
              let item = store.item
              if !item.isWhole { report("half a change: \(item.document)") }
              // Both only count up.
              if item.count < seen[place].count || item.own < seen[place].own {
                report("\(item.document) after \(seen[place].document)")
              }
              seen[place] = item
            }
          }
          end()
        }
      }
    }
    return faults.withLock { $0 }
  }

  /// Waits until something holds.
  private func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if condition() { return true }
      // Only so as not to keep a core busy; how long it takes decides nothing. Nobody cancels it.
      try? await Task.sleep(for: .milliseconds(1))
    }
    return condition()
  }
}
