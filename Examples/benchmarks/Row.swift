import Foundation

/// What a figure has to be.
enum Goal: Codable {
  case atMost(Double)
  case atLeast(Double)

  func isMet(by figure: Double) -> Bool {
    switch self {
    case .atMost(let limit): figure <= limit
    case .atLeast(let limit): figure >= limit
    }
  }

  var text: String {
    switch self {
    case .atMost(let limit): "≤ \(limit.formatted())"
    case .atLeast(let limit): "≥ \(limit.formatted())"
    }
  }
}

/// One line of the report.
struct Row: Codable {
  /// What a figure says.
  enum Unit: String, Codable {
    /// How many times as long as the other it takes: less is better.
    case timesAsLong = "× as long"
    /// How many times as fast as the other it is: more is better.
    case timesAsFast = "× as fast"
    case nanosecondsPerField = "ns a field"
    case nanoseconds = "ns"
    /// How many times the hits of the other it has: more is better.
    case timesTheHits = "× the hits"
    case instructions = "instructions"
  }

  let what: String
  /// What it is compared with; nil for a figure of its own.
  let against: String?
  let figure: Spread
  let unit: Unit
  let goal: Goal?

  init(
    _ what: String, against: String?, _ figure: Spread, _ unit: Unit = .timesAsLong,
    goal: Goal? = nil
  ) {
    self.what = what
    self.against = against
    self.figure = figure
    self.unit = unit
    self.goal = goal
  }

  /// Whether the goal is met; nil without a goal.
  var isMet: Bool? { goal?.isMet(by: figure.median) }

  fileprivate var cells: [String] {
    let spread =
      figure.lowest == figure.highest
      ? "" : "(\(Self.spell(figure.lowest))–\(Self.spell(figure.highest)))"
    let verdict = goal.map { "\($0.text) \(isMet == true ? "met" : "MISSED")" }
    return [
      "  " + what, against ?? "", "\(Self.spell(figure.median)) \(unit.rawValue)", spread,
      verdict ?? "",
    ]
  }

  private static func spell(_ figure: Double) -> String {
    switch figure {
    case ..<10: String(format: "%.2f", figure)
    case ..<100: String(format: "%.1f", figure)
    default: String(format: "%.0f", figure)
    }
  }
}

/// The rows of a group as a table of plain text.
func table(_ rows: [Row]) -> String {
  let lines = [["  what", "against", "figure", "(min–max)", "goal"]] + rows.map(\.cells)
  let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  return lines.map { line in
    let padded = zip(line, widths).map { cell, width in
      cell + String(repeating: " ", count: width - cell.count)
    }
    return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
  }.joined(separator: "\n")
}
