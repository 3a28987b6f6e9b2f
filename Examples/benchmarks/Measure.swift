import Foundation

/// The middle of some figures, and how far they spread.
struct Spread: Codable {
  let median: Double
  let lowest: Double
  let highest: Double

  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    median = sorted[sorted.count / 2]
    lowest = sorted[0]
    highest = sorted[sorted.count - 1]
  }
}

/// Times two things in turn, A B A B, so that what disturbs the machine disturbs both.
struct Measure {
  /// How many samples are taken of each, unless that takes longer than `longest`.
  let samples: Int
  /// When to stop taking samples.
  let longest: Duration
  /// How long a sample should be. Shorter than the few milliseconds after which the system lets
  /// another program run, so that most samples are undisturbed on a busy machine, too.
  private var sampleLength = Duration.milliseconds(1)
  /// So many samples are taken in any case.
  private let fewest = 5

  init(samples: Int, longest: Duration) {
    self.samples = samples
    self.longest = longest
  }

  /// The same with samples so long that what begins and ends them does not count: to wake a thread of
  /// the pool takes up to a tenth of a millisecond.
  var withLongSamples: Measure {
    var measure = self
    measure.sampleLength = .milliseconds(20)
    return measure
  }

  /// A body does its operation as often as it is told: the loop is part of the body, so that the
  /// call of a closure is not part of the operation.
  typealias Body = (Int) throws -> Void

  /// What one operation of each body takes, in nanoseconds, for each pair of samples.
  func pairs(_ first: Body, _ second: Body) throws -> [(Double, Double)] {
    let counts = (try warmUp(first), try warmUp(second))
    let start = ContinuousClock.now
    var pairs: [(Double, Double)] = []
    while pairs.count < samples, pairs.count < fewest || start.duration(to: .now) < longest {
      pairs.append((try time(first, counts.0), try time(second, counts.1)))
    }
    return pairs
  }

  /// How many times as long as the second body the first one takes.
  func ratio(_ first: Body, to second: Body) throws -> Spread {
    Spread(try pairs(first, second).map { $0 / $1 })
  }

  /// Runs a body until it is warm, and finds out how often it has to run to fill a sample.
  private func warmUp(_ body: Body) throws -> Int {
    let wanted = sampleLength / .nanoseconds(1)
    var count = 1
    while true {
      // The quickest of three: what a first call learns, say about a type, is not the operation.
      var took = Double.infinity
      for _ in 0..<3 { took = min(took, try time(body, count) * Double(count)) }
      // (A body that the optimiser emptied takes no time however often it runs.)
      if took > wanted / 4 || count > 1 << 40 {
        return max(1, Int(Double(count) * min(wanted / took, 4)))
      }
      count *= 2
    }
  }

  private func time(_ body: Body, _ count: Int) throws -> Double {
    try Interruption.check()
    let duration = try ContinuousClock().measure { try body(count) }
    return duration / .nanoseconds(1) / Double(count)
  }
}

/// Takes a value that nobody needs, so that the optimiser cannot leave out the making of it.
@_optimize(none)
func blackHole<Value>(_ value: Value) {}
